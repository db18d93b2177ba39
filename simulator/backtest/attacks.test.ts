/** Fake sales hardly move a value, and honest changes are followed. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { makeEstimator } from '../../src/valuation/engine/estimator.ts';
import { type Attack, attacks, measureAttacks } from './attacks.ts';
import { presentAttacks } from './backtest-text.ts';
import { type FakesReport, measureFalls } from './falls.ts';

let report: FakesReport;

/** The attacks of one day that moved values most with earlier engines, and others of all kinds. */
const isTested = ({ fakes, factor, days, unitsPerSale }: Attack) =>
  (days < 30 && factor > 1.2 && fakes < 10) || unitsPerSale > 1 || (fakes === 10 && days === 80);

const progress: number[] = [];

beforeAll(() => {
  const onProgress = (done: number, total: number) => progress.push(done / total);
  const estimator = makeEstimator([]);
  const market = { seed: 5, rates: [0.5, 6], sets: 3 };
  const found = measureAttacks(estimator, {
    ...market,
    attacks: attacks.filter(isTested),
    onProgress,
  });
  report = { ...found, falls: measureFalls(estimator, market) };
});

describe('an attack', () => {
  test('of one seller moves a value by a tenth at most', () => {
    for (const { sellers, largestMove } of report.attacks) {
      if (sellers === 1) expect(largestMove).toBeLessThan(0.12);
    }
  });

  test('of two or three sellers moves a value little, the less the more it sells', () => {
    for (const { sellers, salesPerMonth, largestMove } of report.attacks) {
      const most = salesPerMonth < 6 ? 0.18 : 0.1;
      if (sellers === 2 || sellers === 3) expect(largestMove).toBeLessThan(most);
    }
  });

  test('leads to no deal without a warning', () => {
    expect(report.attacks.filter(({ unwarnedDeals }) => unwarnedDeals > 0)).toEqual([]);
  });

  test('is measured at each rate of sale', () => {
    const rates = report.attacks.map(({ salesPerMonth }) => salesPerMonth);
    expect([...new Set(rates)]).toEqual([0.5, 6]);
    expect(progress.at(-1)).toBe(1);
  });
});

test('an honest jump is followed after a few sales', () => {
  const shocks = report.changes.filter(({ name }) => name === 'supply shock');
  for (const { sales } of shocks) expect(sales).toBeWithin(3, 10);
  expect(shocks).toHaveLength(2);
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
  expect(text).toContain('\nsupply shock ');
  expect(text).toContain('\nfad, half of it lost, used ');
});
