/** Serves metrics on a separate port, for operators only. */

import type { Clock } from '../domain/kernel/time.ts';
import type { DeliveryQueue, PublishProgress, SyncStore } from '../store/store.ts';
import type { HelperHealth, Metrics } from './metrics.ts';
import { gauge, type Labels, type Metric, metricsType, writeMetrics } from './metrics-text.ts';
import { addressOf, isRead, pathOf } from './request-target.ts';
import { bulkMetrics, deliveryMetrics, syncMetrics } from './store-metrics.ts';

export interface CacheFacts {
  readonly entries: number;
  readonly characters: number;
  readonly hits: number;
  readonly misses: number;
}

/** Read when metrics are requested. */
export interface ServerFacts {
  readonly inFlight: number;
  /** Whether the server is stopping. */
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
  readonly deliveries?: Pick<DeliveryQueue, 'findDeliveryFigures'>;
  readonly helpers: HelperHealth;
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
    {
      name: 'brickmark_build_info',
      type: 'gauge',
      help: 'Versions, as labels; always 1.',
      samples: [{ labels: deps.build, value: 1 }],
    },
    ...deps.metrics.list(),
    ...deps.helpers.list(),
    ...(facts ? serverMetrics(facts, isCountable) : []),
    ...(await storeMetrics(deps, isCountable)),
    ...processMetrics(),
  ];
}

function serverMetrics(facts: ServerFacts, isCountable: boolean): Metric[] {
  const { inFlight, isLeaving, isWarm, caches } = facts;
  const perCache = (
    name: string,
    type: 'counter' | 'gauge',
    facts: { readonly help: string; readonly of: keyof CacheFacts },
  ): Metric => ({
    name: `brickmark_cache_${name}`,
    type,
    help: facts.help,
    samples: Object.entries(caches).map(([cache, cached]) => ({
      labels: { cache },
      value: cached[facts.of],
    })),
  });
  return [
    gauge('requests_in_flight', 'Requests in progress.', inFlight),
    gauge(
      'ready',
      'Whether /readyz answers that the server is ready.',
      +(isCountable && isWarm && !isLeaving),
    ),
    perCache('entries', 'gauge', {
      help: 'Documents and answers in the cache.',
      of: 'entries',
    }),
    perCache('characters', 'gauge', { help: 'Size of the cache in characters.', of: 'characters' }),
    perCache('hits_total', 'counter', { help: 'Lookups answered from the cache.', of: 'hits' }),
    perCache('misses_total', 'counter', {
      help: 'Lookups not answered from the cache.',
      of: 'misses',
    }),
  ];
}

/**
 * An unreadable store is reported rather than failing the request. For a server, a store that
 * cannot be written to is down too, because calls must be counted.
 */
async function storeMetrics(
  { store, deliveries, helpers, clock }: MetricsDeps,
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
    const figures = await deliveries?.findDeliveryFigures();
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
      ...(figures ? deliveryMetrics(figures, clock(), helpers.silentMsOf('delivery')) : []),
    ];
  } catch {
    return [up(0)];
  }
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
