/** Upkeep keeps its lease during long learning, and removes old events. */
// @runs SQLite, PostgreSQL: publishes with the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';
import { until } from '../../test/support/until.ts';
import { secondMs } from '../kernel/time.ts';
import { eventsKeptMs } from '../market/events/events.ts';
import { startUpkeep } from './upkeep.work.ts';

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld();
  await world.load([{ kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts' }]);
  world.now += 60 * 86_400_000;
});

afterEach(() => world.close());

test('no other process takes over during learning, which stops on request', async () => {
  const failures: unknown[] = [];
  let pauses = 0;
  const stop = startUpkeep({
    store: world.store.market,
    publisher: {
      ...world.publisher,
      // Endless learning with steps of a second.
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

test('every round is reported, published items in one batch, and failures', async () => {
  const reports: string[] = [];
  let slices = ['4', '4', '2', 'failure', '1', '0', '0', '1'];
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
    events: {
      onRound: (items) => reports.push(`round ${items}`),
      onPublished: (items) => reports.push(`published ${items}`),
      onFailure: (error) => reports.push(String(error)),
    },
  });
  await until(() => reports.filter((line) => line.startsWith('published')).length > 1);
  await stop();
  expect(reports).toEqual([
    'round 4',
    'round 4',
    'round 2',
    'Error: failure',
    'round 1',
    'round 0',
    'published 11',
    'round 0',
    'round 1',
    'round 0',
    'published 1',
  ]);
});

test('old events are removed in slices, and checked again an hour later', async () => {
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
    events: { onRound: () => {}, onPublished: () => {}, onFailure: () => {} },
  });
  await until(() => pruned.length >= 4);
  await stop();
  expect(left).toBe(0);
  const seconds = pruned.slice(0, 4).map((ms) => ms / secondMs);
  expect(seconds).toEqual([60, 70, 80, 80 + 3_600]);
});
