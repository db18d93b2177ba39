/** The interest in items: counts that every process adds to. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import {
  type HolderCount,
  type LookUpCount,
  noInterest,
  type WantedCounts,
  withHolders,
  withLookUps,
} from '../../domain/search/interest.ts';
import { type Engine, lock, methods, type Operation, query, saveRows } from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';

export function marketInterest(engine: Engine) {
  return {
    ...methods(engine.run, { listHolders }),
    ...methods(engine.transaction, { addLookUps, saveHolders }),
  };
}

function addLookUps(counts: readonly LookUpCount[], day: number) {
  return changeCounts(counts, ({ times }, before) => withLookUps(before, day, times), day);
}

/** The latest counts of held and watched items. */
function listHolders(): Operation<HolderCount[]> {
  return query<HolderCount>(
    `SELECT kind, key, held::float8 AS held, units::float8 AS units FROM published.interest
     WHERE units > 0 ORDER BY kind, key`,
  );
}

/** Replaces the counts of held and watched items. */
function saveHolders(counts: readonly HolderCount[], day: number) {
  return changeCounts(counts, (holders, before) => withHolders(before, day, holders), day);
}

interface Named {
  readonly kind: ItemKind;
  readonly key: string;
}

type InterestRow = Named & WantedCounts;

/** Updates counts under a lock. */
function* changeCounts<Change extends Named>(
  changes: readonly Change[],
  change: (by: Change, before: WantedCounts) => WantedCounts,
  day: number,
): Operation<void> {
  yield* lock('interest');
  const known = yield* query<InterestRow>(
    `SELECT ${columnsOf(tables.interest, 'interest')} FROM published.interest
     WHERE interest.key = ANY($1::text[])`,
    [changes.map(({ key }) => key)],
  );
  const rows = new Map(known.map((row) => [`${row.kind} ${row.key}`, row]));
  for (const by of changes) {
    const { kind, key } = by;
    const name = `${kind} ${key}`;
    rows.set(name, { kind, key, ...change(by, rows.get(name) ?? noInterest(day)) });
  }
  const changed = new Set(changes.map(({ kind, key }) => `${kind} ${key}`));
  const saved = [...rows].flatMap(([name, row]) => (changed.has(name) ? [row] : []));
  yield* saveRows(
    tables.interest,
    ['kind', 'key', 'day', 'lookedUp', 'lookedUpBefore', 'held', 'heldBefore', 'units'],
    saved,
  );
}
