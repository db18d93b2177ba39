/** Whether requests should be sent here: /readyz. */
import { expect, test } from 'bun:test';
import { Readiness } from '../../src/api/health.ts';
import type { Store } from '../../src/domain/store.ts';
import { until } from '../support/until.ts';
import { startWorld } from '../support/world.ts';

test('it is ready while the store can be read and written to, and no longer', async () => {
  const world = await startWorld();
  const look = async (path: string) => (await fetch(`${world.url}${path}`)).status;
  expect([await look('/readyz'), await look('/healthz')]).toEqual([200, 200]);
  await world.store.close();
  // What was found out is good for a second.
  expect(await look('/readyz')).toBe(200);
  world.now += 1_001;
  expect(await look('/readyz')).toBe(503);
  // On PostgreSQL, the last publication is known for a moment.
  await until(async () => (await look('/healthz')) !== 200);
  expect(await look('/healthz')).toBe(500);
  const answer = await fetch(`${world.url}/readyz`);
  expect(await answer.json()).toEqual({ status: 'unavailable' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(world.failures).not.toEqual([]);
  await world.close();
});

/** A world, what is found out of its store, and how often that was. */
async function countChecks(check: (store: Store) => Promise<void>) {
  const world = await startWorld();
  let checks = 0;
  const checkCountable = () => {
    checks++;
    return check(world.store);
  };
  const accounts = { ...world.store.accounts, checkCountable };
  const told: string[] = [];
  const log = {
    statusMin: 0,
    request: () => {},
    event: (event: string) => told.push(`${event} again`),
    failure: (event: string) => told.push(event),
    warning: () => {},
    flush: () => {},
  };
  const { market } = world.store;
  const clock = () => world.now;
  const readiness = new Readiness({ market, accounts, clock, elapsed: clock, log });
  return { world, readiness, told, checks: () => checks };
}

test('however many ask, the store is written to once a second', async () => {
  const { world, readiness, checks } = await countChecks((store) =>
    store.accounts.checkCountable(0),
  );
  const startedAt = world.now;
  for (; world.now <= startedAt + 2_100; world.now += 70) {
    const all = await Promise.all(Array.from({ length: 50 }, () => readiness.check()));
    expect(new Set(all)).toEqual(new Set([true]));
  }
  expect(checks()).toBe(3);
  await world.close();
});

test('a store that does not answer is not ready, and the log says so once', async () => {
  const { world, readiness, told } = await countChecks(() => new Promise(() => {}));
  expect(await Promise.all([readiness.check(), readiness.check()])).toEqual([false, false]);
  expect(told).toEqual(['store']);
  await world.close();
});
