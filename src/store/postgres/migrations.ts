/** Brings a database up to date. Any number of nodes may start at once. */
import { accountsSchema } from './accounts-schema.ts';
import { type Client, type Connection, sqlState } from './client.ts';
import { marketSchema } from './market-schema.ts';

/** One entry per schema version; they are only ever appended. */
export const migrations: readonly string[] = [
  marketSchema + accountsSchema,
  `
  -- When an item was no longer in its source's complete list; null while it is there.
  ALTER TABLE source.catalog_record ADD COLUMN gone_at bigint;
  -- Whether the price is a guess, for want of what was paid.
  ALTER TABLE private.lot ADD COLUMN is_estimated boolean NOT NULL DEFAULT false;
  -- Rates are no licensed rows, and whoever brings a collection in needs them. It is made anew, so
  -- that it gets the rights of its schema.
  CREATE TABLE published.fx (
    currency text COLLATE "C" NOT NULL,
    date text COLLATE "C" NOT NULL,
    usd_per_unit double precision NOT NULL,
    PRIMARY KEY (currency, date)
  );
  INSERT INTO published.fx SELECT * FROM source.fx;
  DROP TABLE source.fx;

  -- Every number of a minifig has an item. One that another minifig names as an alias is a part of
  -- that minifig; 0: nobody describes it, and nobody names it any more. Parts have no documents.
  ALTER TABLE published.item ADD COLUMN part_of bigint;
  CREATE INDEX item_part ON published.item (part_of) WHERE part_of IS NOT NULL;
  DROP INDEX published.item_stale;
  CREATE INDEX item_stale ON published.item (id)
    WHERE version <> published_version AND part_of IS NULL;
  INSERT INTO published.item (id, kind, key, number)
    SELECT (SELECT coalesce(max(id), 0) FROM published.item)
        + row_number() OVER (ORDER BY key), 'minifig', key, key
    FROM (SELECT DISTINCT key FROM published.alias
      WHERE key NOT IN (SELECT key FROM published.item WHERE kind = 'minifig')) AS missing;
  -- Minifigs that name each other in a circle stay apart until one of them is described anew.
  WITH RECURSIVE claim (id, up) AS MATERIALIZED (
      SELECT i.id, (SELECT c.id FROM published.alias a JOIN published.item c ON c.id = a.item_id
        WHERE a.key = i.key AND c.id <> i.id ORDER BY c.key LIMIT 1)
      FROM published.item i
      WHERE i.kind = 'minifig' AND i.key IN (SELECT key FROM published.alias)),
    step (id, at, steps) AS (
      SELECT id, up, 1 FROM claim WHERE up IS NOT NULL
      UNION ALL
      SELECT s.id, c.up, s.steps + 1 FROM step s JOIN claim c ON c.id = s.at
      WHERE c.up IS NOT NULL AND s.steps < 50)
    UPDATE published.item AS item SET due_at = NULL, part_of = top.at
    FROM (SELECT id, at FROM step
      WHERE at NOT IN (SELECT id FROM claim WHERE up IS NOT NULL)) AS top
    WHERE top.id = item.id;
  -- What was two minifigs becomes one as soon as the store is served, or valued again.
  UPDATE published.item SET version = version + 1, due_at = 1 WHERE id IN (
    SELECT part_of FROM published.item WHERE id IN (SELECT item_id FROM source.catalog_record)
    UNION
    SELECT m.set_id FROM source.set_minifig m JOIN published.item k ON k.key = m.minifig_key
    WHERE k.kind = 'minifig' AND k.part_of IS NOT NULL
      AND k.id IN (SELECT item_id FROM source.catalog_record));
  `,
];

/** The version that this program works with. */
export const schemaVersion = migrations.length;

/** Whoever migrates holds this lock, so that the others wait and then find it done. */
const migrationLock = 4_270_001;

/** The database is not in the state that this program needs; the message says what to do. */
export class SchemaError extends Error {}

/** The oldest version of PostgreSQL that the suites run on. */
const oldestServer = 15;

/** What PostgreSQL says to a role that may not. */
const insufficientPrivilege = '42501';

/** Applies the migrations that are not in yet. */
export async function migrate(client: Client): Promise<void> {
  if ((await findVersion(client)) === migrations.length) return;
  await client.transaction(applyMissing).catch((error) => {
    if (sqlState(error) !== insufficientPrivilege) throw error;
    throw new SchemaError(
      'The database needs a newer schema, and this role may not change it; ' +
        "run 'brickmark migrate' with the role that owns the database.",
    );
  });
}

async function applyMissing(tx: Connection): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  const version = await findVersion(tx);
  if (version === 0) await checkServer(tx);
  if (version > migrations.length) {
    throw new SchemaError(
      `The database is at schema ${version}, made by a newer Brickmark than this one ` +
        `(schema ${migrations.length}); upgrade Brickmark.`,
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    await tx.script(sql);
    await tx.script(
      `CREATE TABLE IF NOT EXISTS published.migration
           (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
         INSERT INTO published.migration (version) VALUES (${index + 1})`,
    );
  }
}

/** What cannot be changed later is looked at before the first table is made. */
async function checkServer(tx: Connection): Promise<void> {
  const [server] = await tx.query<{ encoding: string; version: number }>(
    `SELECT current_setting('server_encoding') AS encoding,
       current_setting('server_version_num')::integer AS version`,
  );
  if (server && server.version < oldestServer * 10_000) {
    throw new SchemaError(`Brickmark needs PostgreSQL ${oldestServer} or newer.`);
  }
  if (server?.encoding !== 'UTF8') {
    throw new SchemaError(
      `The database has the encoding ${server?.encoding}; make one with createdb --encoding UTF8.`,
    );
  }
}

/** How many migrations a database has gone through; 0 when it is empty. */
export async function findVersion(connection: Connection): Promise<number> {
  const [table] = await connection.query<{ there: boolean }>(
    "SELECT to_regclass('published.migration') IS NOT NULL AS there",
  );
  if (!table?.there) return 0;
  const [row] = await connection.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM published.migration',
  );
  return row?.version ?? 0;
}
