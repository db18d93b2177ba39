/** Median prices of items in the half year before a month. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { anySales, noon, setOf, sold } from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, monthStart } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import { evenOffsets } from '../engine/parameters.ts';
import { setSubject } from '../engine/subject.ts';
import { quantile } from '../quantile.ts';
import { itemMedian, type SharedSubject } from './item-medians.ts';
import { isCounted } from './sale-shares.ts';

const month = monthOf(noon);
const before = monthStart(month);

/** Each sale by another seller. */
const counted = (sales: readonly StoredSale[]): SharedSubject => {
  const subject = setSubject(setOf(sales));
  return { subject, shares: Float64Array.from(subject.rows, (row) => (isCounted(row) ? 1 : 0)) };
};

const medianOf = (sales: readonly StoredSale[], offsets = evenOffsets) =>
  itemMedian(counted(sales), 'sealed', { month, offsets });

test('the median covers the 180 days before the month', () => {
  const at = (soldAt: number) => medianOf([sold({ soldAt })])?.sales ?? 0;
  const edge = before - 180 * dayMs;
  expect([edge - 1, edge, before - 1, before].map(at)).toEqual([0, 1, 1, 0]);
});

test('it covers admitted sales of one condition', () => {
  const soldAt = before - dayMs;
  expect(medianOf([sold({ soldAt, condition: 'used' })])).toBeNull();
  expect(medianOf([sold({ soldAt, retractedAt: noon })])).toBeNull();
  expect(medianOf([sold({ soldAt, completeness: 'incomplete' })])).toBeNull();
  expect(medianOf([])).toBeNull();
});

test('it uses comparable prices, and has the mean of their times', () => {
  const offsets = { ...evenOffsets, auction: -0.1 };
  const sales = [
    sold({ soldAt: before - 9 * dayMs, priceCents: 100_00, channel: 'auction' }),
    sold({ soldAt: before - 3 * dayMs, priceCents: 200_00 }),
  ];
  expect(medianOf(sales, offsets)).toEqual({
    log: expect.closeTo((Math.log(100_00) + 0.1 + Math.log(200_00)) / 2, 9),
    at: before - 6 * dayMs,
    sales: 2,
  });
});

test('it weighs sales by the effective sales that they are', () => {
  const sales = [100, 300, 300].map((dollars, index) =>
    sold({ soldAt: before - (9 - index) * dayMs, priceCents: dollars * 100 }),
  );
  const shares = Float64Array.of(1, 0.5, 0.25);
  const found = itemMedian({ ...counted(sales), shares }, 'sealed', {
    month,
    offsets: evenOffsets,
  });
  expect(found?.sales).toBe(1.75);
  expect(found?.log).toBeCloseTo(Math.log(100_00), 9);
});

test('it equals a linear scan', () => {
  fc.assert(
    fc.property(anySales, (sales) => {
      const subject = setSubject(setOf(sales));
      const logs = subject.rows
        .filter(({ at, condition }) => condition === 'sealed' && at >= before - 180 * dayMs)
        .filter(({ at, rejection, sale }) => at < before && !rejection && !sale.retractedAt)
        .map(({ log }) => log);
      const found = medianOf(sales);
      expect(found?.sales ?? 0).toBe(logs.length);
      if (found) expect(found.log).toBeCloseTo(quantile(logs, 0.5), 9);
    }),
    { seed: 223 },
  );
});
