/**
 * Every process that has the store open shares an operating-system lock on a file next to the
 * databases; a restore or a move takes it exclusively. The lock ends with its process and needs no
 * clock. It is a SQLite lock on an empty database.
 */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { isBusy, patienceMs } from './database.ts';

const lockName = 'store.lock';

export interface StoreHold {
  release(): void;
}

/** Takes the shared lock; waits while the store is being restored or moved. */
export function shareStore(folder: string): StoreHold {
  const hold = lock(folder, patienceMs, (db) => {
    db.run('BEGIN');
    db.query('SELECT count(*) FROM sqlite_schema').get();
  });
  if (!hold) throw new StoreBusyError('The store is being restored or moved.');
  return hold;
}

/** Takes the exclusive lock; null if others have the store open for longer than the timeout. */
export function seizeStore(folder: string, waitMs: number): StoreHold | null {
  return lock(folder, waitMs, (db) => db.run('BEGIN EXCLUSIVE'));
}

/** An open transaction keeps the lock. */
function lock(folder: string, waitMs: number, begin: (db: Database) => void): StoreHold | null {
  const db = new Database(join(folder, lockName), { create: true });
  try {
    db.run(`PRAGMA busy_timeout = ${waitMs}`);
    begin(db);
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
