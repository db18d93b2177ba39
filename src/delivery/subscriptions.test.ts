/** Webhooks are told of what they asked for, whoever else is behind. */
import { expect, test } from 'bun:test';
import type { EventScope } from '../domain/delivery/channel.ts';
import { deliveriesKeptMax, type EventDelivery } from '../domain/delivery/delivery.ts';
import type { Subscriber } from '../domain/delivery/delivery-store.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { LoggedEvent } from '../domain/market/events.ts';
import { Subscriptions } from './subscriptions.ts';

/** Where the log ends. It has an event at every hundredth position. */
const latest = 10_000;
const step = 100;

function eventAt(position: number, kind: LoggedEvent['kind'] = 'retail.price'): LoggedEvent {
  return {
    position,
    at: position,
    kind,
    itemKind: 'set',
    key: `${position}`,
    number: `${position}`,
    title: 'A set',
    retailer: 'retailer_a',
    before: { priceCents: 120_00 },
    after: { priceCents: 99_00 },
  };
}

/** A log and a queue in memory. */
class World {
  subscribers: Subscriber[] = [];
  readonly queued: EventDelivery[] = [];
  /** Events up to here are gone. */
  oldest = 0;
  latest = latest;
  /** The sets that everybody holds. */
  held: readonly string[] = [];
  /** Webhooks whose old deliveries were removed, each time. */
  readonly trimmed: number[] = [];
  /** How often it was asked who holds what. */
  reads = 0;
  /** How often it was asked who subscribes. */
  looks = 0;
  /** Where pages of the log were read from. */
  readonly pages: number[] = [];
  /** The webhooks that were written at a time. */
  readonly written: number[][] = [];
  /** Webhooks that have as many deliveries waiting as they may. */
  full: ReadonlySet<number> = new Set();
  readonly gone: (readonly [channelId: number, oldest: number])[] = [];
  queuedCalls = 0;
  now = 0;
  readonly subscriptions = new Subscriptions({
    market: {
      listEvents: async ({ after, limit }) => {
        expect(limit).toBe(after === null ? 1 : 250);
        if (after !== null) this.pages.push(after);
        if (after === null) return { events: [], next: this.latest, hasMore: false };
        if (after < this.oldest) return { oldest: this.oldest };
        const next = Math.floor(after / step + 1) * step;
        if (next > this.latest) return { events: [], next: after, hasMore: false };
        return { events: [eventAt(next)], next, hasMore: next < this.latest };
      },
    },
    queue: {
      listSubscribers: async (before) => {
        this.looks++;
        return this.subscribers
          .filter(({ position }) => position < before)
          .sort((a, b) => a.position - b.position);
      },
      advance: async (advances) => {
        this.written.push(advances.map(({ channelId }) => channelId));
        for (const { channelId, from, to, deliveries } of advances) {
          const own = this.subscribers.find((each) => each.channelId === channelId);
          if (own?.position !== from) continue;
          this.move(channelId, to);
          this.queued.push(...deliveries);
        }
        return this.full;
      },
      trimDeliveries: async (channelId, kept) => {
        expect(kept).toBe(deliveriesKeptMax);
        await yieldToEventLoop();
        this.trimmed.push(channelId);
      },
    },
    findItems: async (_, scope) => {
      this.reads++;
      return scope === 'all' ? null : { set: this.held, minifig: [] };
    },
    clock: () => this.now,
    onQueued: () => this.queuedCalls++,
    onGone: (channelId, oldest) => this.gone.push([channelId, oldest]),
  });

  add(channelId: number, position: number, more: Partial<Subscriber['subscription']> = {}): void {
    const subscription = { kinds: ['retail.price'] as const, scope: 'all' as EventScope, ...more };
    const account = { accountId: channelId, privateVersion: 1 };
    this.subscribers.push({ channelId, ...account, position, replays: 0, subscription });
  }

  move(channelId: number, position: number): void {
    this.subscribers = this.subscribers.map((each) =>
      each.channelId === channelId ? { ...each, position } : each,
    );
  }

  told(): Set<number> {
    return new Set(this.queued.map(({ channelId }) => channelId));
  }
}

test('however many are far behind, whoever keeps up is told at once, and they in turn', async () => {
  const world = new World();
  const farBehind = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const id of farBehind) world.add(id, id * step);
  world.add(99, latest - 1);
  await world.subscriptions.step();
  expect(world.told()).toContain(99);
  // 16 are told each time, and of the others four.
  for (let steps = 1; steps < 7; steps++) await world.subscriptions.step();
  expect(world.told()).toEqual(new Set([...farBehind, 99]));
});

