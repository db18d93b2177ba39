/** The embedded store as the source of a move: locked for this process, migrated, and read-only. */
import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { secondMs } from '../../kernel/time.ts';
import type { MigrationStep } from '../sql/migrations.ts';
import type { FileName, Table } from '../sql/tables.ts';
import { openDatabase } from '../sqlite/database.ts';
import { seizeStore } from '../sqlite/lock.ts';
import { finishRestore, isRestorePending } from '../sqlite/pending-restore.ts';
import { accountMigrations, marketMigrations } from '../sqlite/schema.ts';
import { MoveError } from './move-error.ts';

/** Timeout for commands that are about to end. */
const waitMs = secondMs;

/** Both databases, opened exclusively. */
export class Source {
  private readonly databases: Readonly<Record<FileName, Database>>;

  constructor(
    folder: string,
    private readonly onClosed: () => void,
  ) {
    this.databases = {
      'market.db': openToRead(join(folder, 'market.db'), marketMigrations),
      'accounts.db': openToRead(join(folder, 'accounts.db'), accountMigrations),
    };
  }

  count({ file, name }: Table): number {
    const sql = `SELECT count(*) AS count FROM ${name}`;
    return this.databases[file].query<{ count: number }, []>(sql).get()?.count ?? 0;
  }

  /** The rows of a table in order of its key. */
  rows(table: Table, columns: string): IterableIterator<unknown> {
    const sql = `SELECT ${columns} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
    return this.databases[table.file].prepare(sql).iterate();
  }

  /** The highest id a table ever assigned; 0 if none. */
  highestId({ file, name }: Table): number {
    const db = this.databases[file];
    const max = db.query<{ id: number | null }, []>(`SELECT max(id) AS id FROM ${name}`).get();
    const given = db
      .query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?')
      .get(name);
    return Math.max(max?.id ?? 0, given?.seq ?? 0);
  }

  /** Also releases the exclusive lock. */
  close(): void {
    for (const db of Object.values(this.databases)) db.close();
    this.onClosed();
  }
}

/** Locks the store exclusively, and finishes an interrupted restore. */
export function openSource(folder: string): Source {
  if (!existsSync(join(folder, 'market.db')) && !isRestorePending(folder)) {
    throw new MoveError(`No store in '${folder}'. Check --data.`);
  }
  const alone = seizeStore(folder, waitMs);
  if (!alone) {
    throw new MoveError(
      `The store in '${folder}' is in use. Stop the server, let imports finish, and move again.`,
    );
  }
  try {
    if (isRestorePending(folder)) finishRestore(folder);
    return new Source(folder, alone.release);
  } catch (error) {
    alone.release();
    throw error;
  }
}

/** Opens a file read-only on one snapshot, so that it can still be used after the move. */
function openToRead(path: string, migrations: readonly MigrationStep[]): Database {
  const db = openDatabase(path, { durability: 'power', migrations, onlyReads: true });
  db.run('PRAGMA query_only = ON');
  db.run('BEGIN');
  return db;
}
