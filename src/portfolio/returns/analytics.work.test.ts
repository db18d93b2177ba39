/** Analytics and performance on a real store: a portfolio calculated by hand, and edge cases. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readPerformance } from '../../../test/support/performance.ts';
import {
  portfolioMarket,
  portfolioOf,
  portfolioOnDays,
  soldAt,
} from '../../../test/support/portfolio.ts';
import { type FeedLine, openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { dayMs, formatDay } from '../../kernel/time.ts';
import { readAnalytics, readPositions } from './analytics.work.ts';
import { type Period, periods } from './periods.ts';
import type { PortfolioData } from './portfolio-data.work.ts';
import type { GradedPosition } from './value-history.ts';

let world: StoredWorld;

beforeAll(async () => {
  world = await openWorld();
  await world.load([
    ...portfolioMarket,
    // Worth 50.00 at the end of September and ever since.
    { kind: 'set', set_number: '2001', title: 'Sloop', theme: 'Coast' },
    ...soldAt('2001', 'sealed', ['2026-09-10', 50]),
    // Sealed 20.00 for years and now 30.00; used 10.00, unknown before October.
    { kind: 'set', set_number: '2003', title: 'Cutter', theme: 'Coast' },
    ...soldAt('2003', 'sealed', ['2024-03-10', 20]),
    ...soldAt('2003', 'sealed', ['2026-10-10', 30]),
    ...soldAt('2003', 'used', ['2026-10-10', 10]),
  ]);
});

afterAll(() => world.close());

/** An account with these lines; none of them may be rejected. */
async function accountWith(name: string, lines: (email: string) => FeedLine[]): Promise<number> {
  const email = `${name}@example.com`;
  await world.addAccount(email);
  const { rejected } = await world.ingest(lines(email));
  expect(rejected).toBe(0);
  return (await world.store.accounts.findAccount(email, world.now))?.id ?? 0;
}

const analyticsOf = (accountId: number, period: Period) =>
  readAnalytics(world.store, accountId, { period, at: world.now });
const performanceOf = (accountId: number, range: Period) =>
  readPerformance(world.store, accountId, { range, at: world.now });

/** Two sloops for 40.00 each. */
const sloops = (account: string, date: string): FeedLine[] => [
  { kind: 'brickfolio', account, name: 'Harbour' },
  {
    kind: 'holding',
    account,
    source_id: 'sloops',
    brickfolio: 'Harbour',
    quantity: 2,
    set_number: '2001',
    condition: 'sealed',
    purchase_price_usd: 40,
    purchase_date: date,
  },
];

const sale = (account: string, facts: FeedLine): FeedLine => ({
  kind: 'ledger_sale',
  account,
  source_id: 'sale',
  set_number: '2001',
  platform: 'local',
  quantity: 2,
  gross_proceeds_usd: 120,
  ...facts,
});

