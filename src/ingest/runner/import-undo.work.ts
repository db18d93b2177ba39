/** Undoes an import: removes what it added, and restores lots that it changed. */
import { type GivenLot, type LotFacts, lotFacts, writtenLot } from '../../portfolio/lots/lots.ts';
import type { OwnerAction } from '../../portfolio/lots/own-lots.work.ts';
import type {
  AccountOutcome,
  AccountRow,
  ChangeAccount,
} from '../../portfolio/lots/private-rows.ts';
import type { PortfolioRoomStore } from '../../portfolio/portfolio.store.ts';

/** The maximum number of changed lots that can be restored; any others stay changed. */
const changedMax = 2_000;

/** Rows removed per transaction. */
const removedAtOnce = 500;

export interface ImportUndo {
  readonly lots: readonly AddedLot[];
  /** Source IDs of the sales added. */
  readonly sales: readonly string[];
  /** Changed lots, before and after. */
  readonly changed: readonly LotChange[];
  /** Further changed lots, which cannot be restored. */
  readonly changedLots: number;
  readonly changedSales: number;
}

interface AddedLot {
  readonly sourceId: string;
  /** A hash of the lot as the import left it. */
  readonly hash: string;
}

interface LotChange {
  readonly before: LotFacts;
  readonly after: LotFacts;
}

export interface Undone {
  readonly lots: number;
  readonly sales: number;
  readonly restored: number;
  /** Lots that stay, because they have sales or were changed since. */
  readonly kept: number;
  /** Sales that stay as the import changed them. */
  readonly keptSales: number;
}

/** Applies the rows of an import, and records how to undo them. */
export class UndoRecorder {
  private readonly lots = new Map<string, LotFacts>();
  private readonly sales = new Set<string>();
  /** By source ID, because a file can contain a lot more than once. */
  private readonly changed = new Map<string, LotChange>();
  private readonly changedLots = new Set<string>();
  private readonly changedSales = new Set<string>();

  constructor(
    private readonly accounts: Pick<PortfolioRoomStore, 'change' | 'findLotsBySourceIds'>,
  ) {}

  readonly change: ChangeAccount = async (accountId, change, at) => {
    const { rows } = change;
    const ids = rows.flatMap((row) => (row.kind === 'holding' ? [row.facts.sourceId] : []));
    const before = await this.accounts.findLotsBySourceIds(accountId, ids);
    const result = await this.accounts.change(accountId, change, at);
    result.outcomes.forEach(({ kind }, index) => {
      const row = rows[index];
      if (row?.kind !== 'holding' && row?.kind !== 'ledger_sale') return;
      const { sourceId } = row.facts;
      if (row.kind === 'holding') this.noteLot(kind, row.facts, before.get(sourceId));
      else if (kind === 'added') this.sales.add(sourceId);
      else if (kind === 'updated' && !this.sales.has(sourceId)) this.changedSales.add(sourceId);
    });
    return result;
  };

  private noteLot(kind: AccountOutcome['kind'], given: GivenLot, old: LotFacts | undefined): void {
    const { sourceId } = given;
    const known = this.lots.get(sourceId);
    const isNew = kind === 'added' || (kind === 'updated' && known !== undefined);
    if (isNew) this.lots.set(sourceId, writtenLot(given, known ?? null));
    else if (kind === 'updated') this.noteChange(old, given);
  }

  private noteChange(old: LotFacts | undefined, given: GivenLot): void {
    const { sourceId } = given;
    // A file may have the lot twice, and say less the second time.
    const after = writtenLot(given, this.changed.get(sourceId)?.after ?? old ?? null);
    const before = this.changed.get(sourceId)?.before ?? (old && lotFacts(old));
    const isKept = this.changed.has(sourceId) || this.changed.size < changedMax;
    if (before && isKept) this.changed.set(sourceId, { before, after });
    else this.changedLots.add(sourceId);
  }

  get undo(): ImportUndo {
    return {
      lots: [...this.lots.values()].map((lot) => ({ sourceId: lot.sourceId, hash: hashOf(lot) })),
      sales: [...this.sales],
      changed: [...this.changed.values()],
      changedLots: this.changedLots.size,
      changedSales: this.changedSales.size,
    };
  }
}

/** Idempotent. */
export async function undoImport(
  action: Pick<OwnerAction, 'accounts' | 'accountId' | 'at'>,
  undo: ImportUndo,
): Promise<Undone> {
  const { accounts, accountId } = action;
  let [lots, sales, restored] = [0, 0, 0];
  // Sales first, which returns their units to the lots.
  for (const names of pieces(undo.sales)) {
    const ids = await accounts.findSaleIds(accountId, names);
    const rows = [...ids.values()].map((saleId) => ({ kind: 'sale_removal', saleId }) as const);
    sales += await countUpdated(action, rows);
  }
  for (const added of pieces(undo.lots)) {
    const names = added.map(({ sourceId }) => sourceId);
    const now = await accounts.findLotsBySourceIds(accountId, names);
    const rows = added.flatMap(({ sourceId, hash }) => {
      const seen = now.get(sourceId);
      const isSame = seen !== undefined && hashOf(seen) === hash;
      return isSame ? [{ kind: 'lot_removal', lotId: seen.id, seen } as const] : [];
    });
    lots += await countUpdated(action, rows);
  }
  for (const some of pieces(undo.changed)) {
    // A lot that was changed since stays as it is.
    const rows = some.map(
      ({ before, after }) => ({ kind: 'holding', facts: before, seen: after }) as const,
    );
    restored += await countUpdated(action, rows);
  }
  const kept = undo.lots.length - lots + undo.changed.length - restored + undo.changedLots;
  return { lots, sales, restored, kept, keptSales: undo.changedSales };
}

function hashOf(lot: LotFacts): string {
  return Bun.hash(JSON.stringify(lotFacts(lot))).toString(36);
}

/** Applies rows like those of a file; returns how many rows were changed. */
async function countUpdated(
  { accounts, accountId, at }: Pick<OwnerAction, 'accounts' | 'accountId' | 'at'>,
  rows: readonly AccountRow[],
): Promise<number> {
  const { outcomes } = await accounts.change(accountId, { rows, isFile: true }, at);
  return outcomes.filter(({ kind }) => kind === 'updated').length;
}

function pieces<T>(list: readonly T[]): (readonly T[])[] {
  const starts = [...list.keys()].filter((at) => at % removedAtOnce === 0);
  return starts.map((start) => list.slice(start, start + removedAtOnce));
}
