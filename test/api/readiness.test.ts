/** /readyz: whether this server should receive requests. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { expect, test } from 'bun:test';
import { Readiness } from '../../src/api/health.ts';
import type { Store } from '../../src/store/store.ts';
import { until } from '../support/until.ts';
import { startWorld } from '../support/world.ts';

test('ready exactly while the store can be read and written', async () => {
  const world = await startWorld();
  const look = async (path: string) => (await fetch(`${world.url}${path}`)).status;
  expect([await look('/readyz'), await look('/healthz')]).toEqual([200, 200]);
  await world.store.close();
  // The result is cached for a second.
  expect(await look('/readyz')).toBe(200);
  world.now += 1_001;
  expect(await look('/readyz')).toBe(503);
  // On PostgreSQL, the last publication is cached for a moment.
  await until(async () => (await look('/healthz')) !== 200);
  expect(await look('/healthz')).toBe(500);
  const answer = await fetch(`${world.url}/readyz`);
  expect(await answer.json()).toEqual({ status: 'unavailable' });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(world.failures).not.toEqual([]);
  await world.close();
});

/** A world, and how often its store was checked. */
async function countChecks(check: (store: Store) => Promise<void>) {
  const world = await startWorld();
  let checks = 0;
  const checkCountable = () => {
    checks++;
    return check(world.store);
  };
  const accounts = { ...world.store.accounts, checkCountable };
  const events: string[] = [];
  const log = {
    statusMin: 0,
    request: () => {},
    event: (event: string) => events.push(`${event} again`),
    failure: (event: string) => events.push(event),
    warning: () => {},
    flush: () => {},
  };
  const { market } = world.store;
  const clock = () => world.now;
  const readiness = new Readiness({ market, accounts, clock, elapsed: clock, log });
  return { world, readiness, events, checks: () => checks };
}

test('the store is checked by writing at most once a second, however many ask', async () => {
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

test('a store that does not respond is not ready, which is logged once', async () => {
  const { world, readiness, events } = await countChecks(() => new Promise(() => {}));
  expect(await Promise.all([readiness.check(), readiness.check()])).toEqual([false, false]);
  expect(events).toEqual(['store']);
  await world.close();
});