describe('the performance of the portfolio', () => {
  let accountId: number;

  beforeAll(async () => {
    accountId = await accountWith('collector', portfolioOf);
  });

  const valueOn = (date: string) => portfolioOnDays[date]?.[0] ?? Number.NaN;

  test.each([
    // 25 of sale-3, 102 of sale-4, 10.09 of sale-5; the gain was 456.20 on 16 October
    ['30d', 137_09, -226_80],
    // and 150 of sale-2; the gain was 150 on 17 August
    ['90d', 287_09, 79_40],
    // and −9.73 of sale-1; the gain was 60 a year ago
    ['1y', 277_36, 169_40],
  ] as const)(
    'over %s has the realized gain, and the change of the unrealized gain',
    async (period, realized, change) => {
      expect(await performanceOf(accountId, period)).toMatchObject({
        realizedGainCents: realized,
        unrealizedGainCents: 229_40,
        unrealizedChangeCents: change,
      });
    },
  );

  /** Without the units of set 1005, which never had a value and stand at cost. */
  const valuedOn = (date: string) => valueOn(date) - 66.66;

  // Days without a trade telescope. Units enter at the value of their day, and leave at the value
  // of the day before, so only the units kept over a day count.
  const sinceOctober =
    // 30 October: a windmill leaves at 125. 31 October: two cabooses enter at their first value.
    ((valuedOn('2026-10-31') - 2 * 50) / (valuedOn('2026-10-16') - 125)) *
    (valuedOn('2026-11-04') / valuedOn('2026-10-31')) *
    // 5 November: a windmill leaves at 104.56. From there to today.
    (valuedOn('2026-11-05') / (valuedOn('2026-11-04') - 104.56)) *
    (valuedOn('2026-11-15') / valuedOn('2026-11-05'));
  const sinceAugust =
    // 5 September: two presents enter at 86.18 each.
    (valuedOn('2026-09-04') / 600) *
    ((valuedOn('2026-09-05') - 2 * 86.18) / valuedOn('2026-09-04')) *
    (valuedOn('2026-09-11') / valuedOn('2026-09-05')) *
    // 12 September: four windmills enter at 95.64 each.
    ((valuedOn('2026-09-12') - 4 * 95.64) / valuedOn('2026-09-11')) *
    (valuedOn('2026-09-19') / valuedOn('2026-09-12')) *
    // 20 September: four lighthouses leave at 119.85 each.
    (valuedOn('2026-09-20') / (valuedOn('2026-09-19') - 4 * 119.85)) *
    (valuedOn('2026-09-30') / valuedOn('2026-09-20')) *
    sinceOctober;
  const sinceLastYear =
    (300 / 240) *
    // 4 July: three lighthouses enter at 100 each.
    ((600 - 3 * 100) / 300) *
    sinceAugust;

  test.each([
    ['30d', sinceOctober - 1, -0.119022],
    ['90d', sinceAugust - 1, 0.255848],
    ['1y', sinceLastYear - 1, 0.56981],
  ] as const)(
    'over %s has the time-weighted return of its links',
    async (period, linked, worked) => {
      const { timeWeightedReturn } = await performanceOf(accountId, period);
      expect(timeWeightedReturn).toBeCloseTo(linked, 12);
      expect(timeWeightedReturn).toBeCloseTo(worked, 6);
    },
  );

  /** Cash flows in dollars (negative: out) by days before today; current holdings last. */
  const recent = { 26: 80, 16: -102, 10: -105.09, 0: -841.06 };
  const autumn = { 64: 380, 56: -420 };
  const lastYear = { 364: 240, 260: 99.99, 245: -23.6, 134: 270 };

  test.each([
    ['30d', { 30: 1082.86, ...recent }, -0.75162],
    ['90d', { 90: 666.66, ...autumn, ...recent }, 4.26531],
    ['1y', { ...lastYear, ...autumn, ...recent }, 1.154517],
  ] as const)('over %s has the yearly rate of its cash flows', async (period, flows, rate) => {
    const { moneyWeightedReturn } = await performanceOf(accountId, period);
    expect(moneyWeightedReturn).toBeCloseTo(rate, 5);
    const growth = 1 + (moneyWeightedReturn ?? 0);
    const grown = Object.entries(flows).map(([days, usd]) => usd * growth ** (Number(days) / 365));
    expect(grown.reduce((sum, usd) => sum + usd)).toBeCloseTo(0, 6);
  });
});

test.each([
  ['30d', 31],
  ['90d', 91],
  ['1y', 53],
] as const)(
  'an account that never had anything has %s of zeros, and no returns',
  async (period, points) => {
    const accountId = await accountWith(`empty-${period}`, () => []);
    const analytics = await analyticsOf(accountId, period);
    const nothing = { costCents: 0, valueCents: 0, gainCents: 0, gainPct: 0 };
    expect(analytics.total).toEqual({ distinctCount: 0, itemCount: 0, ...nothing });
    expect([analytics.gainer, analytics.loser]).toEqual([null, null]);
    expect(analytics.points.length).toBe(points);
    expect(analytics.points.every((p) => p.valueCents === 0 && p.costCents === 0)).toBe(true);
    expect(await performanceOf(accountId, period)).toMatchObject({
      undatedLots: 0,
      timeWeightedReturn: null,
      moneyWeightedReturn: null,
      realizedGainCents: 0,
      unrealizedGainCents: 0,
      unrealizedChangeCents: 0,
    });
  },
);

