/** Opens one SQLite file: pragmas, migrations, and whole transactions without an `await` inside. */
import { constants, Database, type Statement } from 'bun:sqlite';
import { StoreBusyError } from '../../domain/store.ts';
import { missingMigrations, newestVersion } from '../sql/schema-version.ts';

/** How long a write waits for another process's transaction before it fails. */
export const patienceMs = 10_000;

const defaultCacheKb = 32_000;

/**
 * How safe a commit is. `process`: it survives a killed process, and a power cut may lose the last
 * moments; `power`: it survives both.
 */
export type Durability = 'process' | 'power';

/** Bun's own type leaves out the flags. */
type Prepare = (sql: string, values: readonly never[], flags: number) => Statement;

/** An open file, with the statements that were prepared on it. */
export class StoreFile extends Database {
  private readonly statements = new Map<string, Statement>();

  /** A statement, prepared once. */
  prepared(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const prepare = this.prepare as Prepare;
    // Of the memory that a connection has at hand, statements that stay would leave little.
    const statement = prepare.call(this, sql, [], constants.SQLITE_PREPARE_PERSISTENT);
    this.statements.set(sql, statement);
    return statement;
  }

  /** With statements left on it, SQLite would keep the file open, and its log beside it. */
  override close(): void {
    for (const statement of this.statements.values()) statement.finalize();
    super.close();
  }
}

/** Opens a file that is or becomes a database in WAL mode, brought up to date. */
export function openDatabase(
  path: string,
  options: {
    readonly durability: Durability;
    readonly migrations: readonly string[];
    /** False: a write fails at once with a `StoreBusyError` when another process is writing. */
    readonly waits?: boolean;
    /** How much of the file may be kept in memory. */
    readonly cacheKb?: number;
  },
): StoreFile {
  const db = new StoreFile(path, { create: true, strict: true });
  db.run(`PRAGMA busy_timeout = ${patienceMs}`);
  db.run('PRAGMA journal_mode = WAL');
  db.run(`PRAGMA synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'}`);
  db.run('PRAGMA foreign_keys = ON');
  db.run(`PRAGMA cache_size = -${options.cacheKb ?? defaultCacheKb}`);
  // A checkpoint waits for the disk: fewer of them, and each moves more.
  db.run('PRAGMA wal_autocheckpoint = 4000');
  migrate(db, options.migrations);
  if (options.waits === false) db.run('PRAGMA busy_timeout = 0');
  return db;
}

/** Runs `work` in one write transaction; a throw rolls everything back. */
export function inTransaction<T>(db: Database, work: () => T): T {
  return run(db, 'BEGIN IMMEDIATE', work);
}

/** Runs `work` on one snapshot. */
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
    // A full disk may have rolled back already; the first error is the one that matters.
    if (db.inTransaction) db.query('ROLLBACK').run();
    throw error;
  }
}

function start(db: Database, begin: string): void {
  try {
    db.query(begin).run();
  } catch (error) {
    const isBusy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY');
    throw isBusy ? new StoreBusyError('Another process is writing to the store.') : error;
  }
}

/** Applies the migrations that a file lacks. Several processes may start at once. */
function migrate(db: Database, migrations: readonly string[]): void {
  const newest = newestVersion(migrations);
  if (schemaVersion(db) === newest) return;
  inTransaction(db, () => {
    for (const sql of missingMigrations('store', schemaVersion(db), migrations)) db.run(sql);
    db.run(`PRAGMA user_version = ${newest}`);
  });
}

/** The schema version of a file; 0 when it is empty. */
export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0;
}
