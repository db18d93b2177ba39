/** The embedded store: two SQLite files in one folder. */
import { Database } from 'bun:sqlite';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketStore } from '../../domain/market-store.ts';
import type { Store } from '../../domain/store.ts';
import { openSqliteAccounts } from './accounts.ts';
import { openDatabase } from './database.ts';
import { sqliteMarketIngest } from './market-ingest.ts';
import { sqliteMarketPublishing } from './market-publishing.ts';
import { sqliteMarketReading } from './market-reading.ts';
import { marketMigrations } from './market-schema.ts';

const fileNames = ['market.db', 'accounts.db'] as const;

/**
 * Opens the store in a folder, which is made when it is not there. A process that serves does not
 * wait for others that write to the market: it would keep its callers waiting.
 */
export function openSqliteStore(
  folder: string,
  options: { readonly waitsForMarket: boolean } = { waitsForMarket: true },
): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const market = openSqliteMarket(join(folder, 'market.db'), options.waitsForMarket);
  const accounts = openSqliteAccounts(join(folder, 'accounts.db'));
  return {
    market,
    accounts,
    rehearsal: async () => openCopy(folder),
    close: () => {
      market.close();
      accounts.close();
    },
  };
}

/**
 * Opens `market.db`. Reading has a connection of its own: writers do not hold it up, and SQLite
 * tells it when anyone, this process included, has written.
 */
function openSqliteMarket(path: string, waits: boolean): MarketStore {
  const options = { durability: 'process', migrations: marketMigrations } as const;
  const writer = openDatabase(path, { ...options, waits });
  const reader = openDatabase(path, options);
  return {
    ...sqliteMarketIngest(writer),
    ...sqliteMarketPublishing(writer),
    ...sqliteMarketReading(reader),
    close: () => {
      reader.close();
      writer.close();
    },
  };
}

/** A consistent copy beside the original, deleted when it is closed. */
function openCopy(folder: string): Store {
  const copy = mkdtempSync(join(folder, 'rehearsal-'));
  for (const name of fileNames) {
    const db = new Database(join(folder, name), { readonly: true });
    db.query('VACUUM INTO ?').run(join(copy, name));
    db.close();
  }
  const store = openSqliteStore(copy);
  return {
    ...store,
    close: () => {
      store.close();
      rmSync(copy, { recursive: true, force: true });
    },
  };
}
