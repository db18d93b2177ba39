/**
 * Who has the store open. Every process that does shares a lock of the operating system on a file
 * beside the databases; a restore or a move wants it for itself. The lock ends with its process,
 * however that ends, and asks no clock. SQLite does the locking, on a database that stays empty.
 */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { StoreBusyError } from '../../domain/store.ts';
import { patienceMs } from './database.ts';

const lockName = 'store.lock';

/** The store is kept open, or to oneself, until this is released. */
export interface StoreHold {
  release(): void;
}

/** Shares the store with others that have it open; waits while it is being restored or moved. */
export function shareStore(folder: string): StoreHold {
  const hold = lock(folder, patienceMs, (db) => {
    db.run('BEGIN');
    db.query('SELECT count(*) FROM sqlite_schema').get();
  });
  if (!hold) throw new StoreBusyError('The store is being restored or moved.');
  return hold;
}

/** Takes the store for this process alone; null when others have it open for longer than a time. */
export function seizeStore(folder: string, waitMs: number): StoreHold | null {
  return lock(folder, waitMs, (db) => db.run('BEGIN EXCLUSIVE'));
}

/** A transaction that stays open, and with it the lock. */
function lock(folder: string, waitMs: number, begin: (db: Database) => void): StoreHold | null {
  const db = new Database(join(folder, lockName), { create: true });
  try {
    db.run(`PRAGMA busy_timeout = ${waitMs}`);
    begin(db);
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}
