/**
 * The engine that the store and API suites run on: SQLite, or the PostgreSQL whose address is in
 * BRICKMARK_TEST_DATABASE_URL. `npm test` runs them on both.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/store.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { PostgresDatabases } from './postgres-databases.ts';

const postgresUrl = process.env.BRICKMARK_TEST_DATABASE_URL;
const databases = postgresUrl === undefined ? null : new PostgresDatabases(postgresUrl);

/** Whether the suites run on PostgreSQL. */
export const isPostgres: boolean = databases !== null;

/** The address of the database that belongs to a folder; null on SQLite. */
export async function databaseOf(folder: string): Promise<string | null> {
  return databases?.of(folder) ?? null;
}

/** Opens the store that belongs to a folder; opened again, it is the same one. */
export async function openTestStore(folder: string): Promise<Store> {
  const url = await databaseOf(folder);
  if (url !== null) return openDatabase(url);
  if (!existsSync(join(folder, 'market.db'))) writeFiles(await emptyStore(), folder);
  return openSqliteStore(folder);
}

/** Opens a store in a new folder. */
export type OpenStore = (folder: string) => Promise<Store>;

/**
 * Keeps what the store of a folder holds, which must be closed: the result opens a copy of it in
 * a new folder, any number of times.
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

/** The files of an embedded store, by name. Those beside them go when the store is closed. */
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

/** The files of a store with nothing in it: written, they are there faster than made anew. */
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
 * Opens the store in a database of PostgreSQL, as a command does. Two connections are what two
 * transactions need to overlap; each more costs every test, for all are opened at once.
 */
export function openDatabase(url: string): Promise<Store> {
  return openPostgresStore(url, {
    isServing: false,
    clock: null,
    replicaUrl: null,
    connections: 2,
  });
}

/** The engine at hand, for suites that say in their titles what they ran on. */
export const engines: readonly { readonly engine: string; open(folder: string): Promise<Store> }[] =
  [{ engine: isPostgres ? 'PostgreSQL' : 'SQLite', open: openTestStore }];
