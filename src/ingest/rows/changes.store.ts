/**
 * Side effects of a batch: stale documents, and the month from which parameters must be learned
 * again. Where this depends on sales outside the batch, one query at the end answers it for all
 * rows, before anything is written.
 */

import { weekOf, weekStart } from '../../kernel/time.ts';
import { readMeta } from '../../market/published/meta.store.ts';
import { type Condition, conditions } from '../../market/source-rows/source-rows.ts';
import { carryCheckpoints } from '../../market/values/checkpoints.store.ts';
import * as db from '../../store/sql/operation.ts';
import { EarliestChange } from './earliest-change.store.ts';
import type { SalesAtHand } from './sales-at-hand.store.ts';
import type { UndoLog } from './undo-log.store.ts';

/** Times before and after all rows. */
const always = Number.MIN_SAFE_INTEGER;
export const never = Number.MAX_SAFE_INTEGER;

/** Does an item have more sales in the store than the batch has counted? */
interface ItemDoubt {
  readonly id: number;
  readonly counted: number;
}

export class Changes {
  /** Items by the time from which their sales changed. */
  private readonly touched = new Map<number, number>();
  private readonly earliest = new EarliestChange();
  private readonly itemDoubts = new Map<number, ItemDoubt>();

  constructor(
    private readonly sales: SalesAtHand,
    private readonly undo: UndoLog,
  ) {}

  /**
   * Marks the document of an item as stale. Its valuation up to `changedFrom` stays the same, which
   * is `never` if it does not depend on what changed; by default it changes from the start.
   */
  touch(itemId: number, changedFrom: number = always): void {
    const before = this.touched.get(itemId) ?? never;
    this.touched.set(itemId, Math.min(before, changedFrom));
  }

  /** A sale of an item was added, changed or retracted. */
  touchSale(itemId: number, soldAt: number): void {
    this.touch(itemId, soldAt);
    this.earliest.add(soldAt);
  }

  /** An offer changed. If its week has another price, that counts from the end of the week on. */
  touchOffer(itemId: number, observedAt: number, hasNewWeek: boolean): void {
    const weekEnd = weekStart(weekOf(observedAt) + 1);
    this.touch(itemId, hasNewWeek ? weekEnd : never);
    if (hasNewWeek) this.earliest.add(weekEnd);
  }

  /** Facts of an item changed. If it was ever sold, that affects all months. */
  addFacts(itemId: number): void {
    const { now, before } = this.sales.countOf(itemId);
    if (now > 0) this.earliest.addAlways();
    else this.itemDoubts.set(itemId, { id: itemId, counted: before });
  }

  /** Something changed that affects all months. */
  addAll(): void {
    this.earliest.addAlways();
  }

  /** Items with stale documents. */
  listTouched(): number[] {
    return [...this.touched.keys()];
  }

  /** Whether parameters must be learned again. */
  hasLearned(): boolean {
    return this.earliest.month() !== null;
  }

  /** Answers open questions with queries. Must run before counted sales are written. */
  *settle(): db.Operation<void> {
    if (this.earliest.isAlways()) return;
    if (yield* areSomeSold([...this.itemDoubts.values()])) this.earliest.addAlways();
  }

  *save(): db.Operation<void> {
    if (this.touched.size > 0) {
      if (this.undo.isKept) yield* noteUnsealed([...this.touched.keys()], this.undo);
      yield* raiseVersions(this.touched);
    }
    const month = this.earliest.month();
    if (month === null) return;
    yield* db.run("UPDATE published.meta SET value = value + 1 WHERE name = 'parameters_change'");
    yield* db.run(
      `INSERT INTO published.meta AS m VALUES ('parameters_changed_from', $1::bigint)
       ON CONFLICT (name) DO UPDATE SET value = least(m.value, excluded.value)`,
      [month],
    );
  }
}

/**
 * Once history is sealed, publishing an item seals its first months. Undoing the import must remove
 * them, so items without months are recorded here.
 */
function* noteUnsealed(touched: readonly number[], undo: UndoLog): db.Operation<void> {
  if (!(yield* readMeta()).has('sealed_at')) return;
  const found = yield* db.query<{ id: number; condition: Condition }>(
    `SELECT item_id::float8 AS id, condition FROM published.series
     WHERE item_id = ANY($1::bigint[])`,
    [touched],
  );
  const stored = new Set(found.map(({ id, condition }) => `${id} ${condition}`));
  for (const id of touched) {
    for (const condition of conditions) {
      if (!stored.has(`${id} ${condition}`)) undo.add('series', [id, condition]);
    }
  }
}

/** Makes items stale; also the minifig of a part, and the set that it is valued as. */
function* raiseVersions(touched: ReadonlyMap<number, number>): db.Operation<void> {
  const parts = yield* db.query<{ id: number; whole: number | null; set: number | null }>(
    `SELECT i.id::float8 AS id, i.part_of::float8 AS whole,
       coalesce(i.valued_as, w.valued_as)::float8 AS "set"
     FROM published.item i LEFT JOIN published.item w ON w.id = i.part_of
     WHERE i.id = ANY($1::bigint[]) AND (i.part_of IS NOT NULL OR i.valued_as IS NOT NULL)`,
    [[...touched.keys()]],
  );
  const stale = new Map(touched);
  for (const { id, whole, set } of parts) {
    for (const other of [whole, set]) {
      if (other === null) continue;
      const from = Math.min(stale.get(other) ?? never, touched.get(id) ?? always);
      stale.set(other, from);
    }
  }
  yield* db.run('UPDATE published.item SET version = version + 1 WHERE id = ANY($1::bigint[])', [
    [...stale.keys()].sort((a, b) => a - b),
  ]);
  const changed = Array.from(stale, ([id, from]) => ({ id, from }));
  yield* carryCheckpoints(changed.filter(({ from }) => from > always));
}

/** Items per query; the first batch with a sale ends the search. */
const itemsAtATime = 1_000;

/** Whether any of the items has more sales than were counted. */
function* areSomeSold(doubts: readonly ItemDoubt[]): db.Operation<boolean> {
  for (let start = 0; start < doubts.length; start += itemsAtATime) {
    const sold = yield* db.queryEach(
      `SELECT 1 WHERE (SELECT count(*) FROM (
         SELECT 1 FROM source.sale WHERE item_id = r.id LIMIT r.counted + 1) AS found) > r.counted`,
      {
        types: { id: 'bigint', counted: 'bigint' },
        rows: doubts.slice(start, start + itemsAtATime),
      },
    );
    if (sold.length > 0) return true;
  }
  return false;
}
