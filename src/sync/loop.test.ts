/** Which source is asked when, by which process, and when what it brought is published. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  callOf,
  feedOf,
  makeSyncPlace,
  type SyncPlace,
  sourceOf,
} from '../../test/support/sync.ts';
import { until } from '../../test/support/until.ts';
import { LeaseLostError } from '../domain/kernel/lease.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../domain/kernel/time.ts';
import { SourceError } from './client.ts';
import type { Connector, SyncStep } from './connector.ts';
import { leaseMs, syncLease } from './lease.ts';
import { SyncLoop, type SyncWork } from './loop.ts';

let place: SyncPlace;
let said: string[];
let failures: unknown[];
beforeEach(async () => {
  place = await makeSyncPlace();
  said = [];
  failures = [];
});
afterEach(() => place.close());

const leaseOf = (holder: string) => syncLease(place.store.market, () => place.now, holder);

async function makeLoop(connectors: readonly Connector[], changed: Partial<SyncWork> = {}) {
  const lease = leaseOf('this');
  await lease.take();
  return new SyncLoop({
    ...place.work(),
    connectors,
    lease,
    events: {
      onRound: ({ source, error }) => said.push(error === null ? source : `${source}: ${error}`),
      onSkipped: () => {},
      onFailure: (error) => failures.push(error),
    },
    publish: async () => {
      said.push('published');
    },
    prune: () => {},
    ...changed,
  });
}

test('a source that a wrong clock put off for years is asked', async () => {
  await place.store.sync.changeSource('bricks', (before) => ({
    ...before,
    nextAt: place.now + 400 * dayMs,
  }));
  await (await makeLoop([plain('bricks', 'market')])).runDue();
  expect(said).toEqual(['bricks', 'published']);
});

/** A source that has one thing to say, and then nothing for an hour. */
function plain(name: string, step: SyncStep): Connector {
  return sourceOf(() => [callOf(name, () => ({ files: feedOf(`${name.length}-1`) }))], {
    name,
    step,
  });
}

test('rates come first, then catalogs, which are published before the market is asked', async () => {
  const sources = [plain('guide', 'market'), plain('sets', 'catalog'), plain('ecb', 'rates')];
  const results = await (await makeLoop(sources)).runDue();
  expect(said).toEqual(['ecb', 'sets', 'published', 'guide', 'published']);
  expect(results.map(({ source, calls, rows }) => [source, calls, rows])).toEqual([
    ['ecb', 1, 1],
    ['sets', 1, 1],
    ['guide', 1, 1],
  ]);
});

test('a source is asked when it is due, and again as long as there is more', async () => {
  let left = 120;
  const endless = sourceOf(() => [callOf('more', () => ({ files: [], hasMore: --left > 0 }))], {
    name: 'long',
  });
  const loop = await makeLoop([endless, plain('guide', 'market')]);
  const results = await loop.runDue();
  expect(said).toEqual(['long', 'guide', 'long', 'long', 'published']);
  expect(results.find(({ source }) => source === 'long')?.calls).toBe(120);
  said = [];
  expect(await loop.runDue()).toEqual([]);
  place.now += hourMs;
  await loop.runDue();
  expect(said).toEqual(['long', 'guide', 'published']);
});

test('what an earlier process left unpublished is published, and nothing twice', async () => {
  const loop = await makeLoop([]);
  await loop.runDue();
  await loop.runDue();
  expect(said).toEqual(['published']);
});

test('a source that fails keeps no other from being asked', async () => {
  const broken = sourceOf(() => [callOf('1', () => new SourceError('It is down.', 'later'))]);
  await (await makeLoop([broken, plain('guide', 'market')])).runDue();
  expect(said).toEqual(['huts: It is down.', 'guide', 'published']);
});

/** A shop that has sold a set which no catalog has told of yet, and from where it was asked. */
function shopOf(budget: Connector['budget']) {
  const cursors: unknown[] = [];
  const sale = { kind: 'sale', source: 'x', source_id: '1', item_type: 'set', item: '3-1' };
  const line = { ...sale, condition: 'used', price: 5, sold_at: '2026-11-15T11:00:00Z' };
  const bytes = new TextEncoder().encode(JSON.stringify(line));
  const files = [{ name: 'sales.ndjson', bytes, format: 'feed' }];
  const shop = sourceOf(
    (cursor) => {
      cursors.push(cursor);
      place.now += secondMs;
      return [callOf('all', () => (cursor === null ? { files, cursor: 'seen' } : { files: [] }))];
    },
    { name: 'shop', budget },
  );
  return { shop, cursors };
}

test('what lacked an item is asked for again, whole, once a catalog brought news', async () => {
  const { shop, cursors } = shopOf(null);
  await (await makeLoop([shop])).runDue();
  expect((await place.store.sync.findSource('shop')).missing).toBe(1);
  place.now += minuteMs;
  await (await makeLoop([shop, plain('set', 'catalog')])).runDue();
  expect(cursors).toEqual([null, null]);
  expect(await place.store.sync.findSource('shop')).toMatchObject({ missing: 0, cursor: 'seen' });
  place.now += hourMs;
  await (await makeLoop([shop])).runDue();
  expect(cursors).toEqual([null, null, 'seen']);
});

