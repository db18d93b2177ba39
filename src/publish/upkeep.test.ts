/** Upkeep: beside long learning, the lease is kept, and old events go. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import { startWorld, type World } from '../../test/support/world.ts';
import { minuteMs, secondMs } from '../domain/kernel/time.ts';
import { eventsKeptMs } from '../domain/market/events.ts';
import { startUpkeep } from './upkeep.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
  await world.load([{ kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts' }]);
  world.now += 60 * 86_400_000;
});

afterEach(() => world.close());

test('while it learns, nobody else takes over; asked to end, it leaves learning off', async () => {
  const failures: unknown[] = [];
  let pauses = 0;
  const stop = startUpkeep({
    store: world.store.market,
    publisher: {
      ...world.publisher,
      // Learning that goes on for ever, of which every step takes a second.
      publishDue: async (_limit, pause) => {
        for (;;) {
          world.now += secondMs;
          pauses++;
          await pause?.();
        }
      },
    },
    clock: () => world.now,
    holder: 'one',
    bulk: null,
    events: {
      onRound: () => {},
      onPublished: () => {},
      onFailure: (error) => failures.push(error),
    },
  });
  const takeOver = () => {
    const until = world.now + 15 * secondMs;
    const lease = { name: 'upkeep', holder: 'another', at: world.now, until };
    return world.store.market.takeLease(lease);
  };
  const taken: boolean[] = [];
  await until(() => pauses > 0);
  while (pauses < 60) {
    await Bun.sleep(1);
    taken.push(await takeOver());
  }
  expect(taken).not.toContain(true);
  await stop();
  expect(failures).toEqual([]);
});

test('it tells of every round, of all items at once, and of what failed', async () => {
  const told: string[] = [];
  let slices = ['4', '4', '2', 'failure', '1'];
  const publishDue = async () => {
    const [slice = '0', ...rest] = slices;
    slices = rest;
    if (slice === 'failure') throw new Error(slice);
    return Number(slice);
  };
  const stop = startUpkeep({
    store: { ...world.store.market, listDue: async () => [1] },
    publisher: { ...world.publisher, publishDue },
    clock: () => world.now,
    holder: 'one',
    bulk: null,
    events: {
      onRound: (items) => told.push(`round ${items}`),
      onPublished: (items) => told.push(`published ${items}`),
      onFailure: (error) => told.push(String(error)),
    },
  });
  await until(() => told.some((line) => line.startsWith('published')));
  await stop();
  expect(told).toEqual([
    'round 4',
    'round 4',
    'round 2',
    'Error: failure',
    'round 1',
    'round 0',
    'published 11',
  ]);
});

test('old events are removed a slice at a time, and looked for again an hour later', async () => {
  const startedAt = world.now;
  const pruned: number[] = [];
  let left = 2_300;
  const stop = startUpkeep({
    store: {
      ...world.store.market,
      listDue: async () => [1],
      takeLease: async () => true,
      pruneEvents: async (before, limit) => {
        pruned.push(before + eventsKeptMs - startedAt);
        const removed = Math.min(left, limit);
        left -= removed;
        return removed;
      },
    },
    publisher: {
      ...world.publisher,
      publishDue: async () => {
        world.now += 10 * secondMs;
        return 1;
      },
    },
    clock: () => world.now,
    holder: 'one',
    bulk: null,
    events: { onRound: () => {}, onPublished: () => {}, onFailure: () => {} },
  });
  await until(() => pruned.length >= 4);
  await stop();
  expect(left).toBe(0);
  const seconds = pruned.slice(0, 4).map((ms) => ms / secondMs);
  expect(seconds).toEqual([60, 70, 80, 80 + 3_600]);
});

test('files are made a step at a time beside what is due, by whoever holds the lease', async () => {
  const steps: string[] = [];
  let isHolder = false;
  const stop = startUpkeep({
    store: { ...world.store.market, listDue: async () => [1], takeLease: async () => isHolder },
    publisher: {
      ...world.publisher,
      publishDue: async () => {
        steps.push('publish');
        return 1;
      },
    },
    clock: () => world.now,
    holder: 'one',
    bulk: {
      isDue: () => steps.length < 5,
      step: async () => {
        steps.push('make');
        return true;
      },
    },
    events: { onRound: () => {}, onPublished: () => {}, onFailure: () => {} },
  });
  await Bun.sleep(5);
  expect(steps).toEqual([]);
  isHolder = true;
  world.now += minuteMs;
  await until(() => steps.length >= 8);
  await stop();
  const expected = ['make', 'publish', 'make', 'publish', 'make', 'publish', 'publish', 'publish'];
  expect(steps.slice(0, 8)).toEqual(expected);
});