describe('an account that sold everything', () => {
  let accountId: number;

  beforeAll(async () => {
    accountId = await accountWith('sold', (email) => [
      ...sloops(email, '2026-09-01'),
      sale(email, { sale_date: '2026-11-05' }),
    ]);
  });

  test('holds nothing now, and its past stays until the day before the sale', async () => {
    const { total, gainer, loser, points } = await analyticsOf(accountId, '30d');
    expect(total).toMatchObject({ distinctCount: 0, itemCount: 0, costCents: 0, valueCents: 0 });
    expect([gainer, loser]).toEqual([null, null]);
    // 16 October to 4 November are 20 days at 2 × 50 and 2 × 40; 5 to 15 November are 11.
    const expected = [...Array(20).fill([100_00, 80_00]), ...Array(11).fill([0, 0])];
    expect(points.map((point) => [point.valueCents, point.costCents])).toEqual(expected);
  });

  test('has the gains of its proceeds, and the return of the market', async () => {
    const performance = await performanceOf(accountId, '30d');
    expect(performance).toMatchObject({
      realizedGainCents: 40_00, // 120 − 80
      unrealizedGainCents: 0,
      unrealizedChangeCents: -20_00, // the gain of 100 − 80 is realized now
    });
    // 50 each all along; 120 − 100 was gained by selling.
    expect(performance.timeWeightedReturn).toBeCloseTo(0, 12);
    expect(performance.gains).toEqual({
      buyingCents: 0,
      beforeValuesCents: 0,
      marketCents: 0,
      sellingCents: 20_00,
      totalCents: 20_00,
    });
    // 20 % in 20 days: 1.2^(365 ÷ 20) − 1 is more than 1,000 %, which is not shown.
    expect(performance.moneyWeightedReturn).toBeNull();
  });

  test('has a money-weighted return if there is one', async () => {
    // Bought for 80 on 1 September, sold for 120 on 5 November, 65 days later.
    const { moneyWeightedReturn, timeWeightedReturn } = await performanceOf(accountId, '90d');
    expect(moneyWeightedReturn).toBeCloseTo(1.5 ** (365 / 65) - 1, 6); // 8.744…
    // Bought and sold away from the value, which stayed at 50 each.
    expect(timeWeightedReturn).toBeCloseTo(0, 12);
  });
});

describe('sales', () => {
  test('with an entered cost are realized, but are no cash flows of the portfolio', async () => {
    const plain = await accountWith('plain', (email) => sloops(email, '2026-09-01'));
    const given = await accountWith('given', (email) => [
      ...sloops(email, '2026-09-01'),
      sale(email, { sale_date: '2026-11-05', cost_basis_usd: 30 }),
    ]);
    for (const period of periods) {
      const without = await performanceOf(plain, period);
      expect(without.realizedGainCents).toBe(0);
      // 120 − 30
      const realized = { realizedGainCents: 90_00, undatedSalesCents: 90_00 };
      expect(await performanceOf(given, period)).toEqual({ ...without, ...realized });
      expect((await analyticsOf(given, period)).points).toEqual(
        (await analyticsOf(plain, period)).points,
      );
    }
    // 80 paid for what was first valued at 100, on the last day of the month.
    const gains = { buyingCents: 0, beforeValuesCents: 20_00, marketCents: 0, sellingCents: 0 };
    expect(await performanceOf(given, '90d')).toMatchObject({ timeWeightedReturn: 0, gains });
  });

  test('count in a period that starts before their day, not in one that starts on it', async () => {
    // 16 October is the first point of 30 days, after the sales of that day.
    const sold = (name: string, date: string) =>
      accountWith(name, (email) => [
        ...sloops(email, '2026-09-01'),
        sale(email, { sale_date: date, quantity: 1, gross_proceeds_usd: 60 }),
      ]);
    const first = await performanceOf(await sold('first', '2026-10-16'), '30d');
    const second = await performanceOf(await sold('second', '2026-10-17'), '30d');
    expect([first.realizedGainCents, second.realizedGainCents]).toEqual([0, 20_00]);
    // One unit at 50 all along; and 2 × 50 of which one left at 50, for 60.
    expect([first.timeWeightedReturn, second.timeWeightedReturn]).toEqual([0, 0]);
    expect([first.gains?.sellingCents, second.gains?.sellingCents]).toEqual([0, 10_00]);
    expect([first.unrealizedChangeCents, second.unrealizedChangeCents]).toEqual([0, -10_00]);
  });
});

test('units bought and sold on the same day count in gains, but in no point or return', async () => {
  const accountId = await accountWith('flip', (email) => [
    ...sloops(email, '2026-11-05'),
    sale(email, { sale_date: '2026-11-05' }),
  ]);
  const { points } = await analyticsOf(accountId, '30d');
  expect(points.every((point) => point.valueCents === 0 && point.costCents === 0)).toBe(true);
  expect(await performanceOf(accountId, '30d')).toMatchObject({
    timeWeightedReturn: null, // nothing was kept over a day
    // Worth 100: bought for 80, sold for 120.
    gains: { buyingCents: 20_00, marketCents: 0, sellingCents: 20_00, totalCents: 40_00 },
    realizedGainCents: 40_00,
  });
});

