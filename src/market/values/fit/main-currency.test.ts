/** The main currency of a market is that of most sales. */
import { expect, test } from 'bun:test';
import { sold } from '../../../../test/support/valuation.ts';
import { type Month, monthStart } from '../../../kernel/time.ts';
import { admitSales } from '../engine/admit.ts';
import { CurrencyCounts } from './main-currency.ts';

const june: Month = 2026 * 12 + 5;

/** Sales in the months before June, each with its share. */
function counts(
  sales: readonly (readonly [currency: string, share: number, monthsAgo?: number])[],
) {
  const found = new CurrencyCounts();
  for (const [currency, share, monthsAgo = 1] of sales) {
    const rows = admitSales([sold({ currency, soldAt: monthStart(june - monthsAgo) })]);
    found.add(rows, Float64Array.of(share));
  }
  return found;
}

test('it is the currency of more than half of the sales, otherwise US dollars', () => {
  expect(counts([]).main(june)).toBe('USD');
  expect(counts([['GBP', 1]]).main(june)).toBe('GBP');
  expect(
    counts([
      ['GBP', 1],
      ['GBP', 1],
      ['EUR', 1],
    ]).main(june),
  ).toBe('GBP');
  expect(
    counts([
      ['GBP', 1],
      ['EUR', 1],
    ]).main(june),
  ).toBe('USD');
  expect(
    counts([
      ['GBP', 2],
      ['USD', 3],
    ]).main(june),
  ).toBe('USD');
});

test('many sales of one seller count as few', () => {
  expect(
    counts([
      ['GBP', 0.2],
      ['GBP', 0.2],
      ['USD', 1],
    ]).main(june),
  ).toBe('USD');
});

test('only the year before the month counts', () => {
  const found = counts([
    ['GBP', 5, 13],
    ['EUR', 1, 12],
    ['USD', 3, 0],
  ]);
  expect(found.main(june)).toBe('EUR');
  expect(found.main(june - 1)).toBe('GBP');
  expect(found.main(june + 1)).toBe('USD');
});
