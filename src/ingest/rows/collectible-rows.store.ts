/**
 * Finds the sets that are one collectible minifig, after all rows of a batch are written. Such a
 * minifig is valued as its set (`item.valued_as`), from the sales of both numbers. The result
 * depends on the stored records only, not on the order of rows.
 */

import { isCollectible } from '../../catalog/items/collectible.ts';
import { minifigLister, type SetRecords } from '../../catalog/items/merge.ts';
import { compareText } from '../../catalog/items/numbers.ts';
import type { Regrouping } from '../../market/lists/members.store.ts';
import { loadRecords } from '../../market/source-rows/source-rows.store.ts';
import * as db from '../../store/sql/operation.ts';

/** A minifig with a changed `valuedAs`. */
export type Revaluing = Omit<Regrouping, 'key'>;

/** The result of settling some sets. */
export interface SettledCollectibles {
  readonly changed: readonly Revaluing[];
  /** Minifigs that are, or were, valued as one of the sets. */
  readonly minifigs: readonly number[];
}

/** Settles which minifigs are valued as one of these sets. */
export function* settleCollectibles(setIds: readonly number[]): db.Operation<SettledCollectibles> {
  if (setIds.length === 0) return { changed: [], minifigs: [] };
  const [contents, current] = yield* db.together([
    findSingles(setIds, 'm.set_id = ANY($1::bigint[])'),
    findValued(setIds, 'i.valued_as'),
  ]);
  const ids = [...contents, ...current].map(({ id }) => id);
  const minifigs = [...new Set(ids)];
  if (minifigs.length === 0) return { changed: [], minifigs };
  // All sets of these minifigs compete, so that the order of batches does not matter.
  const [rivals, valued] = yield* db.together([
    findSingles(minifigs, ofMinifigs),
    findValued(minifigs, 'i.id'),
  ]);
  const setOf = new Map<number, number>();
  for (const { id, setId } of rivals) setOf.getOrInsert(id, setId);
  const changed = valued.flatMap(({ id, setId: from }): Revaluing[] => {
    const to = setOf.get(id) ?? null;
    return from === to ? [] : [{ id, from, to }];
  });
  // The set is due for both.
  yield* db.runEach(
    `UPDATE published.item AS i SET valued_as = r."to",
       due_at = CASE WHEN r."to" IS NULL THEN i.due_at END
     FROM {rows} WHERE i.id = r.id`,
    { types: { id: 'bigint', to: 'bigint' }, rows: changed },
  );
  return { changed, minifigs };
}

interface Valued {
  readonly id: number;
  readonly setId: number | null;
}

function findValued(ids: readonly number[], column: string): db.Operation<Valued[]> {
  return db.query<Valued>(
    `SELECT i.id::float8 AS id, i.valued_as::float8 AS "setId" FROM published.item AS i
     WHERE ${column} = ANY($1::bigint[])`,
    [ids],
  );
}

interface Single {
  readonly id: number;
  readonly setId: number;
}

interface Listed extends Single {
  readonly setKey: string;
  readonly source: string;
}

/** The sets that contain any number of these minifigs. */
const ofMinifigs = `m.minifig_key IN (
  SELECT n.key FROM published.item n WHERE n.kind = 'minifig'
    AND (n.id = ANY($1::bigint[]) OR n.part_of = ANY($1::bigint[])))`;

/**
 * Collectible minifigs with their sets, in order of set numbers. The minifig is looked up in a
 * subquery: as a join, SQLite would begin with all minifigs.
 */
function* findSingles(ids: readonly number[], condition: string): db.Operation<Single[]> {
  const rows = yield* db.query<Listed>(
    `SELECT m.set_id::float8 AS "setId", s.key AS "setKey", m.source,
       (SELECT coalesce(i.part_of, i.id) FROM published.item i
        WHERE i.kind = 'minifig' AND i.key = m.minifig_key)::float8 AS id
     FROM source.set_minifig m JOIN published.item s ON s.id = m.set_id
     WHERE ${condition} AND NOT EXISTS (
       SELECT 1 FROM source.set_minifig other WHERE other.set_id = m.set_id
         AND other.source = m.source AND other.minifig_key <> m.minifig_key)`,
    [ids],
  );
  // A minifig that no source describes has no ID, or 0.
  const listed = rows.filter(({ id }) => id);
  const records = yield* loadRecords([...new Set(listed.map(({ setId }) => setId))]);
  return listed
    .filter(({ setId, source }) => {
      const own = (records.get(setId) ?? []) as SetRecords;
      return minifigLister(own) === source && isCollectible(own);
    })
    .sort((a, b) => compareText(a.setKey, b.setKey));
}
