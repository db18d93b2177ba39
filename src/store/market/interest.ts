/** How much items are wanted: what every process adds up in one table. */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { HolderCount, InterestStore } from '../../domain/market/interest-store.ts';
import {
  nothingWanted,
  type WantedCounts,
  withHolders,
  withLookUps,
} from '../../domain/search/interest.ts';
import { type Engine, lock, type Operation, query, saveRows } from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';

/** The counts of the market. */
export function marketInterest(engine: Engine): InterestStore {
  return {
    addLookUps: (counts, day) =>
      engine.transaction(() =>
        changeCounts(counts, ({ times }, before) => withLookUps(before, day, times), day),
      ),
    listHolders: () =>
      engine.run(() =>
        query<HolderCount>(
          `SELECT kind, key, held::float8 AS held, units::float8 AS units FROM published.interest
           WHERE units > 0 ORDER BY kind, key`,
        ),
      ),
    saveHolders: (counts, day) =>
      engine.transaction(() =>
        changeCounts(counts, (holders, before) => withHolders(before, day, holders), day),
      ),
  };
}

interface Named {
  readonly kind: ItemKind;
  readonly key: string;
}

type InterestRow = Named & WantedCounts;

/** Reads the counts of items, changes them and writes them, while nobody else does. */
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
    rows.set(name, { kind, key, ...change(by, rows.get(name) ?? nothingWanted(day)) });
  }
  const changed = new Set(changes.map(({ kind, key }) => `${kind} ${key}`));
  const saved = [...rows].flatMap(([name, row]) => (changed.has(name) ? [row] : []));
  yield* saveRows(
    tables.interest,
    ['kind', 'key', 'day', 'lookedUp', 'lookedUpBefore', 'held', 'heldBefore', 'units'],
    saved,
  );
}
