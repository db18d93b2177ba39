/** The store on PostgreSQL: one database shared by any number of machines. */

import { marketInterest } from '../../catalog/interest/interest.store.ts';
import { storeMsMax } from '../../contract/limits.ts';
import { minifigStore } from '../../ingest/catalog/minifigs.store.ts';
import { marketJournal } from '../../ingest/runner/journal.store.ts';
import { marketIngest } from '../../ingest/runner/market-ingest.store.ts';
import type { Clock } from '../../kernel/time.ts';
import { bulkReading } from '../../publish/bulk/bulk.store.ts';
import type { MarketPublishing } from '../../publish/publishing.store.ts';
import { marketPublishing } from '../../publish/publishing.store.ts';
import { marketReading } from '../../publish/reading.store.ts';
import { marketPlanning } from '../../sync/planning.store.ts';
import { marketSync } from '../../sync/sync.store.ts';
import { withAllNumbers } from '../sold-numbers.ts';
import { compareClocks, databaseClock, givenClock } from '../sql/clock.ts';
import type { Migrating } from '../sql/schema-version.ts';
import type { MarketStore, Store } from '../store.ts';
import { postgresAccounts } from './accounts.ts';
import { admissionMsMax } from './admission.ts';
import { type Client, graceMs, openClient } from './client.ts';
import { postgresEngine, postgresReading } from './engine.ts';
import { findVersion, migrate, migrations } from './migrations.ts';
import type { PoolOptions } from './pool.ts';
import { PublishStamp } from './publish-stamp.ts';
import { findPublishedSets } from './published-sets.ts';
import { readReplica } from './replica.ts';
import { marketEngine, marketWriting } from './writing.ts';

export interface PostgresOptions extends Migrating {
  /** Servers do not wait for other writers to the market. */
  readonly isServing: boolean;
  /** The clock of this process, and its shift; null to use the times passed to methods. */
  readonly clock: { readonly now: Clock; readonly shiftMs: number } | null;
  /** The replica for documents, months and search; null for none. */
  readonly replicaUrl: string | null;
  /** The maximum number of connections to the primary, and to the replica. */
  readonly connections: number;
  /** Called when the replica is no longer used, with the reason, and with null when it is again. */
  onReplica?(reason: string | null): void;
}

/** Requests fail if a statement takes longer; commands have no limit. */
const servingStatementMs = storeMsMax - graceMs;

/** Pools by purpose; null to share the pool `all`. */
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
    // Publishing in a server reads and writes many rows at a time.
    publishing: { max: 2, name: 'brickmark publish', statementMs: 600_000 },
    // Admission must not wait for other statements; it runs one group at a time.
    admission: { max: 1, name, statementMs: admissionMsMax - graceMs },
  };
}

interface ConnectionSettings {
  readonly all: PoolOptions;
  readonly publishing: PoolOptions | null;
  readonly admission: PoolOptions | null;
}

export async function hasPostgresStore(url: string): Promise<boolean> {
  const client = openClient(url, { max: 1, statementMs: servingStatementMs, name: 'brickmark' });
  try {
    return (await findVersion(client)) > 0;
  } finally {
    await client.close();
  }
}

/** Opens the store, and migrates it unless it is only read. */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  await bringUpToDate(url, options);
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

/** Clients by purpose; some may be the same. */
interface Clients {
  /** Accounts, private data, and everything without a client of its own. */
  readonly client: Client;
  readonly admission: Client;
  readonly replica: Client | null;
  readonly publishing: Client;
}

async function closeAll({ client, replica, publishing, admission }: Clients): Promise<void> {
  // Clients may be the same; each is closed once.
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

/** Without a statement timeout: a migration may take long, or wait for other nodes. */
async function bringUpToDate(url: string, migrating: Migrating): Promise<void> {
  const client = openClient(url, { max: 1, statementMs: 0, name: 'brickmark migrate' });
  try {
    await migrate(client, migrations, migrating);
  } finally {
    await client.close();
  }
}

type Shown = Pick<
  MarketPublishing,
  'countStale' | 'countDue' | 'findHistoryState' | 'listScores' | 'findEvidence'
>;

/** Reads for pages and metrics, which must not share the connections of publishing. */
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
  const market: MarketStore = {
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
  };
  const accounts = { ...postgresAccounts(client, clock, admission), close };
  return {
    market,
    accounts: withAllNumbers(accounts, market),
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
 * Whether this role can read the sources; a role that only serves cannot. Checked by privilege,
 * because a failed statement would abort the transaction of a rehearsal.
 */
async function maySeeSources(client: Client): Promise<boolean> {
  const [role] = await client.query<{ may: boolean }>(
    "SELECT has_schema_privilege('source', 'USAGE') AS may",
  );
  return role?.may === true;
}
