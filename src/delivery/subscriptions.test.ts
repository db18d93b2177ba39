/** Webhooks are told of what they asked for, whoever else is behind. */
import { expect, test } from 'bun:test';
import type { EventScope } from '../domain/delivery/channel.ts';
import type { EventDelivery } from '../domain/delivery/delivery.ts';
import type { Subscriber } from '../domain/delivery/delivery-store.ts';
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
  now = 0;
  readonly subscriptions = new Subscriptions({
    market: {
      listEvents: async ({ after }) => {
        if (after === null) return { events: [], next: this.latest, hasMore: false };
        if (after < this.oldest) return { oldest: this.oldest };
        const next = Math.floor(after / step + 1) * step;
        return { events: [eventAt(next)], next, hasMore: next < this.latest };
      },
    },
    queue: {
      listSubscribers: async (before) =>
        this.subscribers
          .filter(({ position }) => position < before)
          .sort((a, b) => a.position - b.position),
      advance: async (advances) => {
        for (const { channelId, from, to, deliveries } of advances) {
          const own = this.subscribers.find((each) => each.channelId === channelId);
          if (own?.position !== from) continue;
          this.move(channelId, to);
          this.queued.push(...deliveries);
        }
        return new Set();
      },
      trimDeliveries: async (channelId) => {
        this.trimmed.push(channelId);
      },
    },
    findItems: async (_, scope) => {
      this.reads++;
      return scope === 'all' ? null : { set: this.held, minifig: [] };
    },
    clock: () => this.now,
    onQueued: () => {},
    onGone: () => {},
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
  world.now += 60_000;
  expect(await goOn({})).toBe(3);
});

test('old deliveries are removed at first, and then after every thousand', async () => {
  const world = new World();
  world.latest = 2_010 * step;
  world.add(1, 0);
  world.add(2, 0, { kinds: ['value.tier'] });
  while (await world.subscriptions.step());
  expect(world.queued).toHaveLength(2_010);
  expect(world.trimmed).toEqual([1, 1, 1]);
});
