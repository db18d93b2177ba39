/** Prices that a share of sales is above. */
import { expect, test } from 'bun:test';
import { normalAbove, priceAt } from './price.ts';

const terms = {
  valueCents: 100_00,
  valueSpread: 0.06,
  saleSpread: 0.08,
  soldAbove: normalAbove,
  offset: 0,
};

test.each([
  [0.5, 100_00, 'half of the sales are above the value'],
  // e^(−0.8416 × 0.1)
  [0.8, 91_93, 'four in five are above this'],
  [0.9, 87_97, 'nine in ten'],
  [0.95, 84_83, 'as far as is known'],
  [0.99, 84_83, 'no further than is known'],
  // Half-way from −0.8416 to −1.0364 spreads.
  [0.825, 91_04, 'between two shares that are known'],
])('at a share of %d it is %d cents: %s', (share, cents) => {
  expect(priceAt(terms, share)).toBe(cents);
});

test('a channel where prices are higher is asked more', () => {
  expect(priceAt({ ...terms, offset: Math.log(1.1) }, 0.5)).toBe(110_00);
});

test('what was measured counts, not what is normal', () => {
  const soldAbove = normalAbove.map((quantile) => quantile - 0.2);
  expect(priceAt({ ...terms, soldAbove }, 0.5)).toBe(98_02);
});
