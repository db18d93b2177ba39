/** Undoes an import: removes what it added, and restores lots that it changed. */
import {
  type GivenLot,
  type LotFacts,
  lotFacts,
  type StoredLot,
  writtenLot,
} from '../domain/portfolio/lots.ts';
import type { AccountRow, ChangeAccount } from '../domain/portfolio/private-rows.ts';
import type { AccountStore } from '../store/store.ts';
import type { OwnerAction } from './own-lots.ts';

/** The maximum number of changed lots that can be restored; any others stay changed. */
const changedMax = 2_000;

/** Rows removed per transaction. */
const removedAtOnce = 500;

/** The data to undo an import. */
export interface ImportUndo {
  /** Source IDs of the lots added. */
  readonly lots: readonly string[];
  readonly sales: readonly string[];
  /** Changed lots, before and after. */
  readonly changed: readonly LotChange[];
  /** Further changed lots, which cannot be restored. */
  readonly changedLots: number;
  readonly changedSales: number;
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
  private readonly lots = new Set<string>();
  private readonly sales = new Set<string>();
  /** By source ID, because a file can contain a lot more than once. */
  private readonly changed = new Map<string, LotChange>();
  private readonly changedLots = new Set<string>();
  private readonly changedSales = new Set<string>();

  constructor(private readonly accounts: Pick<AccountStore, 'change' | 'findLots'>) {}

  readonly change: ChangeAccount = async (accountId, change, at) => {
    const { rows } = change;
    const ids = rows.flatMap((row) => (row.kind === 'holding' ? [row.facts.sourceId] : []));
    const before = await this.accounts.findLots(accountId, ids);
    const result = await this.accounts.change(accountId, change, at);
    result.outcomes.forEach(({ kind }, index) => {
      const row = rows[index];
      if (row?.kind !== 'holding' && row?.kind !== 'ledger_sale') return;
      const { sourceId } = row.facts;
      const added = row.kind === 'holding' ? this.lots : this.sales;
      if (kind === 'added') added.add(sourceId);
      if (kind !== 'updated' || added.has(sourceId)) return;
      if (row.kind === 'ledger_sale') this.changedSales.add(sourceId);
      else this.noteChange(before.get(sourceId), row.facts);
    });
    return result;
  };

  private noteChange(old: StoredLot | undefined, given: GivenLot): void {
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
      lots: [...this.lots],
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
  for (const names of pieces(undo.lots)) {
    const ids = await accounts.findLotIds(accountId, names);
    const rows = [...ids.values()].map((lotId) => ({ kind: 'lot_removal', lotId }) as const);
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

/** Applies rows like those of a file; returns how many rows were changed. */
async function countUpdated(
  { accounts, accountId, at }: Pick<OwnerAction, 'accounts' | 'accountId' | 'at'>,
  rows: readonly AccountRow[],
): Promise<number> {
  const { outcomes } = await accounts.change(accountId, { rows, isFile: true }, at);
  return outcomes.filter(({ kind }) => kind === 'updated').length;
}

function pieces<T>(list: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(list.length / removedAtOnce);
  return Array.from({ length: count }, (_, at) =>
    list.slice(at * removedAtOnce, (at + 1) * removedAtOnce),
  );
}
