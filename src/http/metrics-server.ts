/** Serves metrics on a separate port, for operators only. */
import { statfs } from 'node:fs/promises';
import type { AccountRoomStore } from '../accounts/accounts.store.ts';
import { signInMethods } from '../accounts/sign-in/failed-sign-ins.ts';
import type { SignInMethod } from '../accounts/sign-in/session.ts';
import { deliveryKinds } from '../alerts/channels/delivery-channel-kinds.ts';
import type { DeliveryQueue } from '../alerts/delivery/deliveries.store.ts';
import { type DeliveryFigures, tryOutcomes } from '../alerts/delivery/delivery.ts';
import { type Clock, secondMs } from '../kernel/time.ts';
import type { BulkExport } from '../publish/bulk/bulk-export.ts';
import type { PublishProgress } from '../store/store.ts';
import { type Freshness, freshnessOf } from '../sync/freshness.ts';
import type { NamedState, SourceState } from '../sync/source-state.ts';
import type { SyncStore } from '../sync/sync.store.ts';
import {
  counter,
  gauge,
  type HelperHealth,
  type Labels,
  type Metric,
  type Metrics,
  metricsType,
  writeMetrics,
} from './metrics.ts';
import { addressOf, isRead, pathOf } from './request-target.ts';

export interface CacheFacts {
  readonly entries: number;
  readonly characters: number;
  readonly hits: number;
  readonly misses: number;
}

/** Read when metrics are requested. */
export interface ServerFacts {
  readonly inFlight: number;
  readonly isLeaving: boolean;
  /** Whether everything is done that `/readyz` waits for at the start. */
  readonly isWarm: boolean;
  /** Whether calls can be counted, as in /readyz. */
  isCountable(): Promise<boolean>;
  readonly caches: Readonly<Record<'documents' | 'answers', CacheFacts>>;
}

export interface MetricsDeps {
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly store: {
    readonly market: PublishProgress;
    readonly sync: Pick<SyncStore, 'listSources'>;
    isReplicaUsed(): boolean | null;
  };
  /** Absent in a process without access to private data. */
  readonly accounts?: Pick<DeliveryQueue, 'findDeliveryFigures'> &
    Pick<AccountRoomStore, 'countFailedSignIns' | 'findLastBackup'>;
  readonly helpers: HelperHealth;
  /** The folder of the embedded store, whose disk and backups are watched; null on PostgreSQL. */
  readonly dataFolder: string | null;
  readonly clock: Clock;
  /** Versions of the program, the runtime and the database. */
  readonly build: Labels;
  /** Null until the server has started. */
  findServerFacts(): ServerFacts | null;
}

const path = '/metrics';

export function startMetrics(deps: MetricsDeps): { url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    hostname: deps.host,
    port: deps.port,
    development: false,
    reusePort: false,
    fetch: async (request) => {
      if (!isRead(request) || pathOf(request.url) !== path) {
        return new Response(`Metrics are at ${path}.\n`, { status: 404 });
      }
      const headers = { 'Content-Type': metricsType, 'Cache-Control': 'no-store' };
      return new Response(writeMetrics(await listMetrics(deps)), { headers });
    },
  });
  const url = addressOf(server.hostname ?? deps.host, server.port ?? deps.port) + path;
  return { url, stop: () => server.stop(true) };
}

async function listMetrics(deps: MetricsDeps): Promise<Metric[]> {
  const facts = deps.findServerFacts();
  const isCountable = (await facts?.isCountable()) ?? true;
  return [
    gauge('build_info', 'Versions, as labels; always 1.', [{ labels: deps.build, value: 1 }]),
    ...deps.metrics.list(),
    ...deps.helpers.list(),
    ...(facts ? serverMetrics(facts, isCountable) : []),
    ...(await storeMetrics(deps, isCountable)),
    ...(await diskMetrics(deps.dataFolder)),
    ...processMetrics(),
  ];
}

