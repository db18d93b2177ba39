/** The store on PostgreSQL: one database that any number of machines share. */
import { storeMsMax } from '../../contract/limits.ts';
import type { Clock } from '../../domain/kernel/time.ts';
import type { MarketPublishing } from '../../domain/market/market-store.ts';
import type { Store } from '../../domain/store.ts';
import { bulkReading } from '../market/bulk.ts';
import { marketInterest } from '../market/interest.ts';
import { marketJournal } from '../market/journal.ts';
import { marketIngest } from '../market/market-ingest.ts';
import { minifigStore } from '../market/minifigs.ts';
import { marketPlanning } from '../market/planning.ts';
import { marketPublishing } from '../market/publishing.ts';
import { marketReading } from '../market/reading.ts';
import { marketSync } from '../market/sync.ts';
import { compareClocks, databaseClock, givenClock } from '../sql/clock.ts';
import { postgresAccounts } from './accounts.ts';
import { admissionMsMax } from './admission.ts';
import { type Client, graceMs, openClient } from './client.ts';
import { postgresEngine, postgresReading } from './engine.ts';
import { findVersion, migrate } from './migrations.ts';
import type { PoolOptions } from './pool.ts';
import { PublishStamp } from './publish-stamp.ts';
import { findPublishedSets } from './published-sets.ts';
import { readReplica } from './replica.ts';
import { marketEngine, marketWriting } from './writing.ts';

/** How a store is opened. */
export interface PostgresOptions {
  /** A process that serves does not wait for others that write to the market. */
  readonly isServing: boolean;
  /** The clock of this process, and how far it is ahead; null: instants are taken as given. */
  readonly clock: { readonly now: Clock; readonly shiftMs: number } | null;
  /** Where documents, months and search are read from; null: where everything else is. */
  readonly replicaUrl: string | null;
  /** Connections at most, to each of the two. */
  readonly connections: number;
  /** Told when the replica is no longer read from, and why; and (null) when it is again. */
  onReplica?(reason: string | null): void;
}

/** A request that waits longer for its data is not answered; a command may take its time. */
const servingStatementMs = storeMsMax - graceMs;

/** How a store connects, by what connections are for; null: as for everything else. */
export function connectionSettings({
  isServing,
  connections: max,
}: Pick<PostgresOptions, 'isServing' | 'connections'>): ConnectionSettings {
  if (!isServing) {
    const all = { max, name: 'brickmark', statementMs: 0 };
    return { all, publishing: null, admission: null };
  }
  const name = 'brickmark serve';
  return {
    all: { max, name, statementMs: servingStatementMs },
    // Publishing beside requests goes through many rows now and then.
    publishing: { max: 2, name: 'brickmark publish', statementMs: 600_000 },
    // Keys and quota wait for nothing else: one group is under way at a time.
    admission: { max: 1, name, statementMs: admissionMsMax - graceMs },
  };
}

/** See `connectionSettings`. */
interface ConnectionSettings {
  readonly all: PoolOptions;
  readonly publishing: PoolOptions | null;
  readonly admission: PoolOptions | null;
}

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
  await bringUpToDate(url);
  const { replicaUrl, clock } = options;
  const { all, publishing, admission } = connectionSettings(options);
  const client = openClient(url, all);
  const clients: Clients = {
    client,
    replica: replicaUrl === null ? null : openClient(replicaUrl, all),
    publishing: publishing ? openClient(url, publishing) : client,
    admission: admission ? openClient(url, admission) : client,
  };
  try {
    if (clock) await checkClock(client, clock);
  } catch (error) {
    await closeAll(clients);
    throw error;
  }
  return joinStore(clients, options);
}

/** The connections of a store, by what they are for. */
interface Clients {
  /** Accounts and private data; everything else that has no other. */
  readonly client: Client;
  /** Whose key it is, and what it may spend. */
  readonly admission: Client;
  readonly replica: Client | null;
  readonly publishing: Client;
}

async function closeAll({ client, replica, publishing, admission }: Clients): Promise<void> {
  // Where two are one, it is closed once.
  const all = new Set([client, replica, publishing, admission]);
  await Promise.all([...all].map((each) => each?.close()));
}

async function checkClock(
  client: Client,
  { now, shiftMs }: NonNullable<PostgresOptions['clock']>,
): Promise<void> {
  const [row] = await client.query<{ at: number }>(
    'SELECT published.instant(NULL, $1::bigint) AS at',
    [Math.round(shiftMs)],
  );
  if (row) compareClocks(now(), row.at);
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

type Shown = Pick<
  MarketPublishing,
  'countStale' | 'countDue' | 'findHistoryState' | 'listScores' | 'findEvidence'
>;

/** What pages and metrics show is not asked where publishing may take minutes. */
function shownOf(market: MarketPublishing): Shown {
  const { countStale, countDue, findHistoryState, listScores, findEvidence } = market;
  return { countStale, countDue, findHistoryState, listScores, findEvidence };
}

function joinStore(clients: Clients, options: PostgresOptions): Store {
  const { client, replica, publishing, admission } = clients;
  const clock = options.clock ? databaseClock(options.clock.shiftMs) : givenClock;
  const { reading, stamp } = replica
    ? readReplica(replica, client, (reason) => options.onReplica?.(reason))
    : { reading: null, stamp: new PublishStamp(client) };
  const writing = marketEngine(marketWriting(publishing, !options.isServing), () => stamp.forget());
  const ingest = marketIngest(postgresEngine(client), writing);
  const publishingOn = (on: Client) => {
    const engine = postgresEngine(on);
    return marketPublishing({ engine, writing, readInputs: engine.run, clock });
  };
  let isPublisher: Promise<boolean> | null = null;
  const mayPublish = () => {
    isPublisher ??= maySeeSources(client).catch((error) => {
      isPublisher = null;
      throw error;
    });
    return isPublisher;
  };
  const close = () => closeAll(clients);
  return {
    market: {
      ...ingest,
      ...minifigStore(postgresEngine(client), writing),
      findKnownSets: async (keys) =>
        (await mayPublish()) ? ingest.findKnownSets(keys) : findPublishedSets(client, keys),
      ...publishingOn(publishing),
      ...shownOf(publishingOn(client)),
      ...marketReading(postgresReading(reading ?? client)),
      ...bulkReading(postgresEngine(client)),
      ...marketInterest(postgresEngine(client)),
      ...marketJournal(postgresEngine(client)),
      publishStamp: () => stamp.get(),
      close,
    },
    accounts: { ...postgresAccounts(client, clock, admission), close },
    sync: {
      ...marketSync(postgresEngine(client), clock),
      ...marketPlanning(postgresEngine(client)),
    },
    mayPublish: () => maySeeSources(client),
    isReplicaUsed: () => reading?.isUsed ?? null,
    rehearsal: async () => {
      const undoable = await client.undoable();
      const all = { client: undoable, replica: null, publishing: undoable, admission: undoable };
      return joinStore(all, options);
    },
    close,
  };
}

/**
 * Whether this role sees the sources: one that only serves sees what is published. It is asked for
 * rather than tried, because a refusal would end the transaction of a rehearsal.
 */
async function maySeeSources(client: Client): Promise<boolean> {
  const [role] = await client.query<{ may: boolean }>(
    "SELECT has_schema_privilege('source', 'USAGE') AS may",
  );
  return role?.may === true;
}
