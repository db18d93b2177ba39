/** Money: cents are exact in both directions, and percentages have two decimals. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  centsMax,
  dollarText,
  percentOf,
  shareOut,
  toCents,
  toCentsOrNull,
  toUsd,
  toUsdOrNull,
} from './money.ts';

test.each([
  [0, 0],
  [0.01, 1],
  [0.07, 7],
  [1.1, 110],
  [19.99, 1999],
  [1.15, 115],
  [8.41, 841],
  [849.99, 84_999],
  [1_000_000, 100_000_000],
  [-4.35, -435],
])('%d dollars are exactly %d cents', (dollars, cents) => {
  expect(toCents(dollars)).toBe(cents);
});

test.each([
  [16.990000000000002, 1699],
  [0.1 + 0.2, 30],
  [1.1 * 3, 330],
  [4.35 * 3, 1305],
  [999_999.9900000001, 99_999_999],
])('%d, a sum of binary fractions, is %d cents', (dollars, cents) => {
  expect(toCents(dollars)).toBe(cents);
});

test.each([
  ['a third decimal', 1.005],
  ['a third decimal that rounds to a whole cent', 19.989999],
  ['a millionth of a dollar too much', 19.990001],
  ['more than a millionth of a cent too much', 16.99000002],
  ['less than a cent', 0.001],
  ['an infinite amount', Number.POSITIVE_INFINITY],
  ['an amount whose cents are infinite', 1e308],
  ['no number', Number.NaN],
])('an amount with %s has no cents', (_, dollars) => {
  expect(toCents(dollars)).toBeNull();
});

test('every amount up to the maximum converts to dollars and back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -centsMax, max: centsMax }), (cents) => {
      // Adding 0 turns -0 into 0.
      expect((toCents(toUsd(cents)) ?? Number.NaN) + 0).toBe(cents + 0);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('an unknown amount stays unknown', () => {
  expect(toUsdOrNull(null)).toBeNull();
  expect(toUsdOrNull(14_999)).toBe(149.99);
  expect(toUsdOrNull(0)).toBe(0);
  expect([null, 0, 149.99, 1.005].map(toCentsOrNull)).toEqual([null, 0, 14_999, null]);
});

test.each([
  ['a third', 1, 3, 33.33],
  ['two thirds', 2, 3, 66.67],
  ['an eighth', 1, 8, 12.5],
  ['all of it', 250, 250, 100],
  ['twice as much', 500, 250, 200],
  ['a loss', -3000, 12_000, -25],
  ['nothing', 0, 12_000, 0],
])('%s in percent has two decimals', (_, part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent);
});

test('a percentage of 0 is 0, and so is one that rounds to 0', () => {
  expect(percentOf(500, 0)).toBe(0);
  expect(percentOf(0, 0)).toBe(0);
  // Not -0, which would be printed with its sign.
  expect(percentOf(-1, 1_000_000)).toBe(0);
});

test('percentages are rounded half up, exactly', () => {
  expect(percentOf(207, 2400)).toBe(8.63);
});

test('the maximum of a single amount is a million dollars', () => {
  expect(toUsd(centsMax)).toBe(1_000_000);
});

test.each([
  ['nothing', 10, [], []],
  ['one weight', 10, [3], [10]],
  ['one weight of 0', 10, [0], [10]],
  ['weights of 0 only, evenly', 10, [0, 0, 0], [4, 3, 3]],
  ['a weight of 0 beside others', 10, [0, 1, 1], [0, 5, 5]],
  ['the largest remainder first', 10, [1, 2], [3, 7]],
  ['the largest remainder, not the largest weight', 10, [5, 1], [8, 2]],
  ['equal remainders in order', 11, [1, 1, 1], [4, 4, 3]],
  ['products beyond doubles', 99_999_999, [99_999_999, 99_999_998], [50_000_000, 49_999_999]],
  ['a negative amount', -100, [1, 2], [-33, -67]],
  ['nothing of a negative amount', -2, [0, 1], [0, -2]],
])('an amount is shared out exactly: %s', (_, whole, weights, shares) => {
  expect(shareOut(whole, weights)).toEqual(shares);
});

test('shares add up for all weights, and are proportional up to a cent', () => {
  const amounts = fc.integer({ min: -100_000_000, max: 100_000_000 });
  const weights = fc.array(fc.nat(10_000_000_000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(amounts, weights, (amount, all) => {
      const shares = shareOut(amount, all);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
      const total = all.reduce((sum, weight) => sum + weight, 0);
      shares.forEach((share, index) => {
        const exact = total === 0 ? amount / all.length : (amount * (all[index] ?? 0)) / total;
        expect(Math.abs(share - exact)).toBeLessThan(1.001);
      });
    }),
  );
});

test('amounts are in dollars with separators', () => {
  expect([0, 5, 123_450, -99].map(dollarText)).toEqual(['$0.00', '$0.05', '$1,234.50', '-$0.99']);
});
