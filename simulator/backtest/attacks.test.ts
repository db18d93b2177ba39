/** Fake sales hardly move a value, and honest changes are followed. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { backtestMarket } from '../market/backtest-market.ts';
import { type Attack, attacks, measureAttacks } from './attacks.ts';
import { presentAttacks } from './backtest-text.ts';
import { type FakesReport, measureFalls } from './falls.ts';
import { measureHonest } from './honest-markets.ts';
import { measurePoisoning } from './poisoning.ts';
import { measureWashSales } from './wash-sales.ts';

let report: FakesReport;

/** The attacks of one day that moved values most with earlier engines, and others of all kinds. */
const isTested = (attack: Attack) =>
  (attack.days < 30 && attack.factor > 1.2 && attack.fakes < 10) ||
  attack.unitsPerSale > 1 ||
  (attack.fakes === 10 && attack.days === 80) ||
  (attack.isRising && !attack.isMarketUnnamed && attack.sellers < 10);

const progress: number[] = [];

const today = Date.UTC(2026, 10, 1);

beforeAll(async () => {
  const onProgress = (done: number, total: number) => progress.push(done / total);
  const estimator = makeEstimator([]);
  const market = { seed: 5, rates: [0.5, 6], sets: 3 };
  const found = measureAttacks(estimator, {
    ...market,
    attacks: attacks.filter(isTested),
    onProgress,
  });
  const items = [
    ...backtestMarket({ world: 'A', seed: 5, today, sets: 150, years: 2, salesPerSet: 52 }),
  ];
  report = {
    ...found,
    falls: measureFalls(estimator, market),
    washSales: measureWashSales(estimator, market),
    poisoning: await measurePoisoning(items, today),
    honest: [
      measureHonest(estimator, items, { world: 'A', isBrickLinkAlone: false, today }),
      measureHonest(estimator, items, { world: 'A', isBrickLinkAlone: true, today }),
    ],
  };
});

describe('an attack', () => {
  test('of one seller moves a value by a tenth at most', () => {
    for (const { sellers, largestMove } of report.attacks) {
      if (sellers === 1) expect(largestMove).toBeLessThan(0.12);
    }
  });

  test('of two or three sellers moves a value little, the less the more it sells', () => {
    for (const { sellers, salesPerMonth, largestMove, fellDaysAgo } of report.attacks) {
      if (fellDaysAgo !== null) continue;
      const most = salesPerMonth < 6 ? 0.18 : 0.1;
      if (sellers === 2 || sellers === 3) expect(largestMove).toBeLessThan(most);
    }
  });

  test('leads to no deal without a warning', () => {
    const steady = report.attacks.filter(({ fellDaysAgo }) => fellDaysAgo === null);
    expect(steady.filter(({ unwarnedDeals }) => unwarnedDeals > 0)).toEqual([]);
  });

  test('at the price before an honest fall does not bring it back', () => {
    // With 0.5 sales a month, most values have not followed the fall yet.
    const returns = report.attacks.filter(
      ({ fellDaysAgo, salesPerMonth }) => fellDaysAgo !== null && salesPerMonth === 6,
    );
    expect(returns).toHaveLength(2);
    for (const { sellers, largestMove, unwarned, unwarnedDeals } of returns) {
      expect(largestMove).toBeLessThan(0.12);
      expect(unwarnedDeals).toBe(0);
      if (sellers === 2) expect(unwarned).toBe(0);
    }
  });

  test('of one liar on a source without names moves a value by a tenth at most', () => {
    const rising = report.attacks.filter(({ isRising, isUnnamed }) => isRising && isUnnamed);
    expect(rising).toHaveLength(2);
    for (const { largestMove, unwarned } of rising) {
      expect(largestMove).toBeLessThan(0.12);
      expect(unwarned).toBe(0);
    }
  });

  test('of three sellers who raise the price together moves a value little', () => {
    const rising = report.attacks.filter(({ isRising, isUnnamed }) => isRising && !isUnnamed);
    expect(rising).toHaveLength(2);
    for (const { largestMove } of rising) expect(largestMove).toBeLessThan(0.5);
  });

  test('costs its sellers what eBay charges', () => {
    const wholesale = report.attacks.find(({ unitsPerSale }) => unitsPerSale > 1);
    // Four sales of ten units at $250, charged 13.25% or more with the sales tax.
    expect(wholesale?.costCents).toBeWithin(1_325_00, 1_700_00);
  });

  test('is measured at each rate of sale', () => {
    const rates = report.attacks.map(({ salesPerMonth }) => salesPerMonth);
    expect([...new Set(rates)]).toEqual([0.5, 6]);
    expect(progress.at(-1)).toBe(1);
  });
});

