/** How often things sell, and how long one waits. */
import { expect, test } from 'bun:test';
import { medianWaitDays, salesPerMonth } from './wait.ts';

/** Items like it: one sale in 90 days, known as well as if two had been seen. */
const prior = { priorSales: 2, priorDays: 180 };

test('its own sales and those of items like it make the rate', () => {
  // 12 in 365 and 2 in 180: 14 in 545 days are 0.78 in 30.4.
  expect(salesPerMonth({ ...prior, sales: 12, days: 365 })).toBeCloseTo(0.7819, 4);
  expect(salesPerMonth({ ...prior, sales: 0, days: 0 })).toBeCloseTo(0.3382, 4);
});

test('half of those who wait, wait no longer', () => {
  // 545 × (2^(1/14) − 1), a little more than ln 2 × 545 ÷ 14: the rate itself is uncertain.
  expect(medianWaitDays({ ...prior, sales: 12, days: 365 })).toBeCloseTo(27.66, 2);
  expect(medianWaitDays({ ...prior, sales: 0, days: 365 })).toBeCloseTo(225.75, 2);
});

test('whoever stands in line waits for the others, too', () => {
  const rate = { ...prior, sales: 12, days: 365 };
  expect(medianWaitDays(rate, { sellersAhead: 3 })).toBeCloseTo(4 * medianWaitDays(rate), 9);
});

test('units of one item sell one after another, about as fast as sales come', () => {
  const rate = { ...prior, sales: 12, days: 365 };
  // One sale in 545 ÷ 14 = 38.93 days; 27.66 days for the first of them.
  expect(medianWaitDays(rate, { unit: 2 })).toBeCloseTo(27.66 + 38.93, 2);
  expect(medianWaitDays(rate, { unit: 101 })).toBeCloseTo(27.66 + 3892.86, 2);
});
