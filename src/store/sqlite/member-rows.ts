/** Which numbers are parts of which minifigs, worked out at the end of a batch. */
import type { Database } from 'bun:sqlite';
import { type Claim, type Member, type Regrouping, regroup } from '../members.ts';
import type { ParameterChanges } from './parameter-rows.ts';
import type { Touched } from './touched.ts';

/** What a batch changed of minifigs. */
export interface MemberChanges {
  /** The numbers whose aliases, or whose item, came or went. */
  readonly keys: Set<string>;
  /** The items whose facts changed. */
  readonly described: Set<number>;
}

/** Regroups what a batch concerns; remembers whose documents and parameters that changes. */
export function settleMembers(
  db: Database,
  { keys, described }: MemberChanges,
  work: { readonly touched: Touched; readonly changes: ParameterChanges },
): void {
  const regroupings = keys.size === 0 ? [] : saveRegroupings(db, keys);
  const setsWith = db.query<{ set_id: number }, [string]>(
    'SELECT set_id FROM set_minifig WHERE minifig_key = ?',
  );
  const concerned = new Set<number>();
  for (const { id, key, from, to } of regroupings) {
    for (const item of [id, from, to]) if (item) concerned.add(item);
    for (const { set_id } of setsWith.all(key)) work.touched.add(set_id);
  }
  for (const id of concerned) work.touched.add(id);
  if (described.size > 0) for (const id of listWholes(db, described)) concerned.add(id);
  if (concerned.size > 0 && isAnySold(db, concerned)) work.changes.addAll();
}

function saveRegroupings(db: Database, keys: ReadonlySet<string>): Regrouping[] {
  const members = db
    .query<Omit<Member, 'isDescribed'> & { isDescribed: number }, [string]>(nearSql)
    .all(JSON.stringify([...keys]));
  const claims = db
    .query<Claim, [string]>(
      `SELECT a.item_id AS itemId, a.key, a.source
       FROM json_each(?) j CROSS JOIN alias a ON a.item_id = j.value`,
    )
    .all(JSON.stringify(members.map(({ id }) => id)));
  const regroupings = regroup(
    members.map((member) => ({ ...member, isDescribed: member.isDescribed === 1 })),
    claims,
  );
  // A part is never due: it has no documents.
  const save = db.query<never, [number | null, number]>(
    `UPDATE item SET part_of = ?1, due_at = CASE WHEN ?1 IS NULL THEN due_at END WHERE id = ?2`,
  );
  for (const { id, to } of regroupings) save.run(to, id);
  return regroupings;
}

/** The items of numbers, and all that claim them or are claimed by them, directly or not. */
const nearSql = `
  WITH RECURSIVE near (id) AS (
    SELECT i.id FROM json_each(?) k CROSS JOIN item i ON i.kind = 'minifig' AND i.key = k.value
    WHERE i.part_of IS NOT NULL OR EXISTS (SELECT 1 FROM alias a WHERE a.key = i.key)
      OR NOT EXISTS (SELECT 1 FROM catalog_record r WHERE r.item_id = i.id)
    UNION
    SELECT a.item_id FROM near n CROSS JOIN item i ON i.id = n.id
      CROSS JOIN alias a ON a.key = i.key
    UNION
    SELECT c.id FROM near n CROSS JOIN alias a ON a.item_id = n.id
      CROSS JOIN item c ON c.kind = 'minifig' AND c.key = a.key)
  SELECT i.id, i.key, i.part_of AS partOf,
    EXISTS (SELECT 1 FROM catalog_record r WHERE r.item_id = i.id) AS isDescribed
  FROM near n CROSS JOIN item i ON i.id = n.id`;

/** The minifigs with several numbers that items belong to. */
function listWholes(db: Database, ids: ReadonlySet<number>): number[] {
  return db
    .query<{ id: number }, [string]>(
      `SELECT DISTINCT m.part_of AS id FROM json_each(?) j CROSS JOIN item i ON i.id = j.value
       CROSS JOIN item m ON m.part_of = coalesce(nullif(i.part_of, 0), i.id)`,
    )
    .all(JSON.stringify([...ids]))
    .map((row) => row.id);
}

/** Whether any of the items, or of their parts, was ever sold. */
function isAnySold(db: Database, ids: ReadonlySet<number>): boolean {
  const sql = `SELECT 1 FROM json_each(?1) j CROSS JOIN sale s ON s.item_id = j.value
    UNION ALL
    SELECT 1 FROM json_each(?1) j CROSS JOIN item i ON i.part_of = j.value
      CROSS JOIN sale s ON s.item_id = i.id LIMIT 1`;
  return db.query<unknown, [string]>(sql).get(JSON.stringify([...ids])) !== null;
}
