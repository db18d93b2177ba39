/** Each webhook gets the events it has subscribed to, however far behind others are. */
import { expect, test } from 'bun:test';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { LoggedEvent } from '../../market/events/events.ts';
import type { EventScope } from '../channels/delivery-channel.ts';
import { deliveriesKeptMax, type EventDelivery, type Subscriber } from './delivery.ts';
import { Subscriptions } from './subscriptions.work.ts';

/** The end of the log, which has an event at every hundredth position. */
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
  /** Events up to here are removed. */
  oldest = 0;
  latest = latest;
  /** The sets that every account holds. */
  held: readonly string[] = [];
  /** The webhook of each call of `trimDeliveries`. */
  readonly trimmed: number[] = [];
  /** Calls of `findItems`. */
  reads = 0;
  /** Runs once, during the next call of `findItems`. */
  onFindItems = () => {};
  /** The positions that pages of the log were read from. */
  readonly pages: number[] = [];
  /** The webhooks of each transaction. */
  readonly written: number[][] = [];
  /** Webhooks with as many waiting deliveries as allowed. */
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
      this.onFindItems();
      this.onFindItems = () => {};
      return scope === 'all' ? null : { set: this.held, minifig: [] };
    },
    clock: () => this.now,
    onQueued: () => this.queuedCalls++,
    onGone: (channelId, oldest) => this.gone.push([channelId, oldest]),
  });

  add(channelId: number, position: number, more: Partial<Subscriber['subscription']> = {}): void {
    const subscription = { kinds: ['retail.price'] as const, scope: 'all' as EventScope, ...more };
    const account = { accountId: channelId, privateVersion: 1 };
    this.subscribers.push({ channelId, ...account, position, subscription });
  }

  move(channelId: number, position: number): void {
    this.subscribers = this.subscribers.map((each) =>
      each.channelId === channelId ? { ...each, position } : each,
    );
  }
}

test('a step serves every webhook once, those that keep up first', async () => {
  const world = new World();
  const farBehind = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const id of farBehind) world.add(id, id * step);
  world.add(99, latest - 1);
  expect(await world.subscriptions.step()).toBe(true);
  expect(world.queued.map(({ channelId }) => channelId)).toEqual([99, ...farBehind.toReversed()]);
});

test('webhooks at the same position share a page', async () => {
  const world = new World();
  for (let id = 0; id < 5; id++) world.add(id, 9_800);
  while (await world.subscriptions.step());
  expect(world.pages).toEqual([9_800, 9_900]);
  expect(world.queued).toHaveLength(10);
});

test('a replay that begins while a page is read is not overwritten', async () => {
  const world = new World();
  world.add(1, 9_900, { scope: 'holdings' });
  world.onFindItems = () => world.move(1, 9_700);
  await world.subscriptions.step();
  while (await world.subscriptions.step());
  expect(world.subscribers).toMatchObject([{ position: latest }]);
  expect(world.pages).toEqual([9_900, 9_700, 9_800, 9_900]);
});

test('the items of an account are cached until it changes, for a minute at most', async () => {
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
  'old deliveries are removed with the first delivery and after every thousand: %i, %i times',
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

test('a delivery has the event, and the order key of its item', async () => {
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

test('a step returns whether more events follow', async () => {
  const world = new World();
  world.add(1, 9_700);
  expect(await world.subscriptions.step()).toBe(true);
  expect(await world.subscriptions.step()).toBe(true);
  expect(await world.subscriptions.step()).toBe(false);
});

test('the log is not read for a webhook at its end', async () => {
  const world = new World();
  world.add(1, 9_900, { kinds: ['value.tier'] });
  while (await world.subscriptions.step());
  await world.subscriptions.step();
  expect(world.pages).toEqual([9_900]);
});

test.each([
  [1_999, 1],
  [2_000, 2],
])(
  'a webhook with a full queue is skipped for two seconds: after %i ms, %i pages are read',
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

test('the position is saved also if no event concerns a webhook', async () => {
  const world = new World();
  world.add(1, 9_800, { kinds: ['value.tier'] });
  while (await world.subscriptions.step());
  expect(world.subscribers).toMatchObject([{ position: latest }]);
  expect([world.queued, world.queuedCalls, world.trimmed]).toEqual([[], 0, []]);
});

test('a webhook is told that events are gone, and gets the events that are left', async () => {
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
  [100, [100]],
  [101, [100, 1]],
])('a transaction has at most 100 deliveries: %i', async (count, batches) => {
  const world = new World();
  for (let id = 0; id < count; id++) world.add(id, 9_900);
  await world.subscriptions.step();
  expect(world.written.map((ids) => ids.length)).toEqual(batches);
  expect(world.queuedCalls).toBe(batches.length);
  expect(world.queued).toHaveLength(count);
});

test('a transaction saves at most 100 positions', async () => {
  const world = new World();
  for (let id = 0; id < 101; id++) world.add(id, 9_900, { kinds: ['value.tier'] });
  await world.subscriptions.step();
  expect(world.written.map((ids) => ids.length)).toEqual([100, 1]);
});

test('nothing is queued from an empty log', async () => {
  const world = new World();
  world.latest = 0;
  world.add(1, 0);
  expect(await world.subscriptions.step()).toBe(false);
  expect(world.pages).toEqual([]);
});

test('an empty page ends the reading', async () => {
  const world = new World();
  world.latest = latest + 50;
  world.add(1, latest);
  expect(await world.subscriptions.step()).toBe(false);
  expect(world.pages).toEqual([latest]);
  expect([world.queued, world.written]).toEqual([[], []]);
});
