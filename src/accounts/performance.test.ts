/** Performance where little is known, or what was written down cannot quite be. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { soldAt } from '../../test/support/portfolio.ts';
import { type FeedLine, startWorld, type World } from '../../test/support/world.ts';
import type { Period } from '../domain/portfolio/periods.ts';
import { readPerformance } from './performance.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.load([
    // A value from the list price alone: no month ever had one.
    { kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast', msrp_usd: 100 },
    { kind: 'set', set_number: '2', title: 'Sloop', theme: 'Coast' },
    ...soldAt('2', 'sealed', ['2026-09-10', 50]),
  ]);
});

afterAll(() => world.close());

async function performanceOf(
  name: string,
  lines: (account: string) => FeedLine[],
  period: Period = '30d',
) {
  const email = `${name}@example.com`;
  await world.addAccount(email);
  expect(await world.ingest(lines(email))).toMatchObject({ rejected: 0 });
  const account = await world.store.accounts.findAccount(email, world.now);
  const when = { period, at: world.now };
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

test('a set whose past is not known claims no return for it', async () => {
  const performance = await performanceOf('raft', (account) =>
    lot(account, { set_number: '1', purchase_price_usd: 50, purchase_date: '2026-01-10' }),
  );
  expect(performance.unrealizedGainCents).toBeGreaterThan(0);
  expect(performance).toMatchObject({ timeWeightedReturn: 0, unrealizedChangeCents: 0 });
});

test('nor does one that was first valued within the period', async () => {
  const bought = { set_number: '2', purchase_price_usd: 10, purchase_date: '2020-01-10' };
  const performance = await performanceOf('sloop', (account) => lot(account, bought), '1y');
  expect(performance).toMatchObject({
    timeWeightedReturn: 0,
    unrealizedGainCents: 40_00,
    unrealizedChangeCents: 0,
  });
  expect(performance.moneyWeightedReturn).toBeCloseTo(0, 9);
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
  // 60 for what cost 40 on the fifth, then 50 for what cost 40 on the tenth: × 1.5 × 1.25.
  expect(performance.timeWeightedReturn).toBeCloseTo(0.875, 10);
  expect(performance).toMatchObject({ realizedGainCents: 20_00, unrealizedGainCents: 10_00 });
});
