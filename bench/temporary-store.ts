/** A new store for a benchmark: SQLite, or with `--postgres` a temporary PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../src/store/postgres/store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import type { Store } from '../src/store/store.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';

export interface TemporaryStore {
  readonly store: Store;
  /** The folder of the embedded store. */
  readonly folder: string;
  /** Null for SQLite. Its database is `bench`. */
  readonly postgres: PostgresServer | null;
  close(): Promise<void>;
}

export async function openTemporaryStore(): Promise<TemporaryStore> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-bench-'));
  const postgres = process.argv.includes('--postgres') ? await PostgresServer.launch() : null;
  const store = postgres ? await openOn(postgres) : openSqliteStore(folder);
  return {
    store,
    folder,
    postgres,
    close: async () => {
      await store.close();
      await postgres?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openOn(postgres: PostgresServer): Promise<Store> {
  await postgres.query('CREATE DATABASE bench');
  return openPostgresStore(postgres.url('bench'), {
    isServing: false,
    clock: null,
    replicaUrl: null,
    connections: 4,
  });
}
