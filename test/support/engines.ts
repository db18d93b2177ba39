/**
 * The engine for suites of the store and the API: SQLite, or the PostgreSQL server at
 * BRICKMARK_TEST_DATABASE_URL. `npm test` runs them on both.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { PostgresDatabases } from './postgres-databases.ts';

const postgresUrl = process.env.BRICKMARK_TEST_DATABASE_URL;
const databases = postgresUrl === undefined ? null : new PostgresDatabases(postgresUrl);

export const isPostgres: boolean = databases !== null;

/** The URL of the database that belongs to a folder; null on SQLite. */
export async function databaseOf(folder: string): Promise<string | null> {
  return databases?.of(folder) ?? null;
}

/** Opens the store that belongs to a folder; every call with that folder opens the same data. */
export async function openTestStore(folder: string): Promise<Store> {
  const url = await databaseOf(folder);
  if (url !== null) return openDatabase(url);
  if (!existsSync(join(folder, 'market.db'))) writeFiles(await emptyStore(), folder);
  return openSqliteStore(folder);
}

export type OpenStore = (folder: string) => Promise<Store>;

/**
 * Takes a snapshot of a folder's store, which must be closed. The result opens copies of it in new
 * folders.
 */
export async function keepStore(folder: string): Promise<OpenStore> {
  if (databases !== null) {
    const copy = databases.keep(folder);
    return async (to) => openDatabase(await copy(to));
  }
  const files = readFiles(folder);
  return async (to) => {
    writeFiles(files, to);
    return openSqliteStore(to);
  };
}

/** The database files by name. Their WAL files are removed when the store is closed. */
type StoreFiles = ReadonlyMap<string, Uint8Array>;

const fileNames = ['accounts.db', 'market.db'];

function readFiles(folder: string): StoreFiles {
  return new Map(fileNames.map((name) => [name, readFileSync(join(folder, name))]));
}

function writeFiles(files: StoreFiles, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}

let empty: Promise<StoreFiles> | null = null;

/** The files of an empty store, cached because copying is faster than creating a store. */
function emptyStore(): Promise<StoreFiles> {
  empty ??= makeEmptyStore();
  return empty;
}

async function makeEmptyStore(): Promise<StoreFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-empty-'));
  await openSqliteStore(folder).close();
  const files = readFiles(folder);
  rmSync(folder, { recursive: true });
  return files;
}

/**
 * Opens a PostgreSQL store as a command does. Two connections let two transactions overlap; more
 * would slow down every test, since all are opened at once.
 */
export function openDatabase(url: string): Promise<Store> {
  return openPostgresStore(url, {
    isServing: false,
    clock: null,
    replicaUrl: null,
    connections: 2,
  });
}

/** The engine in use, for suites with the engine in their titles. */
export const engines: readonly { readonly engine: string; open(folder: string): Promise<Store> }[] =
  [{ engine: isPostgres ? 'PostgreSQL' : 'SQLite', open: openTestStore }];
