/** Migrates a database. Any number of nodes may start at once. */
import { minuteMs } from '../../kernel/time.ts';
import {
  type Fill,
  fillStatements,
  laterMigrations,
  type MigrationStep,
} from '../sql/migrations.ts';
import {
  changedSchema,
  checkNewest,
  checkVersion,
  firstVersion,
  type Migrating,
  missingMigrations,
  newestVersion,
  SchemaError,
} from '../sql/schema-version.ts';
import { tablesAt } from '../sql/tables.ts';
import type { Client, Connection } from './client.ts';
import { sqlState } from './pool.ts';
import { retried } from './retried.ts';
import { schema } from './schema.ts';

/** One step for each schema version. */
export const migrations: readonly MigrationStep[] = [
  schema,
  ...laterMigrations.map((each) =>
    'fill' in each ? each.fill : [...Object.values(each.sql ?? {}), each.postgres].join(';\n'),
  ),
];

/** The advisory lock of migrations: other nodes wait, and find nothing to do. */
const migrationLock = 4_270_001;

/** The oldest version of PostgreSQL that is tested. */
const oldestServer = 15;

/** PostgreSQL's code for missing privileges. */
const insufficientPrivilege = '42501';
/** A lock that was not granted in time, and a deadlock. */
const tableIsInUse: ReadonlySet<string | null> = new Set(['55P03', '40P01']);

/**
 * How long a migration waits for a table, and then lets others use it. An automatic
 * vacuum gives way to a statement that has waited for a second.
 */
const tableLockMs = 2_000;
const tablePauseMs = 1_000;
const tableWaitMs = 10 * minuteMs;

const needsOwner =
  'The database needs a newer schema, and this role may not change it; ' +
  "run 'brickmark migrate' with the role that owns the database.";

const busyTable =
  'A long transaction uses a table that the migration changes. End it (pg_stat_activity lists ' +
  "transactions), then run 'brickmark migrate' again.";

/**
 * Applies missing versions, each in one transaction, but for fills. A statement of a migration
 * waits only briefly for a table that others use: whatever comes after it waits, too.
 */
export async function migrate(
  client: Client,
  all: readonly MigrationStep[] = migrations,
  { onlyReads = false, acceptsNewer = false, onMigrated, onFilled = () => {} }: Migrating = {},
): Promise<void> {
  const to = newestVersion(all);
  const from = await client.snapshot(async (tx) => {
    const version = await findVersion(tx);
    if (acceptsNewer && version > to) return to;
    if (onlyReads) checkNewest('database', version, all);
    if (version > 0) checkVersion('database', version, all);
    if (version > 0) await checkColumns(tx, version);
    return version;
  });
  const steps = { from, all, onFilled };
  const isOurs = await applyMissing(client, steps).catch((error) => {
    throw sqlState(error) === insufficientPrivilege ? new SchemaError(needsOwner) : error;
  });
  if (isOurs) onMigrated?.({ store: 'database', from, to });
}

/** Returns whether this node, not only others, did so. */
async function applyMissing(
  client: Client,
  {
    from,
    all,
    onFilled,
  }: { from: number; all: readonly MigrationStep[]; onFilled: (rows: number) => void },
): Promise<boolean> {
  let isOurs = false;
  for (let at = from; at !== newestVersion(all); at = await findVersion(client)) {
    const [step = ''] = missingMigrations('database', at, all);
    if (typeof step === 'object') await fillColumns(client, at, { fill: step, onFilled });
    isOurs = (await advance(client, at, typeof step === 'string' ? step : '')) || isOurs;
  }
  return isOurs;
}

/** Moves the schema on from a version; false if another node has done so. */
async function advance(client: Client, from: number, script: string): Promise<boolean> {
  const until = performance.now() + tableWaitMs;
  for (;;) {
    try {
      return await client.transaction((tx) => applyScript(tx, from, script));
    } catch (error) {
      if (!tableIsInUse.has(sqlState(error))) throw error;
      if (performance.now() > until) throw new SchemaError(busyTable);
      await Bun.sleep(tablePauseMs);
    }
  }
}

async function applyScript(tx: Connection, from: number, script: string): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  if ((await findVersion(tx)) !== from) return false;
  if (from === 0) await checkServer(tx);
  await tx.run(`SET LOCAL lock_timeout = ${tableLockMs}`);
  if (script !== '') await tx.script(script);
  const version = from === 0 ? firstVersion : from + 1;
  await tx.run('INSERT INTO published.migration (version) VALUES ($1)', [version]);
  return true;
}

/** Stops if another node has filled them, and moved the schema on from the version. */
async function fillColumns(
  client: Client,
  version: number,
  { fill, onFilled }: { readonly fill: Fill; onFilled(rows: number): void },
): Promise<void> {
  const statements = fillStatements(fill);
  let rows = 0;
  const fillSlice = async (tx: Connection, after: number): Promise<number | null> => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const last = await findPlace(tx, statements.last, [after]);
    if (last === null || (await findVersion(tx)) !== version) return null;
    rows += await tx.run(statements.change, [after, last]);
    return last;
  };
  const nextSlice = (after: number) =>
    retried(() => client.transaction((tx) => fillSlice(tx, after)));
  let after = await findPlace(client, statements.start);
  while (after !== null) {
    after = await nextSlice(after);
    onFilled(rows);
  }
}

async function findPlace(
  connection: Connection,
  sql: string,
  values: readonly number[] = [],
): Promise<number | null> {
  const [row] = await connection.query<{ place: number | null }>(sql, values);
  return row?.place ?? null;
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
 * Throws unless our tables have exactly the columns of a version. Operators may add indexes, and
 * tables such as partitions.
 */
async function checkColumns(connection: Connection, version: number): Promise<void> {
  const rows = await connection.query<{ readonly table: string; readonly column: string }>(
    `SELECT relnamespace::regnamespace || '.' || relname AS table, attname AS column
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace::regnamespace::text IN ('published', 'source', 'private')
       AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped`,
  );
  const found = Map.groupBy(rows, ({ table }) => table);
  for (const { target, columns } of tablesAt(version)) {
    const ours = new Set(columns.map(({ name }) => name));
    const theirs = new Set((found.get(target) ?? []).map(({ column }) => column));
    const [other] = ours.symmetricDifference(theirs);
    if (other === undefined) continue;
    const has = theirs.has(other) ? 'is not known here' : 'is missing';
    throw changedSchema('database', `the column ${target}.${other} ${has}`);
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
