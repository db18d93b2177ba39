/** Migrates a database. Any number of nodes may start at once. */
import {
  checkNewest,
  type Migrating,
  missingMigrations,
  newestVersion,
  OtherBuildError,
  SchemaError,
} from '../sql/schema-version.ts';
import { tables } from '../sql/tables.ts';
import type { Client, Connection } from './client.ts';
import { sqlState } from './pool.ts';
import { schema } from './schema.ts';

/** One entry per schema version. Append to it; never change a released entry. */
export const migrations: readonly string[] = [schema];

/** The advisory lock of migrations: other nodes wait, and find nothing to do. */
const migrationLock = 4_270_001;

/** The oldest version of PostgreSQL that is tested. */
const oldestServer = 15;

/** PostgreSQL's code for missing privileges. */
const insufficientPrivilege = '42501';

export async function migrate(
  client: Client,
  all: readonly string[] = migrations,
  { onlyReads = false, onMigrated }: Migrating = {},
): Promise<void> {
  const version = await findVersion(client);
  if (version === newestVersion(all)) return checkColumns(client);
  if (onlyReads) checkNewest('database', version, all);
  const from = await client
    .transaction((tx) => applyMissing(tx, all))
    .catch((error) => {
      if (sqlState(error) !== insufficientPrivilege) throw error;
      throw new SchemaError(
        'The database needs a newer schema, and this role may not change it; ' +
          "run 'brickmark migrate' with the role that owns the database.",
      );
    });
  const to = newestVersion(all);
  if (from !== to) onMigrated?.({ store: 'database', from, to });
}

/** Returns the version before. */
async function applyMissing(tx: Connection, all: readonly string[]): Promise<number> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  const version = await findVersion(tx);
  if (version === 0) await checkServer(tx);
  const missing = missingMigrations('database', version, all);
  const first = newestVersion(all) - missing.length + 1;
  for (const [index, sql] of missing.entries()) {
    await tx.script(sql);
    await tx.run('INSERT INTO published.migration (version) VALUES ($1)', [first + index]);
  }
  if (version > 0) await checkColumns(tx);
  return version;
}

/** Checks properties that cannot be changed later, before the first table is created. */
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
      `The database has encoding ${server?.encoding}. Create one with createdb --encoding UTF8.`,
    );
  }
}

/**
 * Throws unless our tables have exactly the columns that this build needs. Operators may add
 * indexes, and tables such as partitions.
 */
async function checkColumns(connection: Connection): Promise<void> {
  const rows = await connection.query<{ readonly table: string; readonly column: string }>(
    `SELECT relnamespace::regnamespace || '.' || relname AS table, attname AS column
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace::regnamespace::text IN ('published', 'source', 'private')
       AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
  );
  const found = Map.groupBy(rows, ({ table }) => table);
  for (const { target, columns } of Object.values(tables)) {
    const ours = new Set(columns.map(({ name }) => name));
    const theirs = new Set((found.get(target) ?? []).map(({ column }) => column));
    const [other] = ours.symmetricDifference(theirs);
    if (other === undefined) continue;
    const has = theirs.has(other) ? 'is not known here' : 'is missing';
    throw new OtherBuildError('database', `the column ${target}.${other} ${has}`);
  }
}

/** 0 if the database is empty. */
export async function findVersion(connection: Connection): Promise<number> {
  // Not to_regclass: inside a transaction, it can repeat a cached result from before the lock.
  const [table] = await connection.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'published' AND tablename = 'migration'",
  );
  if (!table) return 0;
  const [row] = await connection.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM published.migration',
  );
  return row?.version ?? 0;
}
