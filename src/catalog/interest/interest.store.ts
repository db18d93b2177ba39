/** The interest in items: counts that every process adds to. */

import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { type ItemRef, refText } from '../items/numbers.ts';
import {
  type HolderCount,
  type InterestCounts,
  type LookUpCount,
  noInterest,
  withHolders,
  withLookUps,
} from './interest.ts';

export function marketInterest(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listHolders }),
    ...db.methods(engine.transaction, { addLookUps, saveHolders }),
  };
}

export interface InterestStore extends ReturnType<typeof marketInterest> {}

function addLookUps(counts: readonly LookUpCount[], day: number) {
  return changeCounts(counts, ({ times }, before) => withLookUps(before, day, times), day);
}

/** The latest counts of held and watched items. */
function listHolders(): db.Reading<HolderCount[]> {
  return db.query<HolderCount>(
    `SELECT kind, key, held::float8 AS held, units::float8 AS units FROM published.interest
     WHERE units > 0 ORDER BY kind, key`,
  );
}

/** Replaces the counts of held and watched items. */
function saveHolders(counts: readonly HolderCount[], day: number) {
  return changeCounts(counts, (holders, before) => withHolders(before, day, holders), day);
}

type InterestRow = ItemRef & InterestCounts;

/** Updates counts under a lock. */
function* changeCounts<Change extends ItemRef>(
  changes: readonly Change[],
  change: (by: Change, before: InterestCounts) => InterestCounts,
  day: number,
): db.Operation<void> {
  yield* db.lock('interest');
  const known = yield* db.query<InterestRow>(
    `SELECT ${columnsOf(tables.interest, 'interest')} FROM published.interest
     WHERE interest.key = ANY($1::text[])`,
    [changes.map(({ key }) => key)],
  );
  const before = new Map<string, InterestCounts>(known.map((row) => [refText(row), row]));
  const changed = new Map<string, InterestRow>();
  for (const by of changes) {
    const { kind, key } = by;
    const name = refText(by);
    const counts = changed.get(name) ?? before.get(name) ?? noInterest(day);
    changed.set(name, { kind, key, ...change(by, counts) });
  }
  yield* db.saveRows(tables.interest, [...changed.values()]);
}
