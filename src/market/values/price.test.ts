/** Prices that a share of sales exceeds. */
import { expect, test } from 'bun:test';
import { normalAbove, priceAt, quantileAt, soldShares } from './price.ts';

const terms = {
  valueCents: 100_00,
  valueSpread: 0.06,
  saleSpread: 0.08,
  soldAbove: normalAbove,
  offset: 0,
};

test.each([
  [0.5, 100_00, 'half of the sales exceed the value'],
  // e^(−0.8416 × 0.1)
  [0.8, 91_93, 'four in five'],
  [0.9, 87_97, 'nine in ten'],
  [0.95, 84_83, 'the last stored share'],
  [0.99, 84_83, 'constant beyond it'],
  // Halfway between −0.8416 and −1.0364.
  [0.825, 91_04, 'interpolated between two shares'],
])('at a share of %d the price is %d cents: %s', (share, cents) => {
  expect(priceAt(terms, share)).toBe(cents);
});

test('a channel with a higher price level has a higher price', () => {
  expect(priceAt({ ...terms, offset: Math.log(1.1) }, 0.5)).toBe(110_00);
});

test('measured quantiles replace normal ones', () => {
  const soldAbove = normalAbove.map((quantile) => quantile - 0.2);
  expect(priceAt({ ...terms, soldAbove }, 0.5)).toBe(98_02);
});

test('until errors have been measured, they are those of a normal distribution', () => {
  /** The share above a negative quantile, by the sum of the density in small steps. */
  const shareAbove = (quantile: number) => {
    const count = 10_000;
    const width = -quantile / count;
    const density = (x: number) => Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI);
    const heights = Array.from({ length: count }, (_, step) => density((step + 0.5) * width));
    return 0.5 + heights.reduce((sum, height) => sum + height * width, 0);
  };
  expect(normalAbove).toHaveLength(soldShares.length);
  for (const [index, quantile] of normalAbove.entries()) {
    expect(shareAbove(quantile)).toBeCloseTo(soldShares[index] ?? 0, 4);
  }
});

test('quantiles are constant below the first share and above the last', () => {
  expect([0.1, 0.5].map((share) => quantileAt([-1, -2, ...normalAbove], share))).toEqual([-1, -1]);
  expect(quantileAt(normalAbove, 1)).toBe(-1.6449);
});
