/** How far sellers move a value, and duplicates. */
import { describe, expect, test } from 'bun:test';
import { noon, pricedSale, type SomeSale, sold } from '../../../../test/support/valuation.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import { admitSales } from './admit.ts';
import { Sellers } from './sellers.ts';

const duplicates = (sales: readonly StoredSale[], sellers = new Sellers()) =>
  admitSales(sales).map((row) => sellers.isDuplicate(row));

describe('a seller', () => {
  /** The share of each move of 0.1 that is left, where a single sale can move 0.1. */
  const shares = (sales: readonly SomeSale[], moves: readonly number[] = [], limit = 0.1) => {
    const sellers = new Sellers();
    return sales.map((sale, index) => {
      const { row, count } = pricedSale(sale);
      return sellers.shareOf(row, count.sellersMax, { log: moves[index] ?? 0.1, limit });
    });
  };
  const other = { day: -1, seller: 'other' };
  const by = (seller: string | null, ...days: number[]) => days.map((day) => ({ day, seller }));

  test('moves a value in a quarter no further than one sale can', () => {
    expect(shares([other, ...by('a', 0, 1, 89)])).toEqual([1, 1, 0, 0]);
    expect(shares([other, ...by('a', 0, 91)])).toEqual([1, 1, 1]);
    const partly = shares([other, ...by('a', 0, 1)], [0.1, 0.06, 0.08]);
    expect(partly).toEqual([1, 1, expect.closeTo(0.5, 9)]);
  });

  test('may move it back', () => {
    expect(shares([other, ...by('a', 0, 1, 2)], [0.1, 0.1, -0.2, -0.1])).toEqual([1, 1, 1, 0]);
  });

  test('is bounded by what a sale could have moved it before', () => {
    const sellers = new Sellers();
    const share = (day: number, seller: string, move: number, limit: number) =>
      sellers.shareOf(pricedSale({ day, seller }).row, 1, { log: move, limit });
    expect(share(0, 'other', 0, 1)).toBe(1);
    expect(share(1, 'a', 0.2, 0.2)).toBe(1);
    expect(share(2, 'a', -0.1, 0.05)).toBe(1);
    expect(share(3, 'a', 0.1, 0.05)).toBe(1);
    expect(share(4, 'a', 0.1, 0.05)).toBe(0);
  });

  test('is not bounded if nobody else has sold the item in a year', () => {
    expect(shares(by('a', 0, 1, 2))).toEqual([1, 1, 1]);
    expect(shares([{ day: -366, seller: 'other' }, ...by('a', 0, 1)])).toEqual([1, 1, 1]);
    expect(shares([{ day: -364, seller: 'other' }, ...by('a', 0, 1)])).toEqual([1, 1, 0]);
  });

  test('without a name is bounded for a day', () => {
    expect(shares([other, ...by(null, 0.1, 0.2, 1.1)])).toEqual([1, 1, 0, 1]);
  });

  test('without a name is bounded together with those of its source in a quarter', () => {
    const bounded = by(null, 0, 1, 2, 3, 91).map((sale) => ({ ...sale, sellersMax: 2.5 }));
    expect(shares([other, ...bounded])).toEqual([1, 1, 1, expect.closeTo(0.5, 9), 0, 1]);
    const twoSources = bounded.map((sale, index) => ({ ...sale, source: `shop ${index % 2}` }));
    expect(shares([other, ...twoSources])).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('is counted for a quarter', () => {
    const sellers = new Sellers();
    const counts = [
      ['a', 0],
      ['b', 1],
      ['a', 60],
      ['c', 91],
      ['c', 151],
    ] as const;
    expect(
      counts.map(([seller, day]) => {
        sellers.shareOf(pricedSale({ day, seller }).row, 1, { log: 0, limit: 1 });
        return sellers.count;
      }),
    ).toEqual([1, 2, 2, 2, 1]);
  });
});

describe('a sale reported by two sources', () => {
  const one = sold({ source: 'one', seller: 'a' });
  const two = { ...one, source: 'two', sourceId: 'other' };

  test('is one sale', () => {
    expect(duplicates([one, two, { ...two, source: 'three' }])).toEqual([false, true, true]);
    // Source ID, channel and shipping do not matter.
    const reported: StoredSale = { ...two, channel: null, shippingCents: 5, completeness: null };
    expect(duplicates([one, reported])).toEqual([false, true]);
  });

  const others: [string, Partial<StoredSale>][] = [
    ['the same source', { source: 'one' }],
    ['another seller', { seller: 'b' }],
    ['another condition', { condition: 'used' }],
    ['another price', { priceCents: 100_01 }],
    ['another currency', { currency: 'EUR' }],
    ['another quantity', { quantity: 2 }],
    ['another time', { soldAt: noon + 1 }],
  ];
  for (const [what, facts] of others) {
    test(`is two with ${what}`, () => {
      expect(duplicates([one, { ...two, ...facts }])).toEqual([false, false]);
    });
  }

  test('is searched among up to a hundred sales of the same instant', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...one, seller: `other ${index}` }));
    expect(duplicates([...others(99), one, two]).at(-1)).toBe(true);
    expect(duplicates([...others(100), one, two]).at(-1)).toBe(false);
  });

  test('is two if the seller is unknown', () => {
    const unnamed = [one, two].map((sale) => ({ ...sale, seller: null }));
    expect(duplicates(unnamed)).toEqual([false, false]);
  });
});