test('after a change, what was gone through for a webhook before counts no more', async () => {
  const world = new World();
  world.add(1, 9_800, { kinds: ['value.tier'] });
  while (await world.subscriptions.step());
  expect(world.queued).toEqual([]);
  // Nothing concerned it, so that how far it was told is not written down yet.
  expect(world.subscribers[0]?.position).toBe(9_800);
  world.subscribers = [];
  world.add(1, 9_800, { kinds: ['retail.price'] });
  world.now += 1_000;
  while (await world.subscriptions.step());
  expect(world.queued.map(({ position }) => position)).toEqual([9_900, 10_000]);
});

test('a replay reads the log again, also from where it was written down that it was read', async () => {
  const world = new World();
  world.add(1, 9_800, { scope: 'holdings' });
  while (await world.subscriptions.step());
  expect(world.queued).toEqual([]);
  world.held = ['9900'];
  world.subscribers = world.subscribers.map((each) => {
    return { ...each, replays: 1, privateVersion: 2 };
  });
  world.now += 1_000;
  while (await world.subscriptions.step());
  expect(world.queued.map(({ position }) => position)).toEqual([9_900]);
});

test('what an account holds is kept until it changes, for a minute at most', async () => {
  const world = new World();
  world.held = ['9400', '9600'];
  world.add(1, 9_000, { scope: 'holdings' });
  while (await world.subscriptions.step());
  expect(world.queued.map(({ position }) => position)).toEqual([9_400, 9_600]);
  expect(world.reads).toBe(1);
  const goOn = async (change: Partial<Subscriber>) => {
    world.latest += step;
    world.subscribers = world.subscribers.map((each) => ({ ...each, ...change }));
    await world.subscriptions.step();
    return world.reads;
  };
  expect(await goOn({})).toBe(1);
  world.held = ['10200'];
  expect(await goOn({ privateVersion: 2 })).toBe(2);
  expect(world.queued.at(-1)?.position).toBe(10_200);
  world.now += 59_999;
  expect(await goOn({})).toBe(2);
  world.now += 1;
  expect(await goOn({})).toBe(3);
});

test.each([
  [1, 1],
  [1_001, 1],
  [1_002, 2],
  [2_002, 2],
  [2_003, 3],
])(
  'of %i deliveries old ones are removed at first and after every thousand: %i times',
  async (count, times) => {
    const world = new World();
    world.latest = count * step;
    world.add(1, 0);
    world.add(2, 0, { kinds: ['value.tier'] });
    while (await world.subscriptions.step());
    expect(world.queued).toHaveLength(count);
    expect(world.trimmed).toEqual(Array(times).fill(1));
  },
);

test('a delivery says what happened, in the order of its item', async () => {
  const world = new World();
  world.now = 5;
  world.add(7, 9_900);
  expect(await world.subscriptions.step()).toBe(false);
  const [delivery, ...others] = world.queued;
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    channelId: 7,
    messageId: 'evt_7_10000',
    type: 'retail.price',
    orderKey: expect.stringContaining('10000'),
    at: 5,
    position: 10_000,
  });
  const { type, timestamp, data } = JSON.parse(delivery?.body ?? '');
  expect([type, timestamp, data.position]).toEqual(['retail.price', data.at, 10_000]);
  expect(world.queuedCalls).toBe(1);
});

test('while nothing is new, it is looked for once a second', async () => {
  const world = new World();
  world.add(1, latest);
  expect(await world.subscriptions.step()).toBe(false);
  const looksAfter = async (ms: number) => {
    world.now += ms;
    await world.subscriptions.step();
    return world.looks;
  };
  expect(await looksAfter(0)).toBe(1);
  expect(await looksAfter(999)).toBe(1);
  expect(await looksAfter(1)).toBe(2);
  world.latest += step;
  expect(await looksAfter(0)).toBe(3);
  expect(world.queued).toHaveLength(1);
});

test('while there is more to read, it is read without a look at the clock', async () => {
  const world = new World();
  world.add(1, 9_700);
  expect(await world.subscriptions.step()).toBe(true);
  expect(await world.subscriptions.step()).toBe(true);
  expect(await world.subscriptions.step()).toBe(false);
  expect(world.looks).toBe(3);
});

test('nothing is read for a webhook that has gone through everything', async () => {
  const world = new World();
  world.add(1, 9_900, { kinds: ['value.tier'] });
  while (await world.subscriptions.step());
  world.now += 1_000;
  await world.subscriptions.step();
  expect(world.looks).toBe(2);
  expect(world.pages).toEqual([9_900]);
});