function serverMetrics(facts: ServerFacts, isCountable: boolean): Metric[] {
  const { inFlight, isLeaving, isWarm, caches } = facts;
  const perCache = (fact: keyof CacheFacts) =>
    Object.entries(caches).map(([cache, cached]) => ({ labels: { cache }, value: cached[fact] }));
  return [
    gauge('requests_in_flight', 'Requests in progress.', inFlight),
    gauge(
      'ready',
      'Whether /readyz answers that the server is ready.',
      +(isCountable && isWarm && !isLeaving),
    ),
    gauge('cache_entries', 'Documents and answers in the cache.', perCache('entries')),
    gauge('cache_characters', 'Size of the cache in characters.', perCache('characters')),
    counter('cache_hits_total', 'Lookups answered from the cache.', perCache('hits')),
    counter('cache_misses_total', 'Lookups not answered from the cache.', perCache('misses')),
  ];
}

/**
 * An unreadable store is reported rather than failing the request. For a server, a store that
 * cannot be written to is down too, because calls must be counted.
 */
async function storeMetrics(
  { store, accounts, helpers, dataFolder, clock }: MetricsDeps,
  isCountable: boolean,
): Promise<Metric[]> {
  const help = 'Whether the store can be read and, by a server, written to.';
  const up = (value: number) => gauge('store_up', help, value);
  try {
    const { market } = store;
    const stamp = await market.publishStamp();
    const stale = await market.countStale();
    const due = await market.countDue(clock());
    const sources = await store.sync.listSources();
    const figures = await accounts?.findDeliveryFigures();
    const failed = await accounts?.countFailedSignIns(clock());
    const backedUpAt = await accounts?.findLastBackup();
    const isReplicaUsed = store.isReplicaUsed();
    const replica =
      isReplicaUsed === null
        ? []
        : [gauge('replica_used', 'Whether documents come from the replica.', +isReplicaUsed)];
    return [
      up(+isCountable),
      ...replica,
      gauge('publish_stamp', 'The number of the last publication.', stamp),
      gauge('items_stale', 'Items that changed since they were published.', stale),
      gauge('items_due', 'Items to publish again because of their age.', due),
      ...bulkMetrics(await market.findBulkExport()),
      ...syncMetrics(sources, clock()),
      ...(dataFolder === null ? [] : backupMetrics(backedUpAt ?? null)),
      ...(failed ? signInMetrics(failed) : []),
      ...(figures ? deliveryMetrics(figures, clock(), helpers.silentMsOf('delivery')) : []),
    ];
  } catch {
    return [up(0)];
  }
}

/** Null: never. */
export function backupMetrics(at: number | null): Metric[] {
  return [
    gauge(
      'backup_last_success_timestamp_seconds',
      'When the store was last backed up; 0 before the first time.',
      (at ?? 0) / secondMs,
    ),
  ];
}

/** None without a folder, and of one that is gone. */
export async function diskMetrics(folder: string | null): Promise<Metric[]> {
  const disk = folder === null ? null : await statfs(folder).catch(() => null);
  if (disk === null) return [];
  const { bsize, bavail, blocks } = disk;
  return [
    gauge('disk_free_bytes', 'Free space on the disk of the data folder.', bavail * bsize),
    gauge('disk_size_bytes', 'Size of the disk of the data folder.', blocks * bsize),
  ];
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage();
  const microsecond = 1e-6;
  return [
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Resident memory size in bytes.',
      samples: [{ value: residentBytes() }],
    },
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Total user and system CPU time in seconds.',
      samples: [{ value: (user + system) * microsecond }],
    },
    gauge('uptime_seconds', 'Time since the process started.', process.uptime()),
  ];
}

/** Reading it takes a descriptor, and metrics matter most when none is left. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return Number.NaN;
  }
}

/** Null: no files were ever copied. */
export function bulkMetrics(state: BulkExport | null): Metric[] {
  if (state === null) return [];
  return [
    gauge(
      'bulk_export_last_success_timestamp_seconds',
      'When bulk files were last copied to their target; 0 before the first time.',
      (state.exportedAt ?? 0) / secondMs,
    ),
    gauge(
      'bulk_export_failures',
      'Consecutive failed attempts to copy bulk files.',
      state.failures,
    ),
  ];
}

export function signInMetrics(failed: readonly MethodCount[]): Metric[] {
  const counted = new Map(failed.map(({ method, count }) => [method, count]));
  return [
    gauge(
      'failed_sign_ins',
      'Sign-ins that failed in this hour and the one before.',
      signInMethods.map((method) => ({ labels: { method }, value: counted.get(method) ?? 0 })),
    ),
  ];
}