test('no budget is spent on what lacked an item', async () => {
  const { shop, cursors } = shopOf({ kind: 'day', calls: 100 });
  await (await makeLoop([shop])).runDue();
  place.now += minuteMs;
  await (await makeLoop([shop, plain('set', 'catalog')])).runDue();
  expect(cursors).toEqual([null]);
});

test('a source that stopped is tried at once by the next process, and by that one once', async () => {
  let calls = 0;
  const ask = () => {
    calls++;
    return new SourceError('Check the key.', 'stopped');
  };
  const refused = sourceOf(() => [callOf('1', ask)]);
  await (await makeLoop([refused])).runDue();
  await (await makeLoop([refused])).runDue();
  expect(calls).toBe(1);
  const loop = await makeLoop([refused]);
  const running = loop.run();
  await until(() => said.includes('published') && calls === 2);
  loop.stop();
  await running;
  expect(calls).toBe(2);
  expect((await place.store.sync.findSource('huts')).lastError?.isStopped).toBe(true);
});

test('a fault of our own is told, and not met again at once', async () => {
  const plan = () => Promise.reject(new Error('a mistake'));
  const loop = await makeLoop([sourceOf(() => [], { plan }), plain('guide', 'market')]);
  const [result] = await loop.runDue();
  expect(result?.error).toBe('Unexpected error: a mistake.');
  expect(result?.nextAt).toBe(place.now + minuteMs / 2);
  expect(failures).toEqual([new Error('a mistake')]);
  expect(said).toContain('guide');
});

test('it goes on until it is stopped, and then lets the next one begin', async () => {
  const loop = await makeLoop([plain('guide', 'market')]);
  const running = loop.run();
  await until(() => said.includes('published'));
  expect(await leaseOf('other').take()).toBe(false);
  loop.stop();
  await running;
  expect(said).toEqual(['guide', 'published']);
  expect(await leaseOf('other').take()).toBe(true);
});

test('while another process has the lease, nobody is asked', async () => {
  const loop = await makeLoop([plain('guide', 'market')]);
  place.now += leaseMs;
  expect(await leaseOf('other').take()).toBe(true);
  await expect(loop.runDue()).rejects.toThrow(LeaseLostError);
  const running = loop.run();
  await Bun.sleep(20);
  loop.stop();
  await running;
  expect(said).toEqual([]);
  expect(failures).toEqual([]);
});

test('answers that cannot be removed keep nothing from being published, nor the other way', async () => {
  const prune = () => {
    throw new Error('It cannot be removed.');
  };
  await (await makeLoop([plain('guide', 'market')], { prune })).runDue();
  expect(said).toEqual(['guide', 'published']);
  expect(failures).toEqual([new Error('It cannot be removed.')]);
  const publish = () => Promise.reject(new Error('It cannot be published.'));
  const loop = await makeLoop([], { publish, prune: () => said.push('pruned') });
  await expect(loop.runDue()).rejects.toThrow('It cannot be published.');
  expect(said.at(-1)).toBe('pruned');
});

test('what cannot be published is tried again after a while', async () => {
  let tries = 0;
  const publish = async () => {
    tries++;
    throw new Error('It cannot be published.');
  };
  // Always due, and the clock moves with every call.
  const ask = () => {
    place.now += 30 * secondMs;
    return { files: [] };
  };
  const due = sourceOf(() => [], {
    plan: async ({ at }) => ({ calls: [callOf('1', ask)], nextAt: at }),
  });
  const loop = await makeLoop([due], { publish });
  const running = loop.run();
  await until(() => tries >= 3);
  loop.stop();
  await running;
  // Ten minutes are twenty calls.
  expect(said.length).toBeGreaterThanOrEqual(20 * (tries - 1));
  expect(failures).toContainEqual(new Error('It cannot be published.'));
});

test('a lease is renewed in time, and taken over from one that does not', async () => {
  const lease = leaseOf('this');
  await expect(lease.keep()).rejects.toThrow(LeaseLostError);
  expect(await lease.take()).toBe(true);
  for (let count = 0; count < 5; count++) {
    place.now += leaseMs - 1;
    await lease.keep();
  }
  expect(await leaseOf('other').take()).toBe(false);
  place.now += leaseMs;
  expect(await leaseOf('other').take()).toBe(true);
  await expect(lease.keep()).rejects.toThrow(LeaseLostError);
  await lease.release();
  expect(await leaseOf('third').take()).toBe(false);
});

test('a loop lets a source rest between rounds so that its budget lasts the day; by hand it does not', async () => {
  let calls = 0;
  const connector = (): Connector => ({
    ...sourceOf(() => [callOf('more', () => ({ files: [], hasMore: ++calls < 100 }))], {
      name: 'long',
    }),
    budget: { kind: 'day', calls: 200 },
  });
  const loop = await makeLoop([connector()]);
  const running = loop.run();
  await until(() => said.includes('published'));
  loop.stop();
  await running;
  expect(calls).toBe(50);
  await (await makeLoop([connector()])).runDue();
  expect(calls).toBe(100);
});
