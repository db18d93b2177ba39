/** The embedded store: two SQLite files in one folder. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { marketInterest } from '../../catalog/interest/interest.store.ts';
import { minifigStore } from '../../ingest/catalog/minifigs.store.ts';
import { marketJournal } from '../../ingest/runner/journal.store.ts';
import { marketIngest } from '../../ingest/runner/market-ingest.store.ts';
import { bulkReading } from '../../publish/bulk/bulk.store.ts';
import { marketPublishing } from '../../publish/publishing.store.ts';
import { marketReading } from '../../publish/reading.store.ts';
import { marketPlanning } from '../../sync/planning.store.ts';
import { marketSync } from '../../sync/sync.store.ts';
import { withAllNumbers } from '../sold-numbers.ts';
import { givenClock } from '../sql/clock.ts';
import type { Migrating } from '../sql/schema-version.ts';
import type { MarketStore, Store } from '../store.ts';
import { openSqliteAccounts } from './accounts.ts';
import { openDatabase } from './database.ts';
import { sqliteEngine } from './engine.ts';
import { copyDatabase, fileNames, removeAbandoned, removeFolder } from './files.ts';
import { watchOpenFiles } from './open-files.ts';
import { holdStore } from './pending-restore.ts';
import { stampReader } from './publish-stamp.ts';
import { marketMigrations } from './schema.ts';

/**
 * Opens the store in a folder, which is created if necessary. Servers do not wait for other
 * writers, because that would block their callers (`waits`).
 */
export function openSqliteStore(
  folder: string,
  { waits, ...migrating }: { readonly waits: boolean } & Migrating = { waits: true },
): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const hold = holdStore(folder);
  try {
    return openFiles(folder, { waits, migrating }, hold.release);
  } catch (error) {
    hold.release();
    throw error;
  }
}

interface FileOptions {
  readonly waits: boolean;
  readonly migrating: Migrating;
}

function openFiles(folder: string, options: FileOptions, onClosed: () => void): Store {
  const { market, sync } = openSqliteMarket(join(folder, 'market.db'), options);
  const accounts = openSqliteAccounts(join(folder, 'accounts.db'), {
    ...options,
    checkFiles: () => checkFiles(),
  });
  const checkFiles = watchOpenFiles(folder);
  return {
    market,
    accounts: withAllNumbers(accounts, market),
    sync,
    mayPublish: async () => true,
    isReplicaUsed: () => null,
    rehearsal: async () => openCopy(folder),
    close: async () => {
      await market.close();
      await accounts.close();
      onClosed();
    },
  };
}

/** Imports write to the whole file, so a large cache saves writes. Small stores use less. */
const importCacheKb = 128_000;

/** Servers keep what they read in their own caches: a large one here would hold it twice. */
const servingCacheKb = 8_000;

/** Reads have their own connection: writers do not block it, and it is told of their writes. */
function openSqliteMarket(
  path: string,
  { waits, migrating }: FileOptions,
): { readonly market: MarketStore; readonly sync: Store['sync'] } {
  const options = { ...migrating, durability: 'process', migrations: marketMigrations } as const;
  const cacheKb = waits ? { cacheKb: importCacheKb } : {};
  const writer = openDatabase(path, { ...options, ...cacheKb, waits });
  const reader = openDatabase(path, waits ? options : { ...options, cacheKb: servingCacheKb });
  const engine = sqliteEngine(writer);
  const readInputs = engine.snapshot;
  const market: MarketStore = {
    ...marketIngest(engine, engine),
    ...minifigStore(engine, engine),
    ...marketPublishing({
      engine,
      writing: engine,
      readInputs,
      clock: givenClock,
      releaseMemory: () => writer.run('PRAGMA shrink_memory'),
    }),
    ...marketReading(sqliteEngine(reader)),
    ...bulkReading(sqliteEngine(reader)),
    ...marketInterest(engine),
    ...marketJournal(engine),
    publishStamp: stampReader(reader),
    close: async () => {
      reader.close();
      writer.close();
    },
  };
  return { market, sync: { ...marketSync(engine, givenClock), ...marketPlanning(engine) } };
}

const rehearsalPrefix = 'rehearsal-';

/** A consistent copy next to the original, deleted when it is closed. */
function openCopy(folder: string): Store {
  removeAbandoned(folder, rehearsalPrefix);
  const copy = mkdtempSync(join(folder, `${rehearsalPrefix}${process.pid}-`));
  const remove = () => removeFolder(copy);
  try {
    for (const name of fileNames) copyDatabase(join(folder, name), join(copy, name));
    const store = openSqliteStore(copy);
    return {
      ...store,
      close: async () => {
        await store.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
