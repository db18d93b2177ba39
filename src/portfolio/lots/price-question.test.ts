/** Which prices are questioned, and how. */
import { expect, test } from 'bun:test';
import { priceQuestion } from './price-question.ts';

test('prices from 20 times the value and down to a twentieth of it are questioned', () => {
  expect(priceQuestion(1980_00, 99_00)).toBe(
    '$1,980.00 each is 20 times the market value of $99.00',
  );
  expect(priceQuestion(1979_99, 99_00)).toBe(null);
  expect(priceQuestion(5_00, 100_00)).toBe('$5.00 each is 1/20 of the market value of $100.00');
  expect(priceQuestion(5_01, 100_00)).toBe(null);
});

test('gifts and items without a value are not', () => {
  expect([priceQuestion(0, 100_00), priceQuestion(5_00, null), priceQuestion(5_00, 0)]).toEqual([
    null,
    null,
    null,
  ]);
});
