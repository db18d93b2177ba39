/** Regroups minifigs that share numbers after all rows of a batch are written. */

import {
  type Claim,
  type Member,
  type Regrouping,
  regroup,
} from '../../market/lists/members.store.ts';
import * as db from '../../store/sql/operation.ts';
import type { Batch } from './batch.store.ts';
import { settleCollectibles } from './collectible-rows.store.ts';

/**
 * Regroups the minifigs a batch concerns, settles which of them are valued as sets, and adds the
 * documents and parameters this changes.
 */
export function* settleMembers({
  members,
  changes,
}: Pick<Batch, 'members' | 'changes'>): db.Operation<void> {
  const { keys, described, sets } = members;
  const regroupings = keys.size === 0 ? [] : yield* saveRegroupings([...keys]);
  const concerned = new Set<number>();
  for (const { id, from, to } of regroupings) {
    for (const item of [id, from, to]) if (item) concerned.add(item);
  }
  const containing = regroupings.length > 0 ? yield* listSets(regroupings) : [];
  for (const id of containing) changes.touch(id);
  const { changed, minifigs } = yield* settleCollectibles([...sets.union(new Set(containing))]);
  for (const { id, from, to } of changed) {
    for (const item of [id, from, to]) if (item !== null) concerned.add(item);
  }
  for (const id of concerned) changes.touch(id);
  // The facts of a set count for the sales of its minifig.
  for (const id of minifigs) concerned.add(id);
  if (described.size > 0) for (const id of yield* listWholes([...described])) concerned.add(id);
  if (concerned.size > 0 && (yield* isAnySold([...concerned]))) changes.addAll();
}

function* saveRegroupings(keys: readonly string[]): db.Operation<Regrouping[]> {
  const { members, claims } = yield* loadNear(keys);
  const regroupings = regroup(members, claims);
  // Parts are never due: they have no documents.
  yield* db.runEach(
    `UPDATE published.item AS i SET part_of = r."to",
       due_at = CASE WHEN r."to" IS NULL THEN i.due_at END
     FROM {rows} WHERE i.id = r.id`,
    { types: { id: 'bigint', to: 'bigint' }, rows: regroupings },
  );
  return regroupings;
}

const memberSql = `SELECT i.id::float8 AS id, i.key, i.part_of::float8 AS "partOf",
    EXISTS (SELECT 1 FROM source.catalog_record c WHERE c.item_id = i.id)::boolean AS "isDescribed"
  FROM published.item AS i`;

/**
 * The items of keys, and all minifigs connected with them by aliases in either direction. A
 * breadth-first search; keys without any link are left out.
 */
function* loadNear(keys: readonly string[]): db.Operation<{ members: Member[]; claims: Claim[] }> {
  const members = new Map<number, Member>();
  const claims: Claim[] = [];
  let found = yield* db.query<Member>(
    `${memberSql} WHERE i.kind = 'minifig' AND i.key = ANY($1::text[])
       AND (i.part_of IS NOT NULL
         OR EXISTS (SELECT 1 FROM published.alias a WHERE a.key = i.key)
         OR NOT EXISTS (SELECT 1 FROM source.catalog_record c WHERE c.item_id = i.id))`,
    [keys],
  );
  while (found.length > 0) {
    for (const member of found) members.set(member.id, member);
    const [claimed, claimants] = yield* db.together<[Claim[], { id: number }[]]>([
      db.query<Claim>(
        // Pairs that an operator separated are not joined by any source.
        `SELECT a.item_id::float8 AS "itemId", a.key, a.source FROM published.alias a
         JOIN published.item i ON i.id = a.item_id
         WHERE a.item_id = ANY($1::bigint[]) AND NOT EXISTS (
           SELECT 1 FROM source.parted_minifig p WHERE p.key = i.key AND p.other_key = a.key)`,
        [found.map(({ id }) => id)],
      ),
      db.query<{ id: number }>(
        'SELECT DISTINCT item_id::float8 AS id FROM published.alias WHERE key = ANY($1::text[])',
        [found.map(({ key }) => key)],
      ),
    ]);
    for (const claim of claimed) claims.push(claim);
    const [byKey, byId] = yield* db.together<[Member[], Member[]]>([
      db.query<Member>(`${memberSql} WHERE i.kind = 'minifig' AND i.key = ANY($1::text[])`, [
        [...new Set(claimed.map(({ key }) => key))],
      ]),
      db.query<Member>(`${memberSql} WHERE i.id = ANY($1::bigint[])`, [
        claimants.map(({ id }) => id),
      ]),
    ]);
    const linked = new Map([...byKey, ...byId].map((member) => [member.id, member]));
    found = [...linked.values()].filter(({ id }) => !members.has(id));
  }
  return { members: [...members.values()], claims };
}

/** The sets that contain any of the minifigs. */
function* listSets(regroupings: readonly Regrouping[]): db.Operation<number[]> {
  const rows = yield* db.query<{ id: number }>(
    `SELECT DISTINCT set_id::float8 AS id FROM source.set_minifig
     WHERE minifig_key = ANY($1::text[])`,
    [regroupings.map(({ key }) => key)],
  );
  return rows.map((row) => row.id);
}

/** The minifigs with several numbers that items belong to. */
function* listWholes(ids: readonly number[]): db.Operation<number[]> {
  const rows = yield* db.query<{ id: number }>(
    `SELECT DISTINCT m.part_of::float8 AS id FROM published.item i
     JOIN published.item m ON m.part_of = coalesce(nullif(i.part_of, 0), i.id)
     WHERE i.id = ANY($1::bigint[])`,
    [ids],
  );
  return rows.map((row) => row.id);
}

/** Whether any of the items or their parts was ever sold. */
function* isAnySold(ids: readonly number[]): db.Operation<boolean> {
  const sold = yield* db.first(
    `SELECT 1 FROM published.item i WHERE i.id = ANY($1::bigint[])
       AND EXISTS (SELECT 1 FROM source.sale s WHERE s.item_id = i.id)
     UNION ALL
     SELECT 1 FROM published.item i WHERE i.part_of = ANY($1::bigint[])
       AND EXISTS (SELECT 1 FROM source.sale s WHERE s.item_id = i.id) LIMIT 1`,
    [ids],
  );
  return sold !== null;
}
