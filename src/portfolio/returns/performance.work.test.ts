/** Performance with unknown or inconsistent data. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { applyRows } from '../../../test/support/own-rows.ts';
import { readPerformance } from '../../../test/support/performance.ts';
import { soldAt } from '../../../test/support/portfolio.ts';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { lotFacts, type StoredLot } from '../lots/lots.ts';
import type { Range } from './periods.ts';

let world: StoredWorld;

beforeAll(async () => {
  world = await openWorld();
  await world.load([
    // Valued from the list price alone, so no month has a value.
    { kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast', msrp_usd: 100 },
    { kind: 'set', set_number: '2', title: 'Sloop', theme: 'Coast' },
    ...soldAt('2', 'sealed', ['2026-09-10', 50]),
  ]);
});

afterAll(() => world.close());

async function performanceOf(
  name: string,
  lines: (account: string) => FeedLine[],
  range: Range = '30d',
) {
  const email = `${name}@example.com`;
  await world.addAccount(email);
  expect(await world.ingest(lines(email))).toMatchObject({ rejected: 0 });
  const account = await world.store.accounts.findAccount(email, world.now);
  const when = { range, at: world.now };
  return readPerformance(world.store, account?.id ?? 0, when);
}

const lot = (account: string, facts: FeedLine): FeedLine[] => [
  { kind: 'brickfolio', account, name: 'Shelf' },
  {
    kind: 'holding',
    account,
    source_id: 'lot',
    brickfolio: 'Shelf',
    condition: 'sealed',
    quantity: 1,
    ...facts,
  },
];

test('a set with an unknown past has no return, and its first value is no gain of the market', async () => {
  const performance = await performanceOf('raft', (account) =>
    lot(account, { set_number: '1', purchase_price_usd: 50, purchase_date: '2026-01-10' }),
  );
  expect(performance.unrealizedGainCents).toBeGreaterThan(0);
  const gain = performance.unrealizedGainCents;
  expect(performance).toMatchObject({
    timeWeightedReturn: null,
    unrealizedChangeCents: gain,
    gains: { buyingCents: 0, beforeValuesCents: gain, marketCents: 0, totalCents: gain },
  });
});

test('a set first valued within the period has no return before that', async () => {
  const bought = { set_number: '2', purchase_price_usd: 10, purchase_date: '2020-01-10' };
  const performance = await performanceOf('sloop', (account) => lot(account, bought), '1y');
  expect(performance).toMatchObject({
    timeWeightedReturn: 0,
    moneyWeightedReturn: null,
    unrealizedGainCents: 40_00,
    unrealizedChangeCents: 40_00,
    gains: { beforeValuesCents: 40_00, marketCents: 0, totalCents: 40_00 },
  });
  const all = await performanceOf('old-sloop', (account) => lot(account, bought), 'all');
  // From 10 to 50 in the 2,501 days from January 10, 2020 to November 15, 2026.
  expect(all.moneyWeightedReturn).toBeCloseTo(5 ** (365 / 2501) - 1, 6);
});

test('all time has every sale, even from before the first purchase', async () => {
  const lines = (account: string) => [
    ...lot(account, { set_number: '2', purchase_price_usd: 40, purchase_date: '2026-11-10' }),
    {
      kind: 'ledger_sale',
      account,
      source_id: 'sale',
      set_number: '2',
      platform: 'other',
      sale_date: '2020-02-02',
      quantity: 1,
      gross_proceeds_usd: 90,
      cost_basis_usd: 40,
    },
  ];
  expect(await performanceOf('veteran', lines, 'all')).toMatchObject({ realizedGainCents: 50_00 });
  expect(await performanceOf('veteran', lines, '1y')).toMatchObject({ realizedGainCents: 0 });
});

test('a sale dated before the purchase of its lot counts as bought and sold on that day', async () => {
  const performance = await performanceOf('hasty', (account) => [
    ...lot(account, {
      set_number: '2',
      purchase_price_usd: 40,
      purchase_date: '2026-11-10',
      quantity: 2,
    }),
    {
      kind: 'ledger_sale',
      account,
      source_id: 'sale',
      set_number: '2',
      platform: 'local',
      sale_date: '2026-11-05',
      quantity: 1,
      gross_proceeds_usd: 60,
    },
  ]);
  expect(performance).toMatchObject({
    timeWeightedReturn: 0,
    // 60 for what cost 40 on the fifth, then 50 for what cost 40 on the tenth.
    gains: { buyingCents: 10_00, marketCents: 0, sellingCents: 20_00, totalCents: 30_00 },
    realizedGainCents: 20_00,
    unrealizedGainCents: 10_00,
  });
});

test('a lot without a purchase date counts in value, but not in returns', async () => {
  const lots = (account: string): FeedLine[] => [
    ...lot(account, { set_number: '2', purchase_price_usd: 40, purchase_date: '2026-11-01' }),
    ...lot(account, {
      source_id: 'undated',
      set_number: '2',
      purchase_price_usd: 5,
      purchase_date: '2026-11-02',
      quantity: 3,
    }).slice(1),
    {
      kind: 'ledger_sale',
      account,
      source_id: 'sale',
      set_number: '2',
      platform: 'local',
      sale_date: '2026-11-05',
      quantity: 2,
      gross_proceeds_usd: 120,
    },
  ];
  const dated = await performanceOf('dated', lots);
  // Worth 50 each: 10 and three times 45 below it, and two sold for 10 above it.
  expect(dated.gains).toEqual({
    buyingCents: 145_00,
    beforeValuesCents: 0,
    marketCents: 0,
    sellingCents: 20_00,
    totalCents: 165_00,
  });
  const account = await world.store.accounts.findAccount('dated@example.com', world.now);
  const accountId = account?.id ?? 0;
  const stored = await world.store.accounts.findLotsBySourceIds(accountId, ['undated']);
  const facts = { ...lotFacts(stored.get('undated') as StoredLot), dateBasis: 'unknown' as const };
  const row = { kind: 'holding' as const, email: 'dated@example.com', facts };
  await applyRows(world.store.accounts, [row], world.now);
  const left = await readPerformance(world.store, accountId, { range: '30d', at: world.now });
  expect(left).toMatchObject({
    // One unit bought for 40 was sold for its half of 120.
    gains: { buyingCents: 10_00, marketCents: 0, sellingCents: 10_00, totalCents: 20_00 },
    undatedLots: 1,
    unrealizedChangeCents: 0,
    realizedGainCents: dated.realizedGainCents,
    unrealizedGainCents: dated.unrealizedGainCents,
    sums: dated.sums,
  });
});

test('a collection without purchase dates has no gain of the range', async () => {
  const bought = { set_number: '2', purchase_price_usd: 40, purchase_date: '2019-01-01' };
  await performanceOf('drift', (account) => lot(account, bought));
  const { accounts } = world.store;
  const accountId = (await accounts.findAccount('drift@example.com', world.now))?.id ?? 0;
  const [stored] = await accounts.listLots(accountId, { after: 0, limit: 1 });
  const facts = { ...lotFacts(stored as StoredLot), dateBasis: 'unknown' as const };
  const row = { kind: 'holding' as const, email: 'drift@example.com', facts };
  await applyRows(accounts, [row], world.now);
  const left = await readPerformance(world.store, accountId, { range: 'all', at: world.now });
  expect(left).toMatchObject({ undatedLots: 1, unrealizedChangeCents: null, gains: null });
  expect(left.timeWeightedReturn).toBeNull();
  expect(left.span.days).toHaveLength(365);
});

test('all time goes back to the first purchase, with months of any age', async () => {
  await world.load([
    { kind: 'set', set_number: '3', title: 'Ketch', theme: 'Coast' },
    ...soldAt('3', 'sealed', ['2021-03-10', 20]),
    ...soldAt('3', 'sealed', ['2026-10-10', 80]),
  ]);
  const bought = { set_number: '3', purchase_price_usd: 10, purchase_date: '2021-06-01' };
  const { span, sums, returns, gains } = await performanceOf(
    'ketch',
    (each) => lot(each, bought),
    'all',
  );
  expect(span.days.length).toBeLessThanOrEqual(365);
  expect(sums[0]).toMatchObject({ valueCents: 0, costCents: 0 });
  const first = sums.findIndex(({ costCents }) => costCents > 0);
  expect(sums[first]).toMatchObject({ valueCents: 20_00, costCents: 10_00 });
  expect(sums.at(-1)).toMatchObject({ valueCents: 80_00, costCents: 10_00 });
  // From 20 to 80; the first 10 were gained by buying below the value.
  expect([returns[first], returns[first + 1]]).toEqual([null, expect.any(Number)]);
  expect(returns.at(-1)).toBeCloseTo(3, 9);
  expect(gains).toEqual({
    buyingCents: 10_00,
    beforeValuesCents: 0,
    marketCents: 60_00,
    sellingCents: 0,
    totalCents: 70_00,
  });
});
