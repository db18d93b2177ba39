/** Metrics of a running server. */
import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { notExported } from '../publish/bulk/bulk-export.ts';
import type { PublishProgress } from '../store/store.ts';
import { HelperHealth, Metrics } from './metrics.ts';
import { type MetricsDeps, type ServerFacts, startMetrics } from './metrics-server.ts';

const cache = { entries: 1, characters: 2, hits: 3, misses: 4 };

const facts: ServerFacts = {
  inFlight: 5,
  isLeaving: false,
  isWarm: true,
  isCountable: async () => true,
  caches: { documents: cache, answers: { ...cache, hits: 30 } },
};

const market: PublishProgress = {
  publishStamp: () => 11,
  countStale: async () => 12,
  countDue: async (at) => at,
  findBulkExport: async () => ({ ...notExported('/srv/bulk'), failures: 4 }),
};

const sync: MetricsDeps['store']['sync'] = { listSources: async () => [] };

/** Requests metrics from a server with these differences. */
async function ask(
  change: Partial<MetricsDeps> = {},
  { path = '/metrics', method = 'GET' } = {},
): Promise<{ status: number; text: string; values: Record<string, number> }> {
  const shown = startMetrics({
    host: '127.0.0.1',
    port: 0,
    metrics: new Metrics(true),
    store: { market, sync, isReplicaUsed: () => null },
    helpers: new HelperHealth(['pages', 'upkeep']),
    dataFolder: null,
    clock: () => 13,
    build: { version: '1' },
    findServerFacts: () => facts,
    ...change,
  });
  try {
    const answer = await fetch(new URL(path, shown.url), { method });
    const text = await answer.text();
    const lines = text.split('\n').filter((line) => /^(brickmark|process)_/.test(line));
    const values = lines.map((line) => line.split(/ (?=[^ ]+$)/));
    return {
      status: answer.status,
      text,
      values: Object.fromEntries(values.map(([name, value]) => [name, Number(value)])),
    };
  } finally {
    await shown.stop();
  }
}

test('a server is ready while it can count calls and is not stopping', async () => {
  const ready = async (isCountable: boolean, isLeaving: boolean) => {
    const findServerFacts = () => ({ ...facts, isLeaving, isCountable: async () => isCountable });
    return (await ask({ findServerFacts })).values.brickmark_ready;
  };
  expect(await ready(true, false)).toBe(1);
  expect(await ready(true, true)).toBe(0);
  expect(await ready(false, false)).toBe(0);
});

test('figures of the server are shown once it has started', async () => {
  expect((await ask()).values).toMatchObject({
    'brickmark_build_info{version="1"}': 1,
    brickmark_requests_in_flight: 5,
    'brickmark_cache_entries{cache="documents"}': 1,
    'brickmark_cache_characters{cache="documents"}': 2,
    'brickmark_cache_hits_total{cache="answers"}': 30,
    'brickmark_cache_misses_total{cache="answers"}': 4,
  });
  const { values } = await ask({ findServerFacts: () => null });
  expect(values).not.toHaveProperty('brickmark_ready');
  expect(values).toMatchObject({ brickmark_store_up: 1, brickmark_publish_stamp: 11 });
});

test('a store is up if it can be read, and for a server also written', async () => {
  const rows = {
    brickmark_publish_stamp: 11,
    brickmark_items_stale: 12,
    brickmark_items_due: 13,
    brickmark_bulk_export_failures: 4,
  };
  const { values } = await ask();
  expect(values).toMatchObject({ brickmark_store_up: 1, ...rows });
  expect(values).not.toHaveProperty('brickmark_replica_used');
  const findServerFacts = () => ({ ...facts, isCountable: async () => false });
  expect((await ask({ findServerFacts })).values).toMatchObject({ brickmark_store_up: 0, ...rows });
  const countStale = async () => {
    throw new Error('gone');
  };
  const broken = await ask({
    store: { market: { ...market, countStale }, sync, isReplicaUsed: () => null },
  });
  expect(broken.values).toMatchObject({ brickmark_store_up: 0, brickmark_ready: 1 });
  expect(broken.values).not.toHaveProperty('brickmark_publish_stamp');
});

test('the use of the replica is shown if there is one', async () => {
  const used = async (isUsed: boolean) =>
    (await ask({ store: { market, sync, isReplicaUsed: () => isUsed } })).values
      .brickmark_replica_used;
  expect([await used(true), await used(false)]).toEqual([1, 0]);
});

test('a process has its memory and CPU time', async () => {
  const { values } = await ask();
  expect(values.process_resident_memory_bytes).toBeGreaterThan(1e6);
  expect(values.process_cpu_seconds_total).toBeWithin(0.01, 3_600);
  expect(values.brickmark_uptime_seconds).toBeWithin(0.01, 3_600);
});

test('with the embedded store, its disk and the age of the last backup are shown', async () => {
  const findDeliveryFigures = async () => {
    return { waiting: 0, oldestAt: null, dueSince: null, tallies: [] };
  };
  const at = { never: null, once: 5_500 };
  const backedUp = async (last: number | null, dataFolder: string | null = tmpdir()) => {
    const counts = { findDeliveryFigures, countFailedSignIns: async () => [] };
    const accounts = { ...counts, findLastBackup: async () => last };
    return (await ask({ accounts, dataFolder })).values;
  };
  const name = 'brickmark_backup_last_success_timestamp_seconds';
  expect((await backedUp(at.never))[name]).toBe(0);
  const shown = await backedUp(at.once);
  expect(shown[name]).toBe(5.5);
  const size = shown.brickmark_disk_size_bytes ?? 0;
  expect(shown.brickmark_disk_free_bytes).toBeWithin(1, size);
  expect(await backedUp(at.once, null)).not.toHaveProperty(name);
  expect(await backedUp(at.once, '/nowhere')).not.toHaveProperty('brickmark_disk_free_bytes');
});

test('a used port is not shared', async () => {
  const other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    reusePort: true,
    fetch: () => new Response(),
  });
  await expect(ask({ port: other.port ?? 0 })).rejects.toThrow();
  await other.stop(true);
});

test('only metrics are served, and only for reading', async () => {
  expect((await ask({}, { path: '/' })).status).toBe(404);
  expect((await ask({}, { method: 'POST' })).status).toBe(404);
  expect((await ask({}, { method: 'HEAD' })).status).toBe(200);
});
