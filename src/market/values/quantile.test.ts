/** Weighted and unweighted quantiles. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { quantile, sortWeighted, type Weighted, weightedQuantile } from './quantile.ts';

const fixed = { seed: 50, numRuns: 300 };

function weighted(...pairs: readonly (readonly [value: number, weight: number])[]): Weighted[] {
  return pairs.map(([value, weight]) => ({ value, weight }));
}

const anyWeighted = fc.array(
  fc.record({
    value: fc.integer({ min: -1000, max: 1000 }),
    weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

test.each([
  ['of one value is that value', weighted([7, 0.3]), 0.5, 7],
  ['of three equal weights is the middle', weighted([1, 1], [2, 1], [9, 1]), 0.5, 2],
  ['of two values of equal weight is their mean', weighted([1, 1], [2, 1]), 0.5, 1.5],
  ['follows the larger weight', weighted([1, 1], [2, 3]), 0.5, 2],
  ['is the mean of two values if the weights tie', weighted([1, 2], [3, 1], [5, 1]), 0.5, 2],
  ['of a tenth', weighted([1, 1], [2, 8], [3, 1]), 0.05, 1],
  ['of nine tenths', weighted([1, 1], [2, 8], [3, 1]), 0.95, 3],
  ['of share 1 is the largest', weighted([1, 1], [2, 1], [3, 1]), 1, 3],
])('a quantile %s', (_, items, share, value) => {
  expect(weightedQuantile(items, share)).toBe(value);
});

test('ties are detected despite rounding of the weights', () => {
  const items = Array.from({ length: 10 }, (_, index) => ({ value: index, weight: 0.1 }));
  expect(weightedQuantile(items, 0.3)).toBe(2.5);
  expect(weightedQuantile(items, 0.5)).toBe(4.5);
});

test('the quantile of an empty list is NaN', () => {
  expect(weightedQuantile([], 0.5)).toBeNaN();
});

test('at most the share lies below the quantile, and at most the rest above it', () => {
  const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(anyWeighted, share, (items, part) => {
      const quantile = weightedQuantile(sortWeighted(items), part);
      const sum = (counts: (value: number) => boolean) =>
        items.reduce((total, item) => total + (counts(item.value) ? item.weight : 0), 0);
      const total = sum(() => true);
      expect(sum((value) => value < quantile)).toBeLessThanOrEqual(total * part + 1e-9);
      expect(sum((value) => value > quantile)).toBeLessThanOrEqual(total * (1 - part) + 1e-9);
    }),
    fixed,
  );
});

test('sorting does not change its input', () => {
  fc.assert(
    fc.property(anyWeighted, (items) => {
      const before = structuredClone(items);
      const values = sortWeighted(items).map((item) => item.value);
      expect(values).toEqual(items.map((item) => item.value).toSorted((a, b) => a - b));
      expect(items).toEqual(before);
    }),
    fixed,
  );
});

test('a quantile lies between neighboring values', () => {
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
  expect(quantile([4, 1, 3, 2], 0)).toBe(1);
  expect(quantile([4, 1, 3, 2], 1)).toBe(4);
  expect(quantile([1, 2], 0.9)).toBeCloseTo(1.9, 9);
});
