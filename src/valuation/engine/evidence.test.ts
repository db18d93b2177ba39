/** Evidence counts every row once, and shows none of them. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  anySet,
  minifigOf,
  noon,
  setOf,
  sold,
  stored,
  unlearned,
  valuationOf,
} from '../../../test/support/valuation.ts';
import { normalAbove } from '../../domain/buying/price.ts';
import { dayMs, monthOf } from '../../domain/kernel/time.ts';
import type { Evidence } from '../../domain/market/evidence.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import { makeEstimator } from './estimator.ts';
import { evenOffsets, type Parameters } from './parameters.ts';

const rowsIn = ({ outcomes }: Evidence) => outcomes.reduce((sum, { count }) => sum + count, 0);

/** The evidence of a set, and of a minifig with the same sales. */
const bothOf = (set: typeof anySet extends fc.Arbitrary<infer T> ? T : never, at = noon) => [
  unlearned.prepareSet(set).valueAt(at).evidence,
  unlearned.prepareMinifig(minifigOf(set.sales)).valueAt(at).evidence,
];

describe('whatever the rows are', () => {
  test('each of them has exactly one outcome', () => {
    fc.assert(
      fc.property(anySet, fc.integer({ min: 0, max: 900 }), (set, days) => {
        const at = noon - days * dayMs;
        const rows = set.sales.filter(({ soldAt }) => soldAt <= at).length;
        for (const evidence of bothOf(set, at)) {
          expect(rowsIn(evidence)).toBe(rows);
          expect(evidence.outcomes.every(({ count }) => count > 0)).toBe(true);
        }
      }),
      { seed: 214, numRuns: 300 },
    );
  });

  test('accepted and down-weighted sales are those of the conditions and of the channels', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        for (const evidence of bothOf(set)) {
          const counted = (condition: Condition) =>
            evidence.outcomes
              .filter((one) => one.condition === condition)
              .filter(({ outcome }) => outcome === 'accepted' || outcome === 'down_weighted')
              .reduce((sum, { count }) => sum + count, 0);
          for (const condition of conditions) {
            // A value that is too uncertain to be shown is not told of.
            const found = evidence[condition];
            if (found) expect(found.sales.ever).toBe(counted(condition));
          }
          const sold = evidence.channels.reduce((sum, { sales }) => sum + sales, 0);
          expect(sold).toBe(counted('sealed') + counted('used'));
        }
      }),
      { seed: 215 },
    );
  });

  test('no seller, source or id is in it, nor the moment of a sale', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        for (const evidence of bothOf(set)) {
          const { at: _at, learnedUntil: _until, ...rest } = evidence;
          const text = JSON.stringify(rest);
          for (const sale of set.sales) {
            expect(text).not.toContain(sale.source);
            expect(text).not.toContain(sale.sourceId);
            if (sale.seller) expect(text).not.toContain(sale.seller);
            expect(text).not.toContain(String(sale.soldAt));
          }
        }
      }),
      { seed: 216 },
    );
  });
});

test('sales are counted ever and within 30, 90, 180 and 365 days', () => {
  const daysAgo = [1, 29, 31, 89, 91, 179, 181, 364, 366, 800];
  const sales = daysAgo.map((days) => sold({ soldAt: noon - days * dayMs, priceCents: 200_00 }));
  expect(valuationOf(sales).evidence.sealed).toMatchObject({
    sales: { ever: 10, days30: 2, days90: 4, days180: 6, days365: 8 },
    firstSale: '2024-08',
    latestSale: '2026-11',
  });
});

test('it tells up to when rows had come in, retractions among them', () => {
  const sales = [
    sold({ soldAt: noon - 9, ingestedAt: noon - 5 }),
    sold({ soldAt: noon - 8, ingestedAt: noon - 7, retractedAt: noon - 2 }),
  ];
  const { evidence } = valuationOf(sales);
  expect(evidence).toMatchObject({ engine: unlearned.version, at: noon, learnedUntil: noon - 2 });
});

test('channels are told with most sales first', () => {
  const channels = ['auction', 'fixed', 'auction', null, 'fixed', 'auction'] as const;
  const sales = channels.map((channel, index) =>
    sold({ channel, soldAt: noon - index, priceCents: 200_00 }),
  );
  expect(valuationOf(sales).evidence.channels).toEqual([
    { channel: 'auction', sales: 3, offset: 0 },
    { channel: 'fixed', sales: 2, offset: 0 },
    { channel: 'unknown', sales: 1, offset: 0 },
  ]);
});

describe('prices in channels', () => {
  const evidenceWith = (learned: Partial<Parameters>) =>
    makeEstimator([stored(monthOf(noon), learned)])
      .prepareSet(setOf([sold({ priceCents: 200_00 })]))
      .valueAt(noon).evidence;
  const offsets = {
    set: { ...evenOffsets, amazon: 0.081234, bricklink: -0.04, other: 0.001 },
    minifig: evenOffsets,
  };

  test('are told where thirty pairs of sales showed them, and of the reference always', () => {
    const set = { amazon: 30, bricklink: 29, unknown: 99 };
    const { offsets: told } = evidenceWith({ offsets, offsetPairs: { set, minifig: {} } });
    expect(told).toEqual({ fixed: 0, amazon: 0.0812 });
    expect(valuationOf([]).evidence.offsets).toEqual({ fixed: 0 });
  });

  test('are made with what errors were above, or as if they were normal', () => {
    const above = [0.01, -0.1, -0.2, -0.3, -0.5, -0.6, -0.75, -0.9, -1.234, -1.6];
    const { sealed } = evidenceWith({ ranges: { set: { low: -1.2, high: 1.4, above } } });
    expect(sealed?.soldAbove?.slice(-2)).toEqual([-1.234, -1.6]);
    expect(valuationOf([]).evidence.sealed?.soldAbove).toEqual(normalAbove);
  });
});
