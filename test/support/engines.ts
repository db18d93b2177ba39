/**
 * The engine that the store and API suites run on: SQLite, or the PostgreSQL whose address is in
 * BRICKMARK_TEST_DATABASE_URL. `npm test` runs them on both.
 */
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
  return url === null ? openSqliteStore(folder) : openDatabase(url);
}

/** Opens the store in a database of PostgreSQL, as a command does. */
export function openDatabase(url: string): Promise<Store> {
  return openPostgresStore(url, {
    isServing: false,
    clock: null,
    replicaUrl: null,
    connections: 4,
  });
}

/** The engine at hand, for suites that say in their titles what they ran on. */
export const engines: readonly { readonly engine: string; open(folder: string): Promise<Store> }[] =
  [{ engine: isPostgres ? 'PostgreSQL' : 'SQLite', open: openTestStore }];
