/** Opens SQLite files with their pragmas and migrations, and runs transactions synchronously. */
import { constants, Database, type Statement } from 'bun:sqlite';
import { basename } from 'node:path';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Fill, fillStatements, type MigrationStep } from '../sql/migrations.ts';
import {
  changedSchema,
  checkNewest,
  checkVersion,
  firstVersion,
  type Migrating,
  missingMigrations,
  newestVersion,
} from '../sql/schema-version.ts';
import { toSqlite } from './dialect.ts';
import { findSchemaFault, schemaVersion } from './schema-check.ts';

/** Timeout for a write while another process writes. */
export const patienceMs = 10_000;

const defaultCacheKb = 32_000;

/** `process`: a commit survives a killed process; `power`: a power failure, too. */
export type Durability = 'process' | 'power';

/** Bun's type lacks the flags. */
type Prepare = (sql: string, values: readonly never[], flags: number) => Statement;

/** An open database with its prepared statements. */
export class StoreFile extends Database {
  private readonly statements = new Map<string, Statement>();

  prepared(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const prepare = this.prepare as Prepare;
    // Without this flag, statements that stay prepared would use up SQLite's lookaside memory.
    const statement = prepare.call(this, sql, [], constants.SQLITE_PREPARE_PERSISTENT);
    this.statements.set(sql, statement);
    return statement;
  }

  /** Finalizes the statements: otherwise SQLite would keep the file and its WAL open. */
  override close(): void {
    for (const statement of this.statements.values()) statement.finalize();
    super.close();
  }
}

/** Opens or creates a database in WAL mode, and migrates it. */
export function openDatabase(
  path: string,
  options: {
    readonly durability: Durability;
    readonly migrations: readonly MigrationStep[];
    /** If false, a write fails with a `StoreBusyError` while another process writes. */
    readonly waits?: boolean;
    /** Whether deleted content is overwritten, so that it leaves the file. */
    readonly erases?: boolean;
    /** The size of the page cache. */
    readonly cacheKb?: number;
  } & Migrating,
): StoreFile {
  const { onlyReads = false, acceptsNewer = false } = options;
  const db = new StoreFile(path, { create: !onlyReads, readwrite: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${patienceMs}`);
  useWal(db);
  db.run(`PRAGMA synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'}`);
  db.run('PRAGMA foreign_keys = ON');
  db.run(`PRAGMA cache_size = -${options.cacheKb ?? defaultCacheKb}`);
  db.run(`PRAGMA secure_delete = ${options.erases ? 'ON' : 'OFF'}`);
  // Fewer checkpoints, because each waits for the disk.
  db.run('PRAGMA wal_autocheckpoint = 4000');
  try {
    if (!(acceptsNewer && schemaVersion(db) > newestVersion(options.migrations))) {
      if (onlyReads) checkNewest('store', schemaVersion(db), options.migrations);
      checkSchema(db, options.migrations);
      migrate(db, basename(path), options);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  if (options.waits === false) db.run('PRAGMA busy_timeout = 0');
  return db;
}

/**
 * Writes the WAL to the file and empties it, so that deleted content leaves the WAL, too. Does less
 * if others use it right now.
 */
export function emptyWal(db: Database): void {
  db.query('PRAGMA wal_checkpoint(TRUNCATE)').all();
}

/** The pause between two attempts to change the journal mode. */
const walPauseMs = 10;

/** Waits while another process opens the file, which SQLite itself does not do here. */
function useWal(db: Database): void {
  for (let left = patienceMs / walPauseMs; ; left--) {
    try {
      db.run('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || left === 0) throw error;
      Bun.sleepSync(walPauseMs);
    }
  }
}

/** Runs `work` in a write transaction; a throw rolls it back. */
export function inTransaction<T>(db: Database, work: () => T): T {
  return run(db, 'BEGIN IMMEDIATE', work);
}

export function inSnapshot<T>(db: Database, work: () => T): T {
  return run(db, 'BEGIN', work);
}

function run<T>(db: Database, begin: string, work: () => T): T {
  start(db, begin);
  try {
    const result = work();
    db.query('COMMIT').run();
    return result;
  } catch (error) {
    // SQLite may have rolled back already, for example if the disk is full.
    if (db.inTransaction) db.query('ROLLBACK').run();
    throw error;
  }
}

function start(db: Database, begin: string): void {
  try {
    db.query(begin).run();
  } catch (error) {
    throw isBusy(error) ? new StoreBusyError('Another process is writing to the store.') : error;
  }
}

/** Whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true;
}

/** Several processes may migrate at once; each version is one transaction, but for fills. */
function migrate(
  db: Database,
  store: string,
  options: { readonly migrations: readonly MigrationStep[] } & Migrating,
): void {
  const { migrations, onMigrated, onFilled = () => {} } = options;
  const to = newestVersion(migrations);
  const from = schemaVersion(db);
  let isOurs = false;
  for (let at = from; at !== to; at = schemaVersion(db)) {
    const [step] = missingMigrations('store', at, migrations);
    if (typeof step === 'object') fillColumns(db, at, { fill: step, onFilled });
    isOurs = inTransaction(db, () => advance(db, at, step)) || isOurs;
  }
  if (isOurs) onMigrated?.({ store, from, to });
}

/** Moves the schema on from a version; false if another process has done so. */
function advance(db: Database, from: number, step: MigrationStep | undefined): boolean {
  if (schemaVersion(db) !== from) return false;
  if (typeof step === 'string' && step !== '') db.run(step);
  db.run(`PRAGMA user_version = ${from === 0 ? firstVersion : from + 1}`);
  return true;
}

/** Stops if another process has filled them, and moved the schema on from the version. */
function fillColumns(
  db: Database,
  version: number,
  { fill, onFilled }: { readonly fill: Fill; onFilled(rows: number): void },
): void {
  const statements = fillStatements(fill);
  const change = db.query(toSqlite(statements.change));
  let rows = 0;
  const fillSlice = (after: number): number | null => {
    const last = findPlace(db, statements.last, after);
    if (last === null || schemaVersion(db) !== version) return null;
    rows += change.run(after, last).changes;
    return last;
  };
  const nextSlice = (after: number) => inTransaction(db, () => fillSlice(after));
  let after = findPlace(db, statements.start);
  while (after !== null) {
    after = nextSlice(after);
    onFilled(rows);
  }
}

function findPlace(db: Database, sql: string, ...values: number[]): number | null {
  const found = db.query<{ place: number | null }, number[]>(toSqlite(sql)).get(...values);
  return found?.place ?? null;
}

/** Throws unless the schema is what its version must be. An empty file has none yet. */
function checkSchema(db: Database, migrations: readonly MigrationStep[]): void {
  inSnapshot(db, () => {
    const version = schemaVersion(db);
    checkVersion('store', version, migrations);
    if (version === 0) return;
    const fault = findSchemaFault(db, migrations);
    if (fault !== null) throw changedSchema('store', fault);
  });
}