test('in one step, 16 pages near the end of the log are read, and 4 further behind in turn', async () => {
  const world = new World();
  const positions = Array.from({ length: 26 }, (_, index) => (index + 1) * step + 1);
  for (const [id, position] of positions.entries()) world.add(id, position);
  const descending = positions.toReversed();
  expect(await world.subscriptions.step()).toBe(true);
  expect(world.pages).toEqual(descending.slice(0, 20));
  world.pages.length = 0;
  await world.subscriptions.step();
  // Whoever is nearest is read for again, and of the others those who had no turn yet.
  expect(world.pages.slice(16)).toEqual(descending.slice(20, 24));
});

test.each([
  [1_999, 1],
  [2_000, 2],
])(
  'a webhook for which as many wait as may is left alone; after %i ms %i pages are read',
  async (ms, pages) => {
    const world = new World();
    world.full = new Set([1]);
    world.add(1, 9_700);
    await world.subscriptions.step();
    world.now += ms;
    await world.subscriptions.step();
    expect(world.pages).toHaveLength(pages);
  },
);

test('how far the log was read for nothing is written down once a minute', async () => {
  const world = new World();
  world.add(1, 9_900, { kinds: ['value.tier'] });
  const positionAfter = async (ms: number) => {
    world.now += ms;
    world.latest += step;
    while (await world.subscriptions.step());
    return world.subscribers[0]?.position;
  };
  expect(await positionAfter(0)).toBe(9_900);
  expect(await positionAfter(59_999)).toBe(9_900);
  expect(await positionAfter(1)).toBe(10_300);
  expect([world.queued, world.queuedCalls, world.trimmed]).toEqual([[], 0, []]);
  // From then on, the next minute counts.
  expect(await positionAfter(1)).toBe(10_300);
  expect(await positionAfter(59_999)).toBe(10_300);
  expect(await positionAfter(1)).toBe(10_600);
});

test('events that are gone are told of, and reading goes on with what is left', async () => {
  const world = new World();
  world.oldest = 9_900;
  world.now = 5;
  world.add(1, 9_000);
  world.add(2, 9_000, { kinds: ['value.tier'] });
  expect(await world.subscriptions.step()).toBe(true);
  expect(world.gone).toEqual([
    [1, 9_900],
    [2, 9_900],
  ]);
  expect(world.queued).toMatchObject([
    { channelId: 1, messageId: 'stale_1_9900', orderKey: null, at: 5, position: 9_900 },
    { channelId: 2, messageId: 'stale_2_9900', orderKey: null, at: 5, position: 9_900 },
  ]);
  expect(world.subscribers.map(({ position }) => position)).toEqual([9_900, 9_900]);
  while (await world.subscriptions.step());
  expect(world.queued).toHaveLength(3);
});

test.each([
  [200, [200]],
  [201, [200, 1]],
])('of %i deliveries 200 are written at a time', async (count, batches) => {
  const world = new World();
  for (let id = 0; id < count; id++) world.add(id, 9_900);
  await world.subscriptions.step();
  expect(world.written.map((ids) => ids.length)).toEqual(batches);
  expect(world.queuedCalls).toBe(batches.length);
  expect(world.queued).toHaveLength(count);
});

test.each<[string, (subscriber: Subscriber) => Subscriber]>([
  ['the scope', (own) => ({ ...own, subscription: { ...own.subscription, scope: 'all' } })],
  ['a replay', (own) => ({ ...own, replays: 1 })],
  ['the position', (own) => ({ ...own, position: 9_600 })],
])('the log is read again after a change of %s', async (_, change) => {
  const world = new World();
  world.add(1, 9_700, { scope: 'holdings' });
  while (await world.subscriptions.step());
  const before = world.pages.length;
  world.now += 1_000;
  await world.subscriptions.step();
  expect(world.pages).toHaveLength(before);
  world.subscribers = world.subscribers.map(change);
  world.now += 1_000;
  await world.subscriptions.step();
  expect(world.pages.length).toBeGreaterThan(before);
});

test('a log without any event has nothing to tell', async () => {
  const world = new World();
  world.latest = 0;
  world.add(1, 0);
  expect(await world.subscriptions.step()).toBe(false);
  expect(world.pages).toEqual([]);
});

test('a page that has nothing new is no reason to go on at once', async () => {
  const world = new World();
  world.latest = latest + 50;
  world.add(1, latest);
  expect(await world.subscriptions.step()).toBe(false);
  expect(world.pages).toEqual([latest]);
  expect([world.queued, world.written]).toEqual([[], []]);
});
