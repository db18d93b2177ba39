/** Daily values of a set before its first month is final. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { dayMs, formatDay } from '../../kernel/time.ts';
import { readAnalytics } from '../../portfolio/returns/analytics.work.ts';

let world: StoredWorld;

const paidCents = 50_00;

const raft = (msrp: number): FeedLine => ({
  kind: 'set',
  set_number: '1',
  title: 'Raft',
  theme: 'Coast',
  msrp_usd: msrp,
});

beforeAll(async () => {
  world = await openWorld('2026-11-10T12:00:00Z');
  await world.addAccount('ann@example.com');
  await world.load([
    raft(100),
    { kind: 'brickfolio', account: 'ann@example.com', name: 'Shelf' },
    {
      kind: 'holding',
      account: 'ann@example.com',
      source_id: 'a',
      brickfolio: 'Shelf',
      set_number: '1',
      quantity: 2,
      condition: 'sealed',
      purchase_price_usd: paidCents / 100,
      purchase_date: '2026-11-05',
    },
  ]);
});

afterAll(() => world.close());

/** The value of one raft on each of the last days, by date. */
async function values(): Promise<Record<string, number>> {
  const account = await world.store.accounts.findAccount('ann@example.com', world.now);
  const when = { period: '30d', at: world.now } as const;
  const { points } = await readAnalytics(world.store, account?.id ?? 0, when);
  return Object.fromEntries(
    points.map((point) => [formatDay(point.day * dayMs), point.valueCents / 2]),
  );
}

test('units stand at cost before the first value, and each value applies until the next', async () => {
  const first = (await values())['2026-11-10'] ?? 0;
  expect(first).toBeGreaterThan(paidCents);
  expect(await values()).toMatchObject({
    '2026-11-04': 0,
    '2026-11-05': paidCents,
    '2026-11-09': paidCents,
  });
  world.now += 3 * dayMs;
  const until = { '2026-11-09': paidCents, '2026-11-10': first, '2026-11-12': first };
  expect(await values()).toMatchObject({ ...until, '2026-11-13': first });
  await world.load([raft(200)]);
  const second = (await values())['2026-11-13'] ?? 0;
  expect(second).toBeGreaterThan(first);
  world.now += 2 * dayMs;
  const { '2026-11-14': yesterday, '2026-11-15': today } = await values();
  expect([yesterday, today]).toEqual([second, second]);
  const { '2026-11-10': then, '2026-11-11': day, '2026-11-12': before } = await values();
  expect([then, day, before]).toEqual([first, first, first]);
});
