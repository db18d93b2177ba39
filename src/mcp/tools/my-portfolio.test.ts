/** Thinning out a long chart. */
import { expect, test } from 'bun:test';
import { thinned } from './my-portfolio.ts';

test('a short list is unchanged; a long one keeps the first, the last and even steps between', () => {
  expect(thinned([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(thinned([1, 2], 14)).toEqual([1, 2]);
  const days = Array.from({ length: 91 }, (_, index) => index);
  expect(thinned(days, 4)).toEqual([0, 30, 60, 90]);
  expect(thinned(days, 14)).toHaveLength(14);
});