test('each condition of a set follows its own months, however long its history', async () => {
  const accountId = await accountWith('cutters', (email) => {
    const [brickfolio = {}, lot] = sloops(email, '2025-01-01');
    const cutters = { ...lot, set_number: '2003' };
    return [brickfolio, cutters, { ...cutters, source_id: 'used', condition: 'used' }];
  });
  const { points } = await analyticsOf(accountId, '1y');
  // A year ago 2 × 20 sealed, and 2 used at their cost of 40; on 1 November 2 × 30 and 2 × 10.
  const found = [points[0], points.at(-3), points.at(-1)].map((point) => point?.valueCents);
  expect(found).toEqual([120_00, 80_00, 80_00]);
});

test('an unpublished set counts at its cost, without a gain', async () => {
  await world.ingest([{ kind: 'set', set_number: '2002', title: 'Barge', theme: 'Coast' }]);
  const accountId = await accountWith('early', (email) => {
    const [brickfolio = {}, lot] = sloops(email, '2026-11-01');
    return [brickfolio, { ...lot, set_number: '2002' }];
  });
  const { total, gainer, loser, points } = await analyticsOf(accountId, '30d');
  expect(total).toMatchObject({
    distinctCount: 1,
    itemCount: 2,
    costCents: 80_00,
    valueCents: 80_00,
  });
  expect([gainer, loser]).toEqual([null, null]);
  expect(points.at(-1)).toMatchObject({ valueCents: 80_00, costCents: 80_00 });
});

test('the last point is the requested day, and equals the total', async () => {
  const accountId = await accountWith('days', portfolioOf);
  for (const period of periods) {
    for (const days of [0, 1, 6, 22, 23, 60]) {
      const at = world.now + days * dayMs;
      const { total, points } = await readAnalytics(world.store, accountId, { period, at });
      const last = points.at(-1);
      expect(formatDay((last?.day ?? 0) * dayMs)).toBe(formatDay(at));
      expect([last?.valueCents, last?.costCents]).toEqual([841_06, 611_66]);
      expect([total.valueCents, total.costCents]).toEqual([841_06, 611_66]);
    }
  }
});

test('the event loop gets a turn after every 10,000 lots', async () => {
  const lot: GradedPosition = {
    key: '1',
    condition: 'sealed',
    grade: null,
    boughtOn: 20_000,
    quantity: 1,
    priceCents: 10_00,
    isEstimated: false,
    isDated: true,
    exits: [],
  };
  const happened: string[] = [];
  const accounts = {
    listPositions: async (_: number, { after, limit }: { after: string; limit: number }) => {
      happened.push(`${limit} after '${after}'`);
      setImmediate(() => happened.push('turn'));
      return after === '' ? Array<GradedPosition>(limit).fill(lot) : [];
    },
  };
  const market = { findItemValues: async () => [] };
  const groups = await readPositions({ accounts, market } as unknown as PortfolioData, 1, ['set']);
  expect(happened).toEqual(["10000 after ''", 'turn', "10000 after '1'", 'turn']);
  expect(groups.map(({ positions }) => positions.length)).toEqual([10_000]);
});

test('a grade lowers the value of its lots now and on every day, in whole cents', async () => {
  const graded = (account: string): FeedLine[] => [
    ...sloops(account, '2024-10-01').map((line) =>
      line.kind === 'holding' ? { ...line, grade: 'damaged_box' } : line,
    ),
    ...sloops(account, '2024-10-01')
      .slice(1)
      .map((line) => ({ ...line, source_id: 'perfect' })),
  ];
  const whole = await accountWith('whole', (email) => sloops(email, '2024-10-01'));
  const accountId = await accountWith('graded', graded);
  const { points: plain } = await analyticsOf(whole, '30d');
  const { total, points } = await analyticsOf(accountId, '30d');
  // Two sloops at 50.00 and two at 45.00.
  expect(total.valueCents).toBe(190_00);
  expect(points.at(-1)?.valueCents).toBe(190_00);
  expect(points.map(({ valueCents }) => valueCents)).toEqual(
    plain.map(({ valueCents }) => valueCents + 2 * Math.round((valueCents / 2) * 0.9)),
  );
  const { sums } = await readPerformance(world.store, accountId, { range: 'all', at: world.now });
  expect(sums.at(-1)?.valueCents).toBe(190_00);
  // At cost before the first value.
  expect(sums.find(({ valueCents }) => valueCents > 0)).toMatchObject({
    valueCents: 160_00,
    atCostCents: 160_00,
  });
});