test('twelve sales by one account make no tier high, and no wait short', () => {
  const [rare] = report.washSales;
  expect(rare?.salesPerMonth).toBe(0.2);
  expect(rare?.high).toBe(0);
  expect((rare?.wait ?? 0) / (rare?.waitBefore ?? 1)).toBeGreaterThan(0.4);
});

test('one account does not teach a theme or a channel its prices', () => {
  expect(report.poisoning).toHaveLength(2);
  for (const { move } of report.poisoning) expect(Math.abs(move)).toBeLessThan(0.03);
});

test('honest markets are hardly in doubt', () => {
  for (const { inDoubt, high } of report.honest) {
    expect(inDoubt).toBeLessThan(0.02);
    expect(high).toBeGreaterThan(0);
  }
});

test('an honest jump is followed after a few sales', () => {
  const shocks = report.changes.filter(({ name }) => name === 'supply shock');
  for (const { followed } of shocks) expect(followed.sales).toBeWithin(3, 10);
  expect(shocks).toHaveLength(2);
});

test('an honest fall is followed, or told as a doubt, after a few sales', () => {
  const fallen = report.changes.filter(({ name }) => name === 'fall');
  expect(fallen).toHaveLength(2);
  for (const { followed, told } of fallen) {
    expect(followed.sales).toBeWithin(3, 15);
    expect(told.sales).toBeWithin(2, Math.min(5, followed.sales) + 1);
  }
});

describe('a fad that crashes', () => {
  const errors = (name: string, salesPerMonth: number) =>
    report.falls.filter((fall) => fall.name === name && fall.salesPerMonth === salesPerMonth);

  test('is followed closer than by a median of 90 days', () => {
    for (const name of ['fad, half of it lost', 'fad, all of it lost']) {
      const found = errors(name, 6);
      expect(found.map(({ condition }) => condition)).toEqual(['sealed', 'used']);
      for (const { error, medianOf90Days } of found) expect(error).toBeLessThan(medianOf90Days);
    }
  });

  test('is measured while it falls and after it', () => {
    for (const { falling, after, error } of report.falls) {
      // 19 days of measurement while it falls, and 18 after.
      expect((19 * falling + 18 * after) / 37).toBeCloseTo(error, 9);
    }
    expect(report.falls).toHaveLength(8);
  });
});

test('the report has a row per attack and change', () => {
  const text = presentAttacks(report, 5);
  expect(text).toContain('\n10 sales by 1 seller at 1.2 times, 80 days ');
  expect(text).toContain('\n4 sales by 2 sellers at 2.5 times, 7 days, 10 units each ');
  expect(text).toContain(
    '\n2 sales by 2 sellers at 2 times, 7 days, 120 days after a fall by half',
  );
  expect(text).toContain('\n20 sales by 1 seller rising to 2.1 times, 60 days, unnamed ');
  expect(text).toContain('\n10 sales at 3 times: the other sets of a quiet theme ');
  expect(text).toMatch(/\nA +BrickLink alone, no seller names /);
  expect(text).toContain('\nsupply shock ');
  expect(text).toContain('\nfad, half of it lost, used ');
});
