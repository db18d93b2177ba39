/** The store on PostgreSQL: one database that any number of machines share. */
import type { Store } from '../../domain/store.ts';
import { postgresAccounts } from './accounts.ts';
import { type Client, openClient } from './client.ts';
import { databaseClock } from './clock.ts';
import { postgresMarketIngest } from './market-ingest.ts';
import { postgresMarketPublishing } from './market-publishing.ts';
import { postgresMarketReading } from './market-reading.ts';
import { findVersion, migrate } from './migrations.ts';
import { PublishStamp } from './publish-stamp.ts';
import { ReplicaReader } from './replica.ts';
import { marketWriting } from './writing.ts';

/** How a store is opened. */
export interface PostgresOptions {
  /** A process that serves does not wait for others that write to the market. */
  readonly isServing: boolean;
  /** How far the database's clock is moved ahead; null: instants are taken as given. */
  readonly clockShiftMs: number | null;
  /** Where documents, months and search are read from; null: where everything else is. */
  readonly replicaUrl: string | null;
  /** Connections at most, to each of the two. */
  readonly connections: number;
}

/** A request that waits longer for its data is not answered; a command may take its time. */
const servingStatementMs = 5_000;

/** Whether a database holds a store. */
export async function hasPostgresStore(url: string): Promise<boolean> {
  const client = openClient(url, { max: 1, statementMs: servingStatementMs, name: 'brickmark' });
  try {
    return (await findVersion(client)) > 0;
  } finally {
    await client.close();
  }
}

/** Opens the store, bringing its schema up to date. */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  const settings = {
    max: options.connections,
    statementMs: options.isServing ? servingStatementMs : 0,
    name: options.isServing ? 'brickmark serve' : 'brickmark',
  };
  await bringUpToDate(url);
  const client = openClient(url, settings);
  const replica = options.replicaUrl === null ? null : openClient(options.replicaUrl, settings);
  return joinStore({ client, replica }, options);
}

/** Migrating may take longer than a statement of a server may, and waits for other nodes. */
async function bringUpToDate(url: string): Promise<void> {
  const client = openClient(url, { max: 1, statementMs: 0, name: 'brickmark migrate' });
  try {
    await migrate(client);
  } finally {
    await client.close();
  }
}

function joinStore(
  { client, replica }: { readonly client: Client; readonly replica: Client | null },
  options: PostgresOptions,
): Store {
  const clock = databaseClock(options.clockShiftMs);
  const reader = replica ? new ReplicaReader(replica, client, () => stamp.latest) : client;
  const stamp: PublishStamp = new PublishStamp(reader);
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
    mayPublish: async () => {
      const [role] = await client.query<{ may: boolean }>(
        "SELECT has_schema_privilege('source', 'USAGE') AS may",
      );
      return role?.may === true;
    },
    rehearsal: async () => {
      const undoable = await client.undoable();
      return joinStore({ client: undoable, replica: null }, options);
    },
    close,
  };
}
