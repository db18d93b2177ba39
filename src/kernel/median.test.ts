/** The median is in the middle of the sorted numbers. */
import { expect, test } from 'bun:test';
import { median } from './median.ts';

test.each([
  ['nothing', [], 0],
  ['one number', [7], 7],
  ['two numbers', [1, 4], 2.5],
  ['an odd count, out of order', [100, 9, 20], 20],
  ['an even count, out of order', [100, 1, 30, 20], 25],
  ['negative numbers', [-1, -10, -2], -2],
])('the median of %s', (_, numbers, expected) => {
  const given = [...numbers];
  expect(median(given)).toBe(expected);
  expect(given).toEqual(numbers);
});
