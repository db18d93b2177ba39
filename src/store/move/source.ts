/** The embedded store as a move reads it: for itself, up to date, and without writing to it. */
import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { secondMs } from '../../domain/kernel/time.ts';
import type { Table } from '../sql/tables.ts';
import { accountMigrations } from '../sqlite/accounts-schema.ts';
import { openDatabase } from '../sqlite/database.ts';
import type { FileName } from '../sqlite/files.ts';
import { seizeStore } from '../sqlite/lock.ts';
import { marketMigrations } from '../sqlite/market-schema.ts';
import { finishRestore, isRestorePending } from '../sqlite/pending-restore.ts';
import { MoveError } from './move-error.ts';

/** How long a move waits for commands that are just ending. */
const waitMs = secondMs;

/** Both databases, which nobody else has open. */
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

  /** How many rows a table has. */
  count({ file, name }: Table): number {
    const sql = `SELECT count(*) AS count FROM ${name}`;
    return this.databases[file].query<{ count: number }, []>(sql).get()?.count ?? 0;
  }

  /** The rows of a table in the order of its key, one at a time. */
  rows(table: Table, columns: string): IterableIterator<unknown> {
    const sql = `SELECT ${columns} FROM ${table.name} ORDER BY ${table.key.join(', ')}`;
    return this.databases[table.file].prepare(sql).iterate();
  }

  /** The highest id that a table ever gave; 0 when it gave none. */
  highestId({ file, name }: Table): number {
    const db = this.databases[file];
    const max = db.query<{ id: number | null }, []>(`SELECT max(id) AS id FROM ${name}`).get();
    const given = db
      .query<{ seq: number }, [string]>('SELECT seq FROM sqlite_sequence WHERE name = ?')
      .get(name);
    return Math.max(max?.id ?? 0, given?.seq ?? 0);
  }

  /** Lets others have the store again. */
  close(): void {
    for (const db of Object.values(this.databases)) db.close();
    this.onClosed();
  }
}

/** Takes the store for this process alone, finishing a restore that was interrupted. */
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

/** One snapshot of a file. Whoever goes back to the embedded store finds it as it was. */
function openToRead(path: string, migrations: readonly string[]): Database {
  const db = openDatabase(path, { durability: 'power', migrations });
  db.run('PRAGMA query_only = ON');
  db.run('BEGIN');
  return db;
}
