/** A retailer's own price is weak evidence for sixty days. */
import { expect, test } from 'bun:test';
import { noon } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import { ownPriceAt, withOwnPrice } from './own-price.ts';

const own = ownPriceAt(noon, 100_00);
const prior = { log: 9, spread: 0.2 };

test('the market is three percent below the price', () => {
  expect(own).toEqual({ at: noon, log: Math.log(100_00) - 0.03 });
});

test('prior and price are weighted by precision', () => {
  const even = withOwnPrice(prior, own, noon);
  expect(even?.log).toBeCloseTo((9 + own.log) / 2, 12);
  expect(even?.spread).toBeCloseTo(0.2 / Math.SQRT2, 12);
  // The prior is twice as uncertain, so the price has a weight of 4/5.
  const loose = withOwnPrice({ log: 9, spread: 0.4 }, own, noon);
  expect(loose?.log).toBeCloseTo(9 + 0.8 * (own.log - 9), 12);
  expect(loose?.spread).toBeCloseTo(0.4 * Math.sqrt(0.2), 12);
});

test('a price far from the prior is ignored', () => {
  const off = (log: number) => ({ log: own.log + log, spread: 0.2 });
  expect(withOwnPrice(off(0.81), own, noon)).toEqual(off(0.81));
  expect(withOwnPrice(off(-0.81), own, noon)).toEqual(off(-0.81));
  expect(withOwnPrice(off(0.79), own, noon)).not.toEqual(off(0.79));
});

test('without a prior, the price is the estimate', () => {
  expect(withOwnPrice(null, own, noon)).toEqual({ log: own.log, spread: 0.2 });
  expect(withOwnPrice(null, null, noon)).toBeNull();
});

test('the price counts for sixty days', () => {
  expect(withOwnPrice(prior, own, noon + 60 * dayMs)).not.toEqual(prior);
  expect(withOwnPrice(prior, own, noon + 60 * dayMs + 1)).toEqual(prior);
  expect(withOwnPrice(null, own, noon + 61 * dayMs)).toBeNull();
  expect(withOwnPrice(prior, null, noon)).toEqual(prior);
});
