/** The sync loop: order of sources, leases, budgets and publishing. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { InTurn } from '../../test/support/in-turn.ts';
import {
  callOf,
  feedOf,
  makeSyncPlace,
  type SyncPlace,
  sourceOf,
} from '../../test/support/sync.ts';
import { until } from '../../test/support/until.ts';
import { type Lease, LeaseLostError } from '../kernel/lease.ts';
import { StoppableWait } from '../kernel/stoppable-wait.ts';
import { StoreLostError } from '../kernel/store-errors.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/time.ts';
import { SourceError } from './client.work.ts';
import type { Connector, SyncStep } from './connector.work.ts';
import { leaseMs, syncLease } from './lease.ts';
import { SyncLoop, type SyncWork } from './loop.work.ts';
import { dueNow } from './state-changes.ts';

let place: SyncPlace;
let log: string[];
let failures: unknown[];
beforeEach(async () => {
  place = await makeSyncPlace();
  log = [];
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
    keyless: [],
    turnedOn: connectors.map(({ name }) => name),
    lease,
    events: {
      onRound: ({ source, error }) => log.push(error === null ? source : `${source}: ${error}`),
      onSkipped: () => {},
      onFailure: (error) => failures.push(error),
    },
    publish: async () => {
      log.push('published');
    },
    prune: () => {},
    ...changed,
  });
}

test('a source postponed by a wrong clock is due', async () => {
  await place.store.sync.changeSource('bricks', (before) => ({
    ...before,
    nextAt: place.now + 400 * dayMs,
  }));
  await (await makeLoop([plain('bricks', 'market')])).runDue();
  expect(log).toEqual(['bricks', 'published']);
});

test('a source that is not turned on is off until it is again, and then due', async () => {
  const bricks = plain('bricks', 'market');
  await (await makeLoop([bricks])).runDue();
  const isOff = async () => (await place.store.sync.findSource('bricks')).isOff;
  expect(await isOff()).toBeUndefined();
  await (await makeLoop([plain('guide', 'market')])).runDue();
  expect(await isOff()).toBe(true);
  // One that is on, and not named on the command line, is not off.
  await (await makeLoop([], { turnedOn: ['bricks'] })).runDue();
  expect(await isOff()).toBe(false);
});

/** A source with one response, and then nothing for an hour. */
function plain(name: string, step: SyncStep): Connector {
  return sourceOf(() => [callOf(name, () => ({ files: feedOf(`${name.length}-1`) }))], {
    name,
    step,
  });
}

test('rates come first, then catalogs, which are published before the market is synced', async () => {
  const silent = sourceOf(() => [callOf('none', () => ({ files: [] }))], {
    name: 'themes',
    step: 'catalog',
  });
  const [sets, ecb, guide] = [
    plain('sets', 'catalog'),
    plain('ecb', 'rates'),
    plain('guide', 'market'),
  ];
  const sources = [guide, sets, silent, ecb];
  const results = await (await makeLoop(sources)).runDue();
  expect(log).toEqual(['ecb', 'sets', 'themes', 'published', 'guide', 'published']);
  expect(results.map(({ source, calls, rows }) => [source, calls, rows])).toEqual([
    ['ecb', 1, 1],
    ['sets', 1, 1],
    ['themes', 1, 0],
    ['guide', 1, 1],
  ]);
});

test('a source runs when it is due, and again while there is more', async () => {
  let left = 120;
  const endless = sourceOf(() => [callOf('more', () => ({ files: [], hasMore: --left > 0 }))], {
    name: 'long',
  });
  const loop = await makeLoop([endless, plain('guide', 'market')]);
  const results = await loop.runDue();
  expect(log).toEqual(['long', 'guide', 'long', 'long', 'published']);
  expect(results.find(({ source }) => source === 'long')?.calls).toBe(120);
  log = [];
  expect(await loop.runDue()).toEqual([]);
  place.now += hourMs;
  await loop.runDue();
  expect(log).toEqual(['long', 'guide', 'published']);
});

