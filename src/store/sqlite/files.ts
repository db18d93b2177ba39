/** The files of the embedded store: their names, copies of them, and getting them onto the disk. */
import { Database } from 'bun:sqlite';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { patienceMs } from './database.ts';

/**
 * The databases, in the order in which they are copied. What accounts hold refers to the catalog,
 * and nothing leaves the catalog: a market that is copied later knows all that accounts refer to.
 */
export const fileNames = ['accounts.db', 'market.db'] as const;

/** One of the databases. */
export type FileName = (typeof fileNames)[number];

/** What SQLite may put beside a database. With another database beside it, it would ruin it. */
export const sideSuffixes = ['-wal', '-shm', '-journal'] as const;

/** Copying and verifying go through whole files. */
const cacheKb = 32_000;

/**
 * Copies a database as it is at one instant, without holding up those who write to it. The copy is
 * one file, without what was deleted, for its owner alone; it is not on the disk yet.
 */
export function copyDatabase(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600));
  const db = openExisting(from);
  try {
    db.query('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/** Opens a database as it is: it is neither made nor brought up to date. */
export function openExisting(path: string): Database {
  const db = new Database(path, { readwrite: true, create: false });
  db.run(`PRAGMA busy_timeout = ${patienceMs}`);
  db.run(`PRAGMA cache_size = -${cacheKb}`);
  return db;
}

/** Waits until a file, or the names in a folder, would survive a power cut. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * A process that was killed leaves its unfinished folder behind; the next one removes it. Such a
 * folder is named by a prefix, the process, a dash and something random.
 */
export function removeAbandoned(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1];
    if (pid && !isRunning(Number(pid))) removeIfOurs(join(folder, name));
  }
}

/** In a folder that everybody writes to, somebody else's may have such a name, and stays. */
function removeIfOurs(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (!['EPERM', 'EACCES'].includes(code)) throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