interface MethodCount {
  readonly method: SignInMethod;
  readonly count: number;
}

/** `silentMs` is the time since the last heartbeat of the process that sends, if it runs here. */
export function deliveryMetrics(figures: DeliveryFigures, at: number, silentMs = 0): Metric[] {
  const { waiting, oldestAt, dueSince, tallies } = figures;
  const age = (since: number | null) => (since === null ? 0 : Math.max(0, at - since) / secondMs);
  const counted = new Map(tallies.map(({ kind, outcome, count }) => [`${kind} ${outcome}`, count]));
  return [
    gauge('deliveries_waiting', 'Messages waiting for their first or next try.', waiting),
    gauge('delivery_oldest_seconds', 'How long the oldest message has waited.', age(oldestAt)),
    gauge(
      'delivery_delay_seconds',
      'How long the next channel has been due; a few seconds in normal operation.',
      // A process that stands still does not notice due work either.
      Math.max(age(dueSince), silentMs / secondMs),
    ),
    counter(
      'delivery_tries_total',
      'Delivery attempts by kind of channel and outcome.',
      deliveryKinds.flatMap((channel) =>
        tryOutcomes.map((outcome) => ({
          labels: { channel, outcome },
          value: counted.get(`${channel} ${outcome}`) ?? 0,
        })),
      ),
    ),
  ];
}

/** Null: the source has no such value. */
type Read = (state: SourceState, freshness: Freshness) => number | null;

/** By what follows `brickmark_sync_`. */
const sourceMetrics: Readonly<Record<string, readonly [help: string, read: Read]>> = {
  last_success_timestamp_seconds: [
    'When data from the source was last imported; 0 before the first import.',
    ({ lastSuccessAt }) => seconds(lastSuccessAt) ?? 0,
  ],
  last_error_timestamp_seconds: [
    'When a call to the source last failed; 0 if none did.',
    ({ lastError }) => seconds(lastError?.at) ?? 0,
  ],
  failures: ['Consecutive failed calls to the source.', ({ failures }) => failures],
  stopped: [
    'Whether the source is stopped until the operator fixes its error.',
    (_, { standing }) => +(standing === 'stopped'),
  ],
  next_call_timestamp_seconds: [
    'When the source is called next.',
    // 0 until the first round has ended.
    ({ nextAt }) => seconds(nextAt || null),
  ],
  budget_left: ['Calls or tokens left in the budget.', (_, { left }) => left],
  budget_reset_timestamp_seconds: [
    'When the budget grows again.',
    (_, { moreAt }) => seconds(moreAt),
  ],
  questions: ['Questions for the source.', (state) => state.coverage?.questions ?? null],
  never_asked: ['Questions never asked.', (state) => state.coverage?.neverAsked ?? null],
  oldest_answer_timestamp_seconds: [
    'When the oldest answer was fetched.',
    (state) => seconds(state.coverage?.oldestAt),
  ],
  median_answer_timestamp_seconds: [
    'When the median answer was fetched.',
    (state) => seconds(state.coverage?.medianAt),
  ],
  calls_today: ['Calls to the source on this UTC day.', (_, { today }) => today.calls],
  rows_today: ['Rows imported from the source on this UTC day.', (_, { today }) => today.rows],
  rejects_today: [
    'Rows from the source rejected on this UTC day.',
    (_, { today }) => today.rejects,
  ],
};

/** For all sources that were ever called and are not turned off. */
export function syncMetrics(sources: readonly NamedState[], at: number): Metric[] {
  const turnedOn = sources.filter(({ state }) => !state.isOff);
  const facts = turnedOn.map(({ source, state }) => {
    return { source, state, freshness: freshnessOf(state, at) };
  });
  return Object.entries(sourceMetrics).flatMap(([name, [help, read]]) => {
    const samples = facts.flatMap(({ source, state, freshness }) => {
      const value = read(state, freshness);
      return value === null ? [] : [{ labels: { source }, value }];
    });
    return samples.length === 0 ? [] : [gauge(`sync_${name}`, help, samples)];
  });
}

function seconds(at: number | null | undefined): number | null {
  return at === null || at === undefined ? null : at / secondMs;
}
