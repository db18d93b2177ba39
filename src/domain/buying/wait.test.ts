/** The sales rate and the time to sale. */
import { expect, test } from 'bun:test';
import { medianWaitDays, salesPerMonth } from './wait.ts';

/** Similar items: one sale in 90 days, with the weight of two observed sales. */
const prior = { priorSales: 2, priorDays: 180 };

test('the rate combines own sales with those of similar items', () => {
  // 12 in 365 and 2 in 180: 14 in 545 days are 0.78 in 30.4.
  expect(salesPerMonth({ ...prior, sales: 12, days: 365 })).toBeCloseTo(0.7819, 4);
  expect(salesPerMonth({ ...prior, sales: 0, days: 0 })).toBeCloseTo(0.3382, 4);
});

test('the wait is the median over all possible rates', () => {
  // 545 × (2^(1/14) − 1), slightly more than ln 2 × 545 ÷ 14, because the rate is uncertain.
  expect(medianWaitDays({ ...prior, sales: 12, days: 365 })).toBeCloseTo(27.66, 2);
  expect(medianWaitDays({ ...prior, sales: 0, days: 365 })).toBeCloseTo(225.75, 2);
});

test('sellers ahead multiply the wait', () => {
  const rate = { ...prior, sales: 12, days: 365 };
  expect(medianWaitDays(rate, { sellersAhead: 3 })).toBeCloseTo(4 * medianWaitDays(rate), 9);
});

test('units of one item sell one after another, at the rate of sales', () => {
  const rate = { ...prior, sales: 12, days: 365 };
  // One sale in 545 ÷ 14 = 38.93 days; 27.66 days for the first of them.
  expect(medianWaitDays(rate, { unit: 2 })).toBeCloseTo(27.66 + 38.93, 2);
  expect(medianWaitDays(rate, { unit: 101 })).toBeCloseTo(27.66 + 3892.86, 2);
});
