/** Probes on estimators with known results. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../src/kernel/time.ts';
import type { DataTier, Evidence } from '../../src/market/evidence/evidence.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import type { Estimator, SetToValue } from '../../src/market/values/estimator.ts';
import { aStoredSale } from '../../test/support/builders.ts';
import { oddSaleChanges, probe, stepShares } from './probes.ts';
import type { BacktestItem } from './worlds.ts';

const at = Date.UTC(2026, 0, 1);

/** An estimator with a given function of the sales up to an instant. */
function estimatorWith(
  cents: (sales: readonly StoredSale[]) => number,
  facts: { tier?: DataTier; valueSpread?: number } = {},
): Estimator {
  const { tier = 'high', valueSpread = 0.05 } = facts;
  const { valueAt } = makeEstimator([]).prepareSet(emptySet);
  return {
    ...makeEstimator([]),
    prepareSet: ({ sales }) => ({
      ...makeEstimator([]).prepareSet(emptySet),
      valueAt: (when) => {
        const valueCents = cents(sales.filter(({ soldAt }) => soldAt <= when));
        const value = { valueCents, lowCents: valueCents, highCents: valueCents };
        const sealed = {
          ...value,
          valueSpread,
          saleSpread: 0,
          firstSale: null,
          latestSale: null,
          sales: { ever: 0, days30: 0, days90: 0, days180: 0, days365: 0 },
        };
        const evidence: Evidence = { ...valueAt(when).evidence, sealed, used: null };
        return { sealed: value, used: null, tier, changesAt: null, evidence };
      },
    }),
  };
}

const emptySet: SetToValue = {
  facts: {
    msrpCents: 100_00,
    pieces: null,
    minifigs: null,
    theme: null,
    subtheme: null,
    releasedAt: null,
    retiredAt: null,
    weightLbs: null,
    cubicInches: null,
    itemClass: 'set',
  },
  sales: [],
  retailWeeks: [],
};

const still = { fraction: () => 0.5, normal: (mean: number) => mean };
const last = (sales: readonly StoredSale[]) => sales.at(-1)?.priceCents ?? 100_00;

test('an outlier is one sale at a multiple of the value', () => {
  const change = (estimator: Estimator) => oddSaleChanges({ set: emptySet, estimator, at }, 3);
  expect(change(estimatorWith(last))[0]).toBeCloseTo(2, 9);
  expect(change(estimatorWith(() => 100_00))).toEqual([0]);
  // Values that are not established are not probed.
  expect(change(estimatorWith(last, { tier: 'low' }))).toEqual([]);
  expect(change(estimatorWith(last, { valueSpread: 0.3 }))).toEqual([]);
});

test('the sale is that of one complete unit, paid in dollars, without shipping', () => {
  const seen: StoredSale[] = [];
  const watching = estimatorWith((sales) => {
    seen.push(...sales);
    return 100_00;
  });
  oddSaleChanges({ set: emptySet, estimator: watching, at }, 3);
  expect(seen).toMatchObject([
    {
      condition: 'sealed',
      priceCents: 300_00,
      shippingCents: 0,
      currency: 'USD',
      usdPerUnit: 1,
      quantity: 1,
      completeness: 'complete',
      channel: 'fixed',
      soldAt: at,
      ingestedAt: at,
      retractedAt: null,
    },
  ]);
});

test('a drop is twelve weekly sales, measured after five and twelve', () => {
  const shares = (estimator: Estimator) => stepShares({ set: emptySet, estimator, at }, still);
  const [atOnce, later] = shares(estimatorWith(last));
  expect([atOnce, later].map((share) => share?.toFixed(3))).toEqual(['1.000', '1.000']);
  // Follows the twelfth sale, and no other.
  const slow = estimatorWith((sales) => (sales.length >= 12 ? 70_00 : 100_00));
  expect(shares(slow).map((share) => share.toFixed(3))).toEqual(['0.000', '1.000']);
  expect(shares(estimatorWith(last, { tier: 'medium' }))).toEqual([]);
  const days = new Set<number>();
  shares(
    estimatorWith((sales) => {
      for (const { soldAt } of sales) days.add((soldAt - at) / dayMs);
      return 100_00;
    }),
  );
  expect([...days]).toEqual([7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84]);
});

test('sales scatter around the lower price', () => {
  const upwards = { fraction: () => 0.5, normal: (mean: number) => mean + 0.05 };
  const [share] = stepShares({ set: emptySet, estimator: estimatorWith(last), at }, upwards);
  expect(share).toBeCloseTo(1 + 0.05 / Math.log(0.7), 3);
});

const item = (news: number): BacktestItem => ({
  key: String(news),
  facts: emptySet.facts,
  retailWeeks: [],
  trueLog: () => 0,
  sales: [
    {
      isOrdinary: true,
      isPlain: true,
      sale: aStoredSale({
        channel: 'fixed',
        soldAt: news,
      }),
    },
  ],
});

const options = {
  from: at - dayMs,
  to: at + dayMs,
  randomFor: () => still,
  estimatorOf: () => estimatorWith(last),
};

test('a day with new rows starts at its first instant and ends before the next day', () => {
  const quietDays = (news: number) => probe([item(news)], options).stability.days;
  expect([at - 1, at, at + dayMs - 1, at + dayMs].map(quietDays)).toEqual([4, 0, 0, 4]);
});

test('probes are between the first and last instant, and progress is reported for each set', () => {
  const asked: number[] = [];
  const progress: [done: number, total: number][] = [];
  probe([item(at - 5 * dayMs), item(at - 6 * dayMs)], {
    ...options,
    from: at,
    to: at + 100 * dayMs,
    randomFor: () => ({ ...still, fraction: () => 0.25 }),
    estimatorOf: () => ({
      ...estimatorWith(last),
      prepareSet: (set) => ({
        ...estimatorWith(last).prepareSet(set),
        valueAt: (when) => {
          asked.push((when - at) / dayMs);
          return estimatorWith(last).prepareSet(set).valueAt(when);
        },
      }),
    }),
    onProgress: (done, total) => progress.push([done, total]),
  });
  // The day itself, the next one, and after five and twelve weeks.
  expect(new Set(asked)).toEqual(new Set([25, 26, 25 + 35, 25 + 84]));
  expect(progress).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

test('the report sums up items, and skips days with new rows', () => {
  const report = probe([item(at - 5 * dayMs), item(at + dayMs / 2)], options);
  // Four instants per item, all of them the same here; the second has news on that day.
  expect(report.oddSales.map(({ factor, values }) => [factor, values])).toEqual([
    [0.3, 8],
    [3, 8],
  ]);
  expect(report.oddSales[1]).toMatchObject({ moved: 8, medianChange: 2, largestChange: 2 });
  expect(report.step.values).toBe(8);
  expect(report.step.after.map(({ sales }) => sales)).toEqual([5, 12]);
  expect(report.stability).toEqual({ days: 4, medianChange: 0 });
});
