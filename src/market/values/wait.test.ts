/** How often an item sells, and the time until your unit is sold. */
import { expect, test } from 'bun:test';
import { inSeason, medianWaitDays, type Queue, salesPerMonth } from './wait.ts';

/** Similar items: one sale in 90 days, with the weight of two observed sales. */
const prior = { priorSales: 2, priorDays: 180 };
const rate = { ...prior, sales: 12, days: 365 };

const alone: Queue = { share: 1, rivals: 0, cheaper: 0.5 };

test('the rate combines own sales with those of similar items', () => {
  // 12 in 365 and 2 in 180: 14 in 545 days are 0.78 in 30.4.
  expect(salesPerMonth(rate)).toBeCloseTo(0.7819, 4);
  expect(salesPerMonth({ ...prior, sales: 0, days: 0 })).toBeCloseTo(0.3382, 4);
});

test('sales of a busy season count as those of a longer period', () => {
  expect(salesPerMonth({ ...rate, seasonIndex: 1.2 })).toBeCloseTo(
    (14 / (365 * 1.2 + 180)) * (365.25 / 12),
    9,
  );
});

test('the only unit waits for the next sale: the median over all possible rates', () => {
  // 545 × (2^(1/14) − 1), slightly more than ln 2 × 545 ÷ 14, because the rate is uncertain.
  expect(medianWaitDays(rate, alone)).toBeCloseTo(27.66, 2);
  expect(medianWaitDays({ ...prior, sales: 0, days: 365 }, alone)).toBeCloseTo(225.75, 2);
});

test('in a channel with a share of the sales, a unit waits longer', () => {
  expect(medianWaitDays(rate, { ...alone, share: 0.25 })).toBeCloseTo(4 * 27.66, 1);
});

test('at the usual price, each of the units is equally likely to be next', () => {
  expect(medianWaitDays(rate, { ...alone, rivals: 3 })).toBeCloseTo(4 * 27.66, 1);
});

test('the cheapest unit is next, and the dearest waits for all others', () => {
  expect(medianWaitDays(rate, { share: 1, rivals: 3, cheaper: 0 })).toBeCloseTo(27.66, 2);
  expect(medianWaitDays(rate, { share: 1, rivals: 3, cheaper: 1 })).toBeCloseTo(16 * 27.66, 0);
});

test('units of one item sell one after another, at the rate of sales', () => {
  // One sale in 545 ÷ 14 = 38.93 days; 27.66 days for the first of them.
  expect(medianWaitDays(rate, alone, 2)).toBeCloseTo(27.66 + 38.93, 2);
  expect(medianWaitDays(rate, alone, 101)).toBeCloseTo(27.66 + 3892.86, 2);
});

test('in a quiet season, the same sales take longer', () => {
  const january = Date.UTC(2027, 0, 1);
  const season = [0.5, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 1.5];
  expect(inSeason(10, season, january)).toBeCloseTo(20, 9);
  expect(inSeason(10, null, january)).toBe(10);
  // Two days of February at 0.5, then March; the same at noon.
  const late = Date.UTC(2027, 1, 27);
  expect(inSeason(10, season, late)).toBeCloseTo(2 + 9, 9);
  expect(inSeason(10, season, late + 12 * 3_600_000)).toBeCloseTo(2 + 9, 9);
});