test('data that an earlier process left unpublished is published once', async () => {
  const loop = await makeLoop([]);
  await loop.runDue();
  await loop.runDue();
  expect(log).toEqual(['published']);
});

test('a failing source does not block others', async () => {
  const broken = sourceOf(() => [callOf('1', () => new SourceError('It is down.', 'later'))]);
  await (await makeLoop([broken, plain('guide', 'market')])).runDue();
  expect(log).toEqual(['huts: It is down.', 'guide', 'published']);
});

/** A shop with a sale of an unknown set, and the cursors it was called with. */
function shopOf(budget: Connector['budget']) {
  const cursors: unknown[] = [];
  const sale = { kind: 'sale', source: 'x', source_id: '1', item_type: 'set', item: '3-1' };
  const line = { ...sale, condition: 'used', price: 5, sold_at: '2026-11-15T11:00:00Z' };
  const bytes = new TextEncoder().encode(JSON.stringify(line));
  const files = [{ name: 'sales.ndjson', bytes, format: 'feed' as const }];
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

test('sources with missing items are fetched again after a catalog change', async () => {
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

test('sources with a budget are not fetched again because of missing items', async () => {
  const { shop, cursors } = shopOf({ kind: 'day', calls: 100 });
  await (await makeLoop([shop])).runDue();
  place.now += minuteMs;
  await (await makeLoop([shop, plain('set', 'catalog')])).runDue();
  expect(cursors).toEqual([null]);
});

test('a stopped source is retried once by the next process', async () => {
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
  await until(() => log.includes('published') && calls === 2);
  loop.stop();
  await running;
  expect(calls).toBe(2);
  expect((await place.store.sync.findSource('huts')).lastError?.isStopped).toBe(true);
});

test('unexpected errors are reported, and not repeated at once', async () => {
  const plan = () => Promise.reject(new Error('a mistake'));
  const loop = await makeLoop([sourceOf(() => [], { plan }), plain('guide', 'market')]);
  const [result] = await loop.runDue();
  expect(result?.error).toBe('Unexpected error: a mistake.');
  expect(result).toMatchObject({ source: 'huts', calls: 0, rows: 0, rejects: 0, isStopped: false });
  expect(result?.nextAt).toBe(place.now + minuteMs / 2);
  expect(failures).toEqual([new Error('a mistake')]);
  expect(log).toContain('guide');
});

test('the loop runs until stopped, and then releases the lease', async () => {
  const loop = await makeLoop([plain('guide', 'market')]);
  const running = loop.run();
  await until(() => log.includes('published'));
  expect(await leaseOf('other').take()).toBe(false);
  loop.stop();
  await running;
  expect(log).toEqual(['guide', 'published']);
  expect(await leaseOf('other').take()).toBe(true);
});

test('while another process has the lease, no source is called', async () => {
  const loop = await makeLoop([plain('guide', 'market')]);
  place.now += leaseMs;
  expect(await leaseOf('other').take()).toBe(true);
  await expect(loop.runDue()).rejects.toThrow(LeaseLostError);
  const running = loop.run();
  await Bun.sleep(20);
  loop.stop();
  await running;
  expect(log).toEqual([]);
  expect(failures).toEqual([]);
});

test('failures of pruning and publishing do not affect each other', async () => {
  const prune = () => {
    throw new Error('It cannot be removed.');
  };
  await (await makeLoop([plain('guide', 'market')], { prune })).runDue();
  expect(log).toEqual(['guide', 'published']);
  expect(failures).toEqual([new Error('It cannot be removed.')]);
  const publish = () => Promise.reject(new Error('It cannot be published.'));
  const loop = await makeLoop([], { publish, prune: () => log.push('pruned') });
  await expect(loop.runDue()).rejects.toThrow('It cannot be published.');
  expect(log.at(-1)).toBe('pruned');
});

test('publishing is retried after a while', async () => {
  let tries = 0;
  const publish = async () => {
    tries++;
    throw new Error('It cannot be published.');
  };
  // Always due, and the clock advances with every call.
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
  expect(log.length).toBeGreaterThanOrEqual(20 * (tries - 1));
  expect(failures).toContainEqual(new Error('It cannot be published.'));
});

test('a lease is renewed in time, and taken over if not', async () => {
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

test('the loop spreads a budget over the day, and the store says when the next call is made', async () => {
  let calls = 0;
  const connector = (): Connector => ({
    ...sourceOf(() => [callOf('more', () => ({ files: [], hasMore: ++calls < 100 }))], {
      name: 'long',
    }),
    budget: { kind: 'day', calls: 200 },
  });
  const loop = await makeLoop([connector()]);
  const running = loop.run();
  await until(() => log.includes('published'));
  loop.stop();
  await running;
  expect(calls).toBe(50);
  // After a quarter of the budget, a quarter of the even spacing of 50 calls.
  const nextAt = place.now + dayMs / 16;
  expect(await place.store.sync.findSource('long')).toMatchObject({ nextAt });
  await (await makeLoop([connector()])).runDue();
  expect(calls).toBe(50);
  place.now = nextAt;
  await (await makeLoop([connector()])).runDue();
  expect(calls).toBe(100);
});

describe('a source without its key', () => {
  const keyless = [{ name: 'guide', problem: 'Its key cannot be read.' }];
  const stopped = { message: 'Its key cannot be read.', isStopped: true };
  const guide = () => place.store.sync.findSource('guide');

  test('is stopped, while others are called', async () => {
    await (await makeLoop([plain('sets', 'catalog')], { keyless })).runDue();
    expect(log).toEqual(['sets', 'published']);
    expect(await guide()).toMatchObject({ nextAt: 0, failures: 0, lastError: stopped });
    const { lastError } = await guide();
    place.now += hourMs;
    await (await makeLoop([], { keyless })).runDue();
    expect((await guide()).lastError).toEqual(lastError);
    await place.store.sync.changeSource('guide', dueNow);
    await (await makeLoop([], { keyless })).runDue();
    expect((await guide()).lastError).toMatchObject(stopped);
  });

  test('is called at once when it has its key again', async () => {
    await (await makeLoop([plain('guide', 'market')])).runDue();
    await (await makeLoop([], { keyless })).runDue();
    const loop = await makeLoop([plain('guide', 'market')]);
    const running = loop.run();
    await until(() => log.filter((each) => each === 'guide').length === 2);
    loop.stop();
    await running;
    expect((await guide()).lastError).toMatchObject({ isStopped: false });
  });
});

test('after a stop, no further source is called', async () => {
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
  // Data imported before the stop is published.
  expect(log).toEqual(['first', 'published']);
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
  expect(log).toEqual(['huts']);
});

test('an unchanged catalog is not published before the market is synced', async () => {
  const silent = sourceOf(() => [callOf('none', () => ({ files: [] }))], {
    name: 'sets',
    step: 'catalog',
  });
  const rates = plain('ecb', 'rates');
  await (await makeLoop([silent, rates, plain('guide', 'market')])).runDue();
  expect(log).toEqual(['ecb', 'sets', 'guide', 'published']);
});

test('rounds of one source are added up', async () => {
  let page = 0;
  const paged = sourceOf(() => [
    callOf('page', () => {
      // Longer than a round, so that each page is a round.
      place.now += 2 * minuteMs;
      page++;
      return { files: feedOf(`${page}-1`), hasMore: page < 3 };
    }),
  ]);
  const counts = { rows: 5, rejects: 2, missing: 0, changed: 5, problem: null };
  const loop = await makeLoop([paged], { importFiles: async () => counts });
  const [result] = await loop.runDue();
  expect(log.filter((source) => source === 'huts')).toHaveLength(3);
  const { calls, rows, rejects } = result ?? {};
  expect([calls, rows, rejects]).toEqual([3, 15, 6]);
});

test('while sources are busy, data is published every ten minutes', async () => {
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
  await until(() => log.filter((each) => each === 'published').length >= 3);
  loop.stop();
  await running;
  const five = 'huts '.repeat(5);
  expect(log.join(' ')).toStartWith(`huts published ${five}published ${five}published`);
});

test('a lost store ends the loop', async () => {
  const gone = new StoreLostError('It is gone.');
  const loop = await makeLoop([], { publish: () => Promise.reject(gone) });
  await expect(loop.runDue()).rejects.toBe(gone);
  const lost = await makeLoop([sourceOf(() => [], { plan: () => Promise.reject(gone) })]);
  await expect(lost.run()).rejects.toBe(gone);
  expect(failures).toEqual([]);
});

test('lifting a stop resets it, and keeps other errors', async () => {
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
    nextAt: 0,
    failures: 0,
    lastError: lifted,
  });
  expect(await sync.findSource('barns')).toMatchObject({ ...before, lastError: failed });
});

test('changed settings make a source due at once; unchanged and first ones do not', async () => {
  const failed = { at: 2, message: 'It is down.', isStopped: false };
  const later = place.now + dayMs;
  const postponed = { nextAt: later, failures: 3, lastError: failed };
  await place.store.sync.changeSource('huts', (state) => ({ ...state, ...postponed }));
  const runWith = async (settingsMark: string) => {
    const loop = await makeLoop([{ ...plain('huts', 'market'), settingsMark }]);
    return (await loop.runDue()).length;
  };
  expect(await runWith('one')).toBe(0);
  const { sync } = place.store;
  expect(await sync.findSource('huts')).toMatchObject({ ...postponed, settingsMark: 'one' });
  expect(await runWith('one')).toBe(0);
  expect(await runWith('two')).toBe(1);
  const { nextAt, failures: failing, settingsMark } = await sync.findSource('huts');
  expect([nextAt, failing, settingsMark]).toEqual([place.now + hourMs, 0, 'two']);
});

test('the steps of the loop are awaited in order', async () => {
  const turns = new InTurn();
  const stopped = { at: 1, message: 'Check the key.', isStopped: true };
  await place.store.sync.changeSource('guide', (state) => ({ ...state, lastError: stopped }));
  const lease = leaseOf('this');
  const { take, keep, release, publish } = turns.watch({
    take: () => lease.take(),
    keep: () => lease.keep(),
    release: () => lease.release(),
    publish: async () => {
      log.push('published');
    },
  });
  const sources = [plain('sets', 'catalog'), { ...plain('guide', 'market'), budget }];
  const store = turns.watch(place.store.sync);
  const watched = { take, keep, release } as unknown as Lease;
  const loop = await makeLoop(sources, { store, lease: watched, publish });
  const running = loop.run();
  await until(() => log.filter((each) => each === 'published').length >= 2);
  loop.stop();
  await running;
  // The due times of all sources are read concurrently.
  expect(turns.overlaps.filter((each) => each !== 'findSource during findSource')).toEqual([]);
  expect(turns.active).toEqual([]);
  expect(await leaseOf('other').take()).toBe(true);
});

const budget = { kind: 'day', calls: 100 } as const;

test('publishing is retried every ten minutes', async () => {
  const publish = async () => {
    log.push('tried');
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
  await until(() => log.filter((each) => each === 'tried').length >= 3);
  loop.stop();
  await running;
  const five = 'huts '.repeat(5);
  expect(log.join(' ')).toStartWith(`huts tried ${five}tried ${five}tried`);
});

test('catalogs that keep changing do not retry publishing earlier', async () => {
  const publish = async () => {
    log.push('tried');
    throw new Error('It cannot be published.');
  };
  let number = 0;
  const ask = () => {
    place.now += 2 * minuteMs;
    return { files: feedOf(`${++number}-1`) };
  };
  const due = (name: string, step: SyncStep, call: typeof ask) =>
    sourceOf(() => [], {
      name,
      step,
      plan: async ({ at }) => ({ calls: [callOf('1', call)], nextAt: at }),
    });
  const sets = due('sets', 'catalog', ask);
  const guide = due('guide', 'market', () => ({ files: [] }));
  const loop = await makeLoop([sets, guide], { publish });
  const running = loop.run();
  await until(() => log.filter((each) => each === 'tried').length >= 2);
  loop.stop();
  await running;
  expect(log.join(' ')).toStartWith(`sets tried guide ${'sets guide '.repeat(4)}sets tried`);
});

test('failures of the lease are reported', async () => {
  const fail = (message: string) => () => Promise.reject(new Error(message));
  const lease = { take: fail('not taken'), release: fail('not released') } as unknown as Lease;
  const loop = await makeLoop([], { lease });
  const running = loop.run();
  await until(() => failures.length > 0);
  loop.stop();
  await running;
  expect(failures).toEqual([new Error('not taken'), new Error('not released')]);
});

/** Does not wait, and stops at the end. */
class RecordedWait extends StoppableWait {
  readonly waited: number[] = [];

  constructor(private readonly times: number) {
    super();
  }

  override async wait(ms: number): Promise<void> {
    this.waited.push(ms);
    if (this.waited.length === this.times) this.stop();
  }
}

describe('the loop waits', () => {
  const dueAfter = (ms: number) =>
    sourceOf(() => [], {
      plan: async ({ at }) => ({ calls: [callOf('1', ask)], nextAt: at + ms }),
    });
  const ask = () => ({ files: [] });

  test.each([
    ['until a source is due', [dueAfter(30 * secondMs)], [0, 30 * secondMs, 30 * secondMs]],
    ['a minute at most', [dueAfter(hourMs)], [0, minuteMs, minuteMs]],
    ['not at all while a source is due', [dueAfter(0)], [0, 0, 0]],
    ['a minute without sources', [], [minuteMs, minuteMs, minuteMs]],
  ])('waits %s', async (_, sources, waited) => {
    const rest = new RecordedWait(3);
    await (await makeLoop(sources, { rest })).run();
    expect(rest.waited).toEqual(waited);
    // Data is published at the latest before it waits.
    expect(log).toContain('published');
  });

  test('a few seconds for the lease of another process, or after a failure', async () => {
    const taken = async (take: () => Promise<boolean>) => {
      const rest = new RecordedWait(2);
      const lease = { take, release: async () => {} } as unknown as Lease;
      await (await makeLoop([], { rest, lease })).run();
      return rest.waited;
    };
    expect(await taken(async () => false)).toEqual([5 * secondMs, 5 * secondMs]);
    expect(await taken(() => Promise.reject(new Error('It is down.')))).toHaveLength(2);
    expect(failures).toHaveLength(2);
  });

  test('until a source with a budget has rested', async () => {
    const rest = new RecordedWait(2);
    const other = { ...dueAfter(hourMs), name: 'barns' };
    const loop = await makeLoop([other, { ...dueAfter(0), budget }], { rest });
    await loop.run();
    // The first of a hundred calls is followed by a hundredth of the even spacing.
    expect(rest.waited).toEqual([0, dayMs / 100 / 100]);
    expect(log).toEqual(['barns', 'huts', 'published']);
  });

  test('no pause before a source that an operator makes due', async () => {
    class AskingWait extends RecordedWait {
      override async wait(ms: number): Promise<void> {
        await super.wait(ms);
        if (this.waited.length === 2) await place.store.sync.changeSource('huts', dueNow);
      }
    }
    const rest = new AskingWait(4);
    await (await makeLoop([{ ...dueAfter(0), budget }], { rest })).run();
    expect(log.filter((each) => each === 'huts')).toHaveLength(2);
    expect(rest.waited.map((ms) => ms > 0)).toEqual([false, true, false, true]);
  });
});
