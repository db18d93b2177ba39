/** One seller does not make a market, and one sale is not two. */
import { describe, expect, test } from 'bun:test';
import { noon, sold } from '../../../test/support/valuation.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';
import { admitSales } from './admit.ts';
import { Sellers } from './sellers.ts';

const again = (sales: readonly StoredSale[], sellers = new Sellers()) =>
  admitSales(sales).map((row) => sellers.isAgain(row));

const duplicates = (sales: readonly StoredSale[], sellers = new Sellers()) =>
  admitSales(sales).map((row) => sellers.isDuplicate(row));

describe('a seller', () => {
  const by = (seller: string | null, ...days: number[]) =>
    days.map((day) => sold({ seller, soldAt: noon + day * dayMs }));

  test('sells again with the third sale within a week', () => {
    expect(again(by('a', 0, 1, 6.9, 6.95))).toEqual([false, false, true, true]);
    expect(again(by('a', 0, 1, 7))).toEqual([false, false, false]);
  });

  test('is not another one, and nobody is the one that is not named', () => {
    expect(again([...by('a', 0, 1), ...by('b', 2, 3)])).not.toContain(true);
    expect(again(by(null, 0, 1, 2, 3))).not.toContain(true);
  });

  test('is known among however many others', () => {
    const sales = Array.from({ length: 600 }, (_, index) => {
      // Some sell once, some every few days, and now and then nobody does for a while.
      const day = index / 10 + 5 * Math.floor(index / 100);
      const seller = index % 3 === 0 ? `once ${index}` : `${(index * index) % 41}`;
      return sold({ seller, soldAt: noon + day * dayMs });
    });
    const expected = sales.map(({ seller, soldAt }, index) => {
      const earlier = sales.slice(0, index).filter((sale) => sale.seller === seller);
      return (earlier.at(-2)?.soldAt ?? Number.NEGATIVE_INFINITY) > soldAt - 7 * dayMs;
    });
    expect(again(sales)).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  });

  test('that goes on selling goes on selling again', () => {
    expect(again(by('a', 0, 3, 6, 9, 12))).toEqual([false, false, true, true, true]);
  });
});

describe('a sale that two sources tell of', () => {
  const one = sold({ source: 'one', seller: 'a' });
  const two = { ...one, source: 'two', sourceId: 'other' };

  test('is one sale', () => {
    expect(duplicates([one, two, { ...two, source: 'three' }])).toEqual([false, true, true]);
    // Where it came from, how it was sold and what shipping was said to cost do not matter.
    const told: StoredSale = { ...two, channel: null, shippingCents: 5, completeness: null };
    expect(duplicates([one, told])).toEqual([false, true]);
  });

  const others: [string, Partial<StoredSale>][] = [
    ['the same source', { source: 'one' }],
    ['another seller', { seller: 'b' }],
    ['another condition', { condition: 'used' }],
    ['another price', { priceCents: 100_01 }],
    ['another currency', { currency: 'EUR' }],
    ['another quantity', { quantity: 2 }],
    ['another moment', { soldAt: noon + 1 }],
  ];
  for (const [what, facts] of others) {
    test(`is two with ${what}`, () => {
      expect(duplicates([one, { ...two, ...facts }])).toEqual([false, false]);
    });
  }

  test('is looked for among a hundred others of the same instant, and not among more', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...one, seller: `other ${index}` }));
    expect(duplicates([...others(99), one, two]).at(-1)).toBe(true);
    expect(duplicates([...others(100), one, two]).at(-1)).toBe(false);
  });

  test('is two when nobody names the seller', () => {
    const unnamed = [one, two].map((sale) => ({ ...sale, seller: null }));
    expect(duplicates(unnamed)).toEqual([false, false]);
  });
});
