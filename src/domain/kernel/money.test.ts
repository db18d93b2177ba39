/** Money: cents are exact in both directions, and percentages have two places. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { centsMax, percentOf, toCents, toUsd, toUsdOrNull } from './money.ts';

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
])('%d, as binary fractions add up, is %d cents', (dollars, cents) => {
  expect(toCents(dollars)).toBe(cents);
});

test.each([
  ['a third place', 1.005],
  ['a third place that rounds to a whole cent', 19.989999],
  ['a millionth of a dollar too much', 19.990001],
  ['more than a millionth of a cent too much', 16.99000002],
  ['less than a cent', 0.001],
  ['an infinite amount', Number.POSITIVE_INFINITY],
  ['an amount whose cents are infinite', 1e308],
  ['no number', Number.NaN],
])('an amount with %s has no cents', (_, dollars) => {
  expect(toCents(dollars)).toBeNull();
});

test('every amount up to the largest goes to dollars and back without losing a cent', () => {
  fc.assert(
    fc.property(fc.integer({ min: -centsMax, max: centsMax }), (cents) => {
      // Adding 0 makes a plain zero of a negative one.
      expect((toCents(toUsd(cents)) ?? Number.NaN) + 0).toBe(cents + 0);
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('an unknown amount stays unknown in dollars', () => {
  expect(toUsdOrNull(null)).toBeNull();
  expect(toUsdOrNull(14_999)).toBe(149.99);
  expect(toUsdOrNull(0)).toBe(0);
});

test.each([
  ['a third', 1, 3, 33.33],
  ['two thirds', 2, 3, 66.67],
  ['an eighth', 1, 8, 12.5],
  ['all of it', 250, 250, 100],
  ['twice as much', 500, 250, 200],
  ['a loss', -3000, 12_000, -25],
  ['nothing', 0, 12_000, 0],
])('%s is given in percent with two places', (_, part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent);
});

test('a percentage of nothing is 0', () => {
  expect(percentOf(500, 0)).toBe(0);
  expect(percentOf(0, 0)).toBe(0);
});

test('a percentage is rounded half up, exactly', () => {
  expect(percentOf(207, 2400)).toBe(8.63);
});

test('no single amount is more than a million dollars', () => {
  expect(toUsd(centsMax)).toBe(1_000_000);
});
