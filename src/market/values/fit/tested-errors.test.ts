/** Ranges are quantiles of the errors of half a year, or of a year if those are too few. */
import { describe, expect, test } from 'bun:test';
import { noon, sold } from '../../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import { admitSales } from '../engine/admit.ts';
import type { Motion } from '../engine/range.ts';
import { soldShares } from '../price.ts';
import { TestedErrors } from './tested-errors.ts';

const month = monthOf(noon) + 1;

/** Errors from -1 to 1 in equal steps. */
const steps = (count: number) => Array.from({ length: count }, (_, i) => (2 * i) / (count - 1) - 1);

function rangesOf(
  errors: readonly number[],
  {
    of = month,
    support = 3,
    motion = 'steady',
    isFirst = false,
    ...facts
  }: Partial<StoredSale> & {
    readonly of?: number;
    readonly support?: number;
    readonly motion?: Motion;
    readonly isFirst?: boolean;
  } = {},
) {
  const tested = new TestedErrors();
  const [row] = admitSales([sold(facts)]);
  if (!row) throw new Error('The sale has no row.');
  for (const error of errors) tested.add('set', { row, support, motion, isFirst, error });
  return tested.ranges(of);
}

describe('ranges', () => {
  test('are the tenth and the ninetieth percentile, rounded outwards', () => {
    // Ranks 20 and 181 of 200, which are 19 steps of 2 / 199 from the ends.
    const { low = 0, high = 0 } = rangesOf(steps(200)).set ?? {};
    expect(low).toBeCloseTo(-1 + (19 * 2) / 199, 2);
    expect(high).toBeCloseTo(-1 + (180 * 2) / 199, 2);
  });

  test('contain four in five of their errors', () => {
    const errors = steps(1000).map((step) => 3 * step ** 3 + 0.2);
    const { low = 0, high = 0 } = rangesOf(errors).set ?? {};
    const inside = errors.filter((error) => error >= low && error <= high).length;
    expect(inside / 1000).toBeWithin(0.795, 0.81);
  });

  test('have a lower bound, for sources that repeat prices', () => {
    const { set } = rangesOf(steps(1000).map((step) => step / 100));
    expect(set).toMatchObject({ low: -0.8, high: 0.8 });
    // Exceedances are widened by the same factor.
    expect(set?.above?.[soldShares.indexOf(0.9)]).toBeCloseTo(-0.8, 6);
    expect(set?.above?.[soldShares.indexOf(0.5)]).toBe(0);
  });

  test('have exceedances for each share', () => {
    const errors = steps(2000).map((step) => 2 * step + 0.4 * step ** 2);
    const { above = [] } = rangesOf(errors).set ?? {};
    for (const [index, share] of soldShares.entries()) {
      const quantile = above[index] ?? Number.NaN;
      expect(errors.filter((error) => error > quantile).length / 2000).toBeCloseTo(share, 2);
    }
  });

  test('need at least two hundred errors', () => {
    expect(rangesOf(steps(199))).toEqual({});
    expect(Object.keys(rangesOf(steps(200)))).toEqual(['set', 'set sealed', 'set sealed 3-9']);
    expect(Object.keys(rangesOf(steps(200), { condition: 'used', support: 0 }))).toEqual([
      'set',
      'set used',
      'set used 0',
    ]);
  });

  test('of prices that move are learned apart, and count with all others', () => {
    expect(Object.keys(rangesOf(steps(200), { motion: 'falling' }))).toEqual([
      'set',
      'set falling',
      'set sealed',
      'set sealed 3-9',
      'set sealed falling',
    ]);
  });

  test('of items never sold use only such items', () => {
    const first = rangesOf(steps(200), { support: 0, isFirst: true });
    expect(Object.keys(first)).toEqual(['set never', 'set sealed never']);
  });

  test('are learned from the year before a month', () => {
    const isMade = (by: number) => rangesOf(steps(200), { of: month + by }).set !== undefined;
    expect([-1, 0, 11, 12].map(isMade)).toEqual([false, true, true, false]);
  });

  test('are those of half a year, if it has enough errors', () => {
    const lowOf = (later: number) => {
      const tested = new TestedErrors();
      for (const [months, count, scale] of [
        [6, 400, 2],
        [0, later, 1],
      ] as const) {
        const [row] = admitSales([sold({ soldAt: noon - months * 31 * dayMs })]);
        if (!row) throw new Error('The sale has no row.');
        for (const step of steps(count)) {
          const error = scale * step;
          tested.add('set', { row, support: 3, motion: 'steady', isFirst: false, error });
        }
      }
      return tested.ranges(month).set?.low ?? 0;
    };
    expect(lowOf(200)).toBeCloseTo(-0.8, 1);
    expect(lowOf(199)).toBeLessThan(-1.2);
  });

  test('ignore standardized errors above four', () => {
    const all = (error: number) => rangesOf(Array<number>(200).fill(error)).set;
    expect(all(4)?.high).toBeCloseTo(4, 1);
    expect(all(-4)?.low).toBeCloseTo(-4, 1);
    expect([all(4.001), all(-4.001)]).toEqual([undefined, undefined]);
  });

  test('are learned from sales in any currency', () => {
    expect(rangesOf(steps(200), { currency: 'EUR' })).toEqual(rangesOf(steps(200)));
  });

  test('ignore sales with any other caution, and outliers', () => {
    const unstated = { condition: 'used', completeness: null } as const;
    expect(rangesOf(steps(200), unstated)).toEqual({});
    expect(rangesOf(steps(200), { ...unstated, currency: 'EUR' })).toEqual({});
    expect(rangesOf(steps(200).map((step) => step + 5.5))).toEqual({});
    expect(rangesOf(steps(200).map((step) => step - 5.5))).toEqual({});
  });
});
