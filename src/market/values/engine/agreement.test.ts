/** When sales at another price are independent, and prove it. */
import { describe, expect, test } from 'bun:test';
import { pricedSale } from '../../../../test/support/valuation.ts';
import { type Agreement, agreementOf, isProven } from './agreement.ts';

const sellersOf = (...sales: Parameters<typeof pricedSale>[0][]) =>
  agreementOf(sales.map(pricedSale))?.sellers;

describe('independent sellers', () => {
  test('are counted once each', () => {
    expect(sellersOf({ day: 0, seller: 'a' }, { day: 9, seller: 'b' })).toBe(2);
    expect(sellersOf({ day: 0, seller: 'a' }, { day: 9, seller: 'a' })).toBe(1);
  });

  test('without a name are one per source and day', () => {
    const unnamed = (day: number, source = 'shop', log = 5 + day / 10) => ({
      day,
      source,
      log,
      seller: null,
    });
    expect(sellersOf(unnamed(0), unnamed(0, 'shop', 6), unnamed(1))).toBe(2);
    expect(sellersOf(unnamed(0), unnamed(0, 'market', 6))).toBe(2);
  });

  test('do not sell on one day at one price', () => {
    expect(sellersOf({ day: 0, log: 5 }, { day: 0.9, log: 5.02 })).toBe(1);
    expect(sellersOf({ day: 0, log: 5 }, { day: 0.9, log: 5.04 })).toBe(2);
    expect(sellersOf({ day: 0, log: 5 }, { day: 1, log: 5.02 })).toBe(2);
  });
});

test('sales agree on their median, from the first to the last', () => {
  const sales = [4, 6, 5].map((log, day) => pricedSale({ day, log }));
  expect(agreementOf(sales)).toEqual({
    from: sales[0]?.row.at ?? 0,
    to: sales[2]?.row.at ?? 0,
    sales: 3,
    sellers: 3,
    log: 5,
  });
  expect(agreementOf([])).toBeNull();
});

describe('a price is proven', () => {
  const proves = (sellers: number, expected: number, usual = 0) => {
    const agreement: Agreement = { from: 0, to: 1, sales: 9, sellers, log: 5 };
    return isProven(agreement, { expectedSales: () => expected, sellers: usual }, 3);
  };

  test('by the silence of others, which must be longer with two sellers', () => {
    expect([2.9, 3, 9].map((expected) => proves(3, expected))).toEqual([false, true, true]);
    expect([4.4, 4.5, 9].map((expected) => proves(2, expected))).toEqual([false, true, true]);
    expect(proves(1, 9)).toBe(false);
  });

  test('by six sellers, or as many as sell it in a quarter', () => {
    expect([5, 6].map((sellers) => proves(sellers, 0))).toEqual([false, true]);
    expect([6, 7, 8].map((sellers) => proves(sellers, 0, 8))).toEqual([false, false, true]);
  });
});
