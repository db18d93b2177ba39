/** Evidence counts every row once, and reveals none. */
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
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../../kernel/time.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { type Condition, conditions, type StoredSale } from '../../source-rows/source-rows.ts';
import { makeEstimator } from './estimator.ts';
import { evenOffsets, type Parameters } from './parameters.ts';

const rowsIn = ({ outcomes }: Evidence) => outcomes.reduce((sum, { count }) => sum + count, 0);

/** The evidence of a set, and of a minifig with the same sales. */
const bothOf = (set: typeof anySet extends fc.Arbitrary<infer T> ? T : never, at = noon) => [
  unlearned.prepareSet(set).valueAt(at).evidence,
  unlearned.prepareMinifig(minifigOf(set.sales)).valueAt(at).evidence,
];

describe('for any rows', () => {
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

  test('accepted and down-weighted sales add up over conditions and channels', () => {
    fc.assert(
      fc.property(anySet, (set) => {
        for (const evidence of bothOf(set)) {
          const counted = (condition: Condition) =>
            evidence.outcomes
              .filter((one) => one.condition === condition)
              .filter(({ outcome }) => outcome === 'accepted' || outcome === 'down_weighted')
              .reduce((sum, { count }) => sum + count, 0);
          for (const condition of conditions) {
            // Values that are too uncertain to be shown are null.
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

  test('it contains no seller, source, ID or time of a sale', () => {
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

test('it has the latest ingestion time, including retractions', () => {
  const sales = [
    sold({ soldAt: noon - 9, ingestedAt: noon - 5 }),
    sold({ soldAt: noon - 8, ingestedAt: noon - 7, retractedAt: noon - 2 }),
  ];
  const { evidence } = valuationOf(sales);
  expect(evidence).toMatchObject({ engine: unlearned.version, at: noon, learnedUntil: noon - 2 });
});

test('channels are sorted by sales', () => {
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

  test('are reported from thirty pairs on, and always for the reference', () => {
    const set = { amazon: 30, bricklink: 29, unknown: 99 };
    const { offsets: told } = evidenceWith({ offsets, offsetPairs: { set, minifig: {} } });
    expect(told).toEqual({ fixed: 0, amazon: 0.0812 });
    expect(valuationOf([]).evidence.offsets).toEqual({ fixed: 0 });
  });

  test('are based on the channel with sales, if there are none at a fixed price', () => {
    const soldIn = (...channels: StoredSale['channel'][]) =>
      valuationOf(channels.map((channel, day) => sold({ channel, soldAt: noon - day * dayMs })))
        .evidence.offsets;
    expect(soldIn('bricklink')).toEqual({ bricklink: 0 });
    expect(soldIn('bricklink', 'amazon', 'amazon')).toEqual({ amazon: 0 });
    expect(soldIn('bricklink', 'bricklink', 'fixed')).toEqual({ fixed: 0 });
    for (const channel of ['auction', 'other', null] as const) {
      expect(soldIn(channel)).toEqual({ fixed: 0 });
    }
  });

  test('are based on fixed prices, if other items have them', () => {
    const pairs = { set: { bricklink: 1 }, minifig: {} };
    const learned = makeEstimator([stored(monthOf(noon), { offsets, offsetPairs: pairs })]);
    const sale = sold({ channel: 'amazon' });
    const { evidence } = learned.prepareSet(setOf([sale])).valueAt(noon);
    expect(Object.keys(evidence.offsets ?? {})).toEqual(['fixed']);
  });

  test('use learned exceedances, or those with heavy tails', () => {
    const above = [0.01, -0.1, -0.2, -0.3, -0.5, -0.6, -0.75, -0.9, -1.234, -1.6];
    const { sealed } = evidenceWith({ ranges: { set: { low: -1.2, high: 1.4, above } } });
    expect(sealed?.soldAbove?.slice(-2)).toEqual([-1.234, -1.6]);
    expect(valuationOf([]).evidence.sealed?.soldAbove?.slice(-2)).toEqual([-1.638, -2.353]);
  });
});
