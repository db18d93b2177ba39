/** The files of the embedded store: names, copies and fsync. */
import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FileName } from '../sql/tables.ts';
import { patienceMs } from './database.ts';

/**
 * The databases, in the order of copying: accounts refer to items of the market, so the market is
 * copied later. Only an undone import removes items.
 */
export const fileNames = ['accounts.db', 'market.db'] as const satisfies readonly FileName[];

/** Files that SQLite creates next to a database. Next to another database they would corrupt it. */
export const sideSuffixes = ['-wal', '-shm', '-journal'] as const;

const cacheKb = 32_000;

/**
 * Copies a snapshot of a database without blocking writers. The copy is one compact file that only
 * its owner can read; it is not synced yet.
 */
export function copyDatabase(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  withExisting(from, (db) => db.query('VACUUM INTO ?').run(to));
}

/** Runs `work` on an existing database, and closes it. */
export function withExisting<T>(path: string, work: (db: Database) => T): T {
  const db = openExisting(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

export function hasRows(db: Database, table: string): boolean {
  return db.query(`SELECT 1 FROM ${table} LIMIT 1`).get() !== null;
}

/** Opens an existing database without migrating it. */
export function openExisting(path: string): Database {
  const db = new Database(path, { readwrite: true, create: false });
  db.run(`PRAGMA busy_timeout = ${patienceMs}`);
  db.run(`PRAGMA cache_size = -${cacheKb}`);
  return db;
}

/** fsync of a file or a folder. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Removes temporary folders of processes that were killed. Their names consist of a prefix, the
 * process id, a dash and a random part.
 */
export function removeAbandoned(
  folder: string,
  prefix: string,
  remove: (path: string) => void = removeFolder,
): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1];
    if (pid && !isRunning(Number(pid))) removeIfOurs(join(folder, name), remove);
  }
}

export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** In a shared folder, others may have folders with such names; these stay. */
export function removeIfOurs(path: string, remove: (path: string) => void): void {
  try {
    remove(path);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!['EPERM', 'EACCES', 'EROFS'].includes(code)) throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
