/** Parts of an amount add up exactly, and are proportional up to a cent. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { splitByWeight } from './shares.ts';

test.each([
  [100, [1, 1, 1], [34, 33, 33]],
  [100, [3, 1], [75, 25]],
  [-100, [1, 2], [-33, -67]],
  [7, [0, 0], [4, 3]],
  [7, [], []],
  [0, [5, 6], [0, 0]],
])('splits %d by the weights %j into %j', (amount, weights, parts) => {
  expect(splitByWeight(amount, weights)).toEqual(parts);
});

test('parts add up for all weights', () => {
  const amounts = fc.integer({ min: -100_000_000, max: 100_000_000 });
  const weights = fc.array(fc.nat(10_000_000_000), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(amounts, weights, (amount, all) => {
      const parts = splitByWeight(amount, all);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount);
      const total = all.reduce((sum, weight) => sum + weight, 0);
      parts.forEach((part, index) => {
        const exact = total === 0 ? amount / all.length : (amount * (all[index] ?? 0)) / total;
        expect(Math.abs(part - exact)).toBeLessThan(1.001);
      });
    }),
  );
});
