/** Which source is asked when, by which process, and when what it brought is published. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { InTurn } from '../../test/support/in-turn.ts';
import {
  callOf,
  feedOf,
  makeSyncPlace,
  type SyncPlace,
  sourceOf,
} from '../../test/support/sync.ts';
import { until } from '../../test/support/until.ts';
import { type Lease, LeaseLostError } from '../domain/kernel/lease.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../domain/kernel/time.ts';
import { StoreLostError } from '../domain/store.ts';
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
  expect(result).toMatchObject({ source: 'huts', calls: 0, rows: 0, rejects: 0, isStopped: false });
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

test('whoever is told to stop asks no further source', async () => {
  const stopping = sourceOf(
    () => [
      callOf('1', () => {
        loop.stop();
        return { files: feedOf('1-1') };
      }),
    ],
    { name: 'first', step: 'catalog' },
  );
  const loop = await makeLoop([stopping, plain('guide', 'market')]);
  const results = await loop.runDue();
  expect(results.map(({ source }) => source)).toEqual(['first']);
  // What came before the stop is published all the same.
  expect(said).toEqual(['first', 'published']);
});

test('a loop that is stopped during a pass does not publish', async () => {
  const stopping = sourceOf(() => [
    callOf('1', () => {
      loop.stop();
      return { files: feedOf('1-1') };
    }),
  ]);
  const loop = await makeLoop([stopping]);
  await loop.run();
  expect(said).toEqual(['huts']);
});

test('a catalog without news is not published before the market is asked', async () => {
  const silent = sourceOf(() => [callOf('none', () => ({ files: [] }))], {
    name: 'sets',
    step: 'catalog',
  });
  const rates = plain('ecb', 'rates');
  await (await makeLoop([silent, rates, plain('guide', 'market')])).runDue();
  expect(said).toEqual(['ecb', 'sets', 'guide', 'published']);
});

test('rounds of one source are added up', async () => {
  let page = 0;
  const paged = sourceOf(() => [
    callOf('page', () => {
      // Past the minute that a round may take, so that each page is a round.
      place.now += 2 * minuteMs;
      page++;
      return { files: feedOf(`${page}-1`), hasMore: page < 3 };
    }),
  ]);
  const counts = { rows: 5, rejects: 2, missing: 0, changed: 5, problem: null };
  const loop = await makeLoop([paged], { importFiles: async () => counts });
  const [result] = await loop.runDue();
  expect(said.filter((source) => source === 'huts')).toHaveLength(3);
  const { calls, rows, rejects } = result ?? {};
  expect([calls, rows, rejects]).toEqual([3, 15, 6]);
});

test('while sources bring news, it is published every ten minutes', async () => {
  let number = 0;
  const ask = () => {
    place.now += 2 * minuteMs;
    return { files: feedOf(`${++number}-1`) };
  };
  const due = sourceOf(() => [], {
    plan: async ({ at }) => ({ calls: [callOf('1', ask)], nextAt: at }),
  });
  const loop = await makeLoop([due]);
  const running = loop.run();
  await until(() => said.filter((each) => each === 'published').length === 3);
  loop.stop();
  await running;
  const until3 = said.slice(0, said.lastIndexOf('published') + 1).join(' ');
  const five = 'huts '.repeat(5);
  expect(until3).toBe(`huts published ${five}published ${five}published`);
});

test('a store that is gone ends the loop', async () => {
  const gone = new StoreLostError('It is gone.');
  const loop = await makeLoop([], { publish: () => Promise.reject(gone) });
  await expect(loop.runDue()).rejects.toBe(gone);
  const lost = await makeLoop([sourceOf(() => [], { plan: () => Promise.reject(gone) })]);
  await expect(lost.run()).rejects.toBe(gone);
  expect(failures).toEqual([]);
});

test('a stop that is lifted begins anew, and other errors stay as they are', async () => {
  const { sync } = place.store;
  const stopped = { at: 1, message: 'Check the key.', isStopped: true };
  const failed = { at: 2, message: 'It is down.', isStopped: false };
  const later = place.now + dayMs;
  const before = { nextAt: later, failures: 3 };
  await sync.changeSource('huts', (state) => ({ ...state, ...before, lastError: stopped }));
  await sync.changeSource('barns', (state) => ({ ...state, ...before, lastError: failed }));
  const loop = await makeLoop([sourceOf(() => []), plain('barns', 'market')]);
  await loop.liftStops();
  const lifted = { ...stopped, isStopped: false };
  expect(await sync.findSource('huts')).toMatchObject({
    nextAt: place.now,
    failures: 0,
    lastError: lifted,
  });
  expect(await sync.findSource('barns')).toMatchObject({ ...before, lastError: failed });
});

test('every step of a loop waits for the one before', async () => {
  const turns = new InTurn();
  const stopped = { at: 1, message: 'Check the key.', isStopped: true };
  await place.store.sync.changeSource('guide', (state) => ({ ...state, lastError: stopped }));
  const lease = leaseOf('this');
  const { take, keep, release, publish } = turns.watch({
    take: () => lease.take(),
    keep: () => lease.keep(),
    release: () => lease.release(),
    publish: async () => {
      said.push('published');
    },
  });
  const sources = [plain('sets', 'catalog'), { ...plain('guide', 'market'), budget }];
  const store = turns.watch(place.store.sync);
  const watched = { take, keep, release } as unknown as Lease;
  const loop = await makeLoop(sources, { store, lease: watched, publish });
  const running = loop.run();
  await until(() => said.filter((each) => each === 'published').length === 2);
  loop.stop();
  await running;
  // When all sources are due next is asked for at once.
  expect(turns.overlaps.filter((each) => each !== 'findSource during findSource')).toEqual([]);
  expect(turns.active).toEqual([]);
  expect(await leaseOf('other').take()).toBe(true);
});

const budget = { kind: 'day', calls: 100 } as const;

test('what cannot be published is tried again every ten minutes, and no later', async () => {
  const publish = async () => {
    said.push('tried');
    throw new Error('It cannot be published.');
  };
  const ask = () => {
    place.now += 2 * minuteMs;
    return { files: [] };
  };
  const due = sourceOf(() => [], {
    plan: async ({ at }) => ({ calls: [callOf('1', ask)], nextAt: at }),
  });
  const loop = await makeLoop([due], { publish });
  const running = loop.run();
  await until(() => said.filter((each) => each === 'tried').length === 3);
  loop.stop();
  await running;
  const told = said.slice(0, said.lastIndexOf('tried') + 1).join(' ');
  const five = 'huts '.repeat(5);
  expect(told).toBe(`huts tried ${five}tried ${five}tried`);
});
