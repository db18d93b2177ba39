/** Takes an import back: what it added goes, and lots that it changed are as they were before. */
import type { AccountStore } from '../domain/account/account-store.ts';
import type { StoredLot } from '../domain/portfolio/lot-store.ts';
import { type LotFacts, lotFacts } from '../domain/portfolio/lots.ts';
import type { ApplyRows, PrivateRowOf } from '../domain/portfolio/private-rows.ts';
import type { OwnerAction } from './own-lots.ts';

/** So many lots that an import changed are kept as they were; of more, the others stay changed. */
const changedMax = 2_000;

/** Rows that are removed at a time, so that nobody waits for long. */
const removedAtOnce = 500;

/** What takes an import back. */
export interface ImportUndo {
  /** The source ids of what was added. */
  readonly lots: readonly string[];
  readonly sales: readonly string[];
  /** Lots that were changed, before and after. */
  readonly changed: readonly LotChange[];
  /** What was changed beyond that, and stays so. */
  readonly changedLots: number;
  readonly changedSales: number;
}

interface LotChange {
  readonly before: LotFacts;
  readonly after: LotFacts;
}

/** What became of taking it back. */
export interface Undone {
  readonly lots: number;
  readonly sales: number;
  readonly restored: number;
  /** Lots that stay: units of them were sold, or they were changed since. */
  readonly kept: number;
  /** Sales that stay as the import changed them. */
  readonly keptSales: number;
}

/** Applies the rows of an import, and keeps what takes them back. */
export class UndoRecorder {
  private readonly lots = new Set<string>();
  private readonly sales = new Set<string>();
  /** By source id: a file may have a lot more than once. */
  private readonly changed = new Map<string, LotChange>();
  private readonly changedLots = new Set<string>();
  private readonly changedSales = new Set<string>();

  constructor(
    private readonly accounts: Pick<AccountStore, 'applyRows' | 'findLots'>,
    private readonly accountId: number,
  ) {}

  readonly applyRows: ApplyRows = async (rows, at) => {
    const ids = rows.flatMap((row) => (row.kind === 'holding' ? [row.facts.sourceId] : []));
    const before = await this.accounts.findLots(this.accountId, ids);
    const outcomes = await this.accounts.applyRows(rows, at);
    outcomes.forEach(({ kind }, index) => {
      const row = rows[index];
      if (!row || row.kind === 'brickfolio') return;
      const { sourceId } = row.facts;
      const added = row.kind === 'holding' ? this.lots : this.sales;
      if (kind === 'added') added.add(sourceId);
      if (kind !== 'updated' || added.has(sourceId)) return;
      if (row.kind === 'ledger_sale') this.changedSales.add(sourceId);
      else this.noteChange(before.get(sourceId), row.facts);
    });
    return outcomes;
  };

  private noteChange(old: StoredLot | undefined, after: LotFacts): void {
    const { sourceId } = after;
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

/** Takes an import back; sent twice, nothing more is done. */
export async function undoImport(action: OwnerAction, undo: ImportUndo): Promise<Undone> {
  const { accounts, who, at } = action;
  let [lots, sales, restored] = [0, 0, 0];
  // Sales go first: what they took is in the lots again.
  for (const ids of pieces(undo.sales)) {
    sales += (await accounts.removeRecorded(who.accountId, { sales: ids, lots: [] })).sales;
  }
  for (const ids of pieces(undo.lots)) {
    lots += (await accounts.removeRecorded(who.accountId, { sales: [], lots: ids })).lots;
  }
  for (const some of pieces(undo.changed)) {
    const rows = some.map(
      ({ before, after }): PrivateRowOf<'holding'> => ({
        kind: 'holding',
        email: who.email,
        facts: before,
        // A lot that was changed since stays as it is.
        seen: after,
      }),
    );
    const outcomes = await accounts.applyRows(rows, at);
    restored += outcomes.filter(({ kind }) => kind === 'updated').length;
  }
  const kept = undo.lots.length - lots + undo.changed.length - restored + undo.changedLots;
  return { lots, sales, restored, kept, keptSales: undo.changedSales };
}

function pieces<T>(list: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(list.length / removedAtOnce);
  return Array.from({ length: count }, (_, at) =>
    list.slice(at * removedAtOnce, (at + 1) * removedAtOnce),
  );
}
