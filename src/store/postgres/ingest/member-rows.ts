/** Which numbers are parts of which minifigs, worked out when all rows of a batch are written. */
import { type Claim, type Member, type Regrouping, regroup } from '../../members.ts';
import { runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';

/** What a batch changed of minifigs. */
export interface MemberChanges {
  /** The numbers whose aliases, or whose item, came or went. */
  readonly keys: Set<string>;
  /** The items whose facts changed. */
  readonly described: Set<number>;
}

/** Regroups what a batch concerns; remembers whose documents and parameters that changes. */
export async function settleMembers(tx: Connection, { members, changes }: Batch): Promise<void> {
  const { keys, described } = members;
  const regroupings = keys.size === 0 ? [] : await saveRegroupings(tx, keys);
  const concerned = new Set<number>();
  for (const { id, from, to } of regroupings) {
    for (const item of [id, from, to]) if (item) concerned.add(item);
  }
  for (const id of concerned) changes.touch(id);
  if (regroupings.length > 0) for (const id of await listSets(tx, regroupings)) changes.touch(id);
  if (described.size > 0) for (const id of await listWholes(tx, described)) concerned.add(id);
  if (concerned.size > 0 && (await isAnySold(tx, concerned))) changes.addAll();
}

async function saveRegroupings(tx: Connection, keys: ReadonlySet<string>): Promise<Regrouping[]> {
  const members = await tx.query<Member>(nearSql, [[...keys]]);
  if (members.length === 0) return [];
  const claims = await tx.query<Claim>(
    `SELECT item_id::float8 AS "itemId", key, source FROM published.alias
     WHERE item_id = ANY($1::bigint[])`,
    [members.map(({ id }) => id)],
  );
  const regroupings = regroup(members, claims);
  // A part is never due: it has no documents.
  await runForRows(
    tx,
    `UPDATE published.item SET part_of = r."to",
       due_at = CASE WHEN r."to" IS NULL THEN item.due_at END
     FROM json_to_recordset($1::text::json) AS r(id bigint, "to" bigint) WHERE item.id = r.id`,
    regroupings.map(({ id, to }) => ({ id, to })),
  );
  return regroupings;
}

/** The items of numbers, and all that claim them or are claimed by them, directly or not. */
const nearSql = `
  WITH RECURSIVE near (id) AS (
    SELECT i.id FROM published.item i WHERE i.kind = 'minifig' AND i.key = ANY($1::text[])
      AND (i.part_of IS NOT NULL
        OR EXISTS (SELECT 1 FROM published.alias a WHERE a.key = i.key)
        OR NOT EXISTS (SELECT 1 FROM source.catalog_record r WHERE r.item_id = i.id))
    UNION
    SELECT linked.id FROM near n CROSS JOIN LATERAL (
      SELECT a.item_id AS id FROM published.item i JOIN published.alias a ON a.key = i.key
      WHERE i.id = n.id
      UNION ALL
      SELECT c.id FROM published.alias a
      JOIN published.item c ON c.kind = 'minifig' AND c.key = a.key
      WHERE a.item_id = n.id) AS linked)
  SELECT i.id::float8 AS id, i.key, i.part_of::float8 AS "partOf",
    EXISTS (SELECT 1 FROM source.catalog_record r WHERE r.item_id = i.id) AS "isDescribed"
  FROM near n JOIN published.item i ON i.id = n.id`;

/** The sets that list any of the numbers. */
async function listSets(tx: Connection, regroupings: readonly Regrouping[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT set_id::float8 AS id FROM source.set_minifig
     WHERE minifig_key = ANY($1::text[])`,
    [regroupings.map(({ key }) => key)],
  );
  return rows.map((row) => row.id);
}

/** The minifigs with several numbers that items belong to. */
async function listWholes(tx: Connection, ids: ReadonlySet<number>): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT m.part_of::float8 AS id FROM published.item i
     JOIN published.item m ON m.part_of = coalesce(nullif(i.part_of, 0), i.id)
     WHERE i.id = ANY($1::bigint[])`,
    [[...ids]],
  );
  return rows.map((row) => row.id);
}

/** Whether any of the items, or of their parts, was ever sold. */
async function isAnySold(tx: Connection, ids: ReadonlySet<number>): Promise<boolean> {
  const [row] = await tx.query<{ isSold: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM published.item i
       WHERE (i.id = ANY($1::bigint[]) OR i.part_of = ANY($1::bigint[]))
         AND EXISTS (SELECT 1 FROM source.sale s WHERE s.item_id = i.id)) AS "isSold"`,
    [[...ids]],
  );
  return row?.isSold ?? false;
}
