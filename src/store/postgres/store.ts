/** The store on PostgreSQL: one database that any number of machines share. */
import type { Store } from '../../domain/store.ts';
import type { Clock } from '../../domain/time.ts';
import { postgresAccounts } from './accounts.ts';
import { type Client, openClient } from './client.ts';
import { databaseClock } from './clock.ts';
import { postgresMarketIngest } from './market-ingest.ts';
import { postgresMarketPublishing } from './market-publishing.ts';
import { postgresMarketReading } from './market-reading.ts';
import { migrate } from './migrations.ts';
import { PublishStamp } from './publish-stamp.ts';
import { marketWriting } from './writing.ts';

/** How a store is opened. */
export interface PostgresOptions {
  /** A process that serves does not wait for others that write to the market. */
  readonly isServing: boolean;
  /** The real time, to shift the database's clock by; null: instants are taken as given. */
  readonly systemClock: Clock | null;
  /** Where documents, months and search are read from; null: where everything else is. */
  readonly replicaUrl: string | null;
  /** Connections at most, to each of the two. */
  readonly connections: number;
}

/** A request that waits longer for its data is not answered; a command may take its time. */
const servingStatementMs = 10_000;

/** Opens the store, bringing its schema up to date. */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  const settings = {
    max: options.connections,
    statementMs: options.isServing ? servingStatementMs : 0,
    name: options.isServing ? 'brickmark serve' : 'brickmark',
  };
  const client = openClient(url, settings);
  const replica = options.replicaUrl === null ? null : openClient(options.replicaUrl, settings);
  try {
    await migrate(client);
  } catch (error) {
    await client.close();
    throw error;
  }
  return joinStore({ client, replica }, options);
}

function joinStore(
  { client, replica }: { readonly client: Client; readonly replica: Client | null },
  options: PostgresOptions,
): Store {
  const clock = databaseClock(options.systemClock);
  const reader = replica ?? client;
  const stamp = new PublishStamp(reader);
  const lock = marketWriting(client, !options.isServing);
  const write: typeof lock = async (work) => {
    try {
      return await lock(work);
    } finally {
      stamp.forget();
    }
  };
  const close = async () => {
    await Promise.all([client.close(), replica?.close()]);
  };
  const market = {
    ...postgresMarketIngest(client, write),
    ...postgresMarketPublishing(client, write, clock),
    ...postgresMarketReading(reader, stamp),
    close,
  };
  return {
    market,
    accounts: { ...postgresAccounts(client, clock), close },
    rehearsal: async () => {
      const undoable = await client.undoable();
      return joinStore({ client: undoable, replica: null }, options);
    },
    close,
  };
}
