/** The time to sell by channel: rivals, shares of sales, prices and what is assumed. */
import { describe, expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Listings } from '../../market/values/listings.ts';
import { medianWaitDays, salesPerMonth } from '../../market/values/wait.ts';
import type { Resale } from './resale.ts';
import { type UnitForSale, waitFor } from './your-wait.ts';

const at = Date.UTC(2026, 5, 1);
const rate = {
  sales: 24,
  days: 365,
  priorSales: 2,
  priorDays: 60,
  shares: { fixed: 0.5, bricklink: 0.3, amazon: 0.2 },
};

const listed = (channel: Listings['channel'], given: Partial<Listings> = {}): Listings => ({
  channel,
  observedAt: at - dayMs,
  units: 5,
  lowestCents: null,
  ...given,
});

function wait(channel: UnitForSale['channel'], given: Partial<Resale> = {}, unit = {}) {
  const found = waitFor(
    { ...soldWell, rate, fbaSellers: null, ...given },
    { channel, at, ...unit },
  );
  if (found === null) throw new Error('The rate must be known.');
  return found;
}

const expected = (share: number, rivals: number, cheaper = 0.5) =>
  expect.closeTo(medianWaitDays(rate, { share, rivals, cheaper }), 6);

describe('the wait', () => {
  test('follows from the sales in the channel and the units for sale there', () => {
    const listings = [listed('fixed'), listed('bricklink', { units: 30 })];
    expect(wait('ebay', { listings })).toEqual({
      days: expected(0.5, 5),
      rivals: 5,
      isCheapest: false,
      isAssumed: false,
    });
    expect(wait('bricklink', { listings })).toEqual({
      days: expected(0.3, 30),
      rivals: 30,
      isCheapest: false,
      isAssumed: false,
    });
  });

  test('assumes months of supply where units were not counted within 30 days', () => {
    const perMonth = salesPerMonth(rate);
    const assumed = { rivals: null, isCheapest: false, isAssumed: true };
    expect(wait('ebay')).toEqual({ days: expected(0.5, 2 * perMonth * 0.5), ...assumed });
    expect(wait('bricklink')).toEqual({ days: expected(0.3, 6 * perMonth * 0.3), ...assumed });
    expect(wait('amazon')).toEqual({ days: expected(0.2, perMonth * 0.2), ...assumed });
    const old = (days: number) => [listed('fixed', { observedAt: at - days * dayMs })];
    expect(wait('ebay', { listings: old(31) })).toEqual(wait('ebay'));
    expect(wait('ebay', { listings: old(30) }).rivals).toBe(5);
  });

  test('assumes the supply of similar items where it was learned', () => {
    const learned = { ...rate, supplyMonths: { bricklink: 9 } };
    const found = wait('bricklink', { rate: learned });
    const rivals = 9 * salesPerMonth(rate) * 0.3;
    expect(found).toEqual({
      days: expected(0.3, rivals),
      rivals: null,
      isCheapest: false,
      isAssumed: true,
    });
    expect(wait('ebay', { rate: learned })).toEqual(wait('ebay'));
  });

  test('counts FBA sellers on Amazon, unless units were counted', () => {
    const three = { days: expected(0.2, 3), rivals: 3, isCheapest: false, isAssumed: false };
    expect(wait('fba', { fbaSellers: 3 })).toEqual(three);
    expect(wait('amazon', { fbaSellers: 3 })).toEqual(three);
    expect(wait('ebay', { fbaSellers: 3 }).rivals).toBeNull();
    expect(wait('fba', { fbaSellers: 3, listings: [listed('amazon')] }).rivals).toBe(5);
  });

  test('is that of the busiest channel, with other rivals, where no sales are known', () => {
    const days = expected(0.5, 3 * salesPerMonth(rate) * 0.5);
    expect(wait('mercari')).toEqual({ days, rivals: null, isCheapest: false, isAssumed: true });
    const { shares: _, ...bare } = rate;
    expect(wait('ebay', { rate: bare, listings: [listed('fixed')] })).toEqual({
      days: expected(1, 5),
      rivals: 5,
      isCheapest: false,
      isAssumed: true,
    });
    const none = { ...rate, shares: { fixed: 1, bricklink: 0 } };
    expect(wait('bricklink', { rate: none, listings: [listed('bricklink')] }).isAssumed).toBe(true);
  });

  test('counts at most ten times the usual supply as rivals, or 20', () => {
    const most = Math.floor(10 * 6 * salesPerMonth(rate) * 0.3);
    const units = (count: number) =>
      wait('bricklink', { listings: [listed('bricklink', { units: count })] });
    expect(units(most)).toMatchObject({ rivals: most, isAssumed: false });
    expect(units(1_000_000)).toEqual({ ...units(most), isAssumed: true });
    const rare = { ...rate, sales: 0, priorSales: 0.1 };
    const rarely = (count: number) =>
      wait('ebay', { rate: rare, listings: [listed('fixed', { units: count })] });
    expect(rarely(20)).toMatchObject({ rivals: 20, isAssumed: false });
    expect(rarely(21)).toMatchObject({ rivals: 20, isAssumed: true });
    expect(wait('amazon', { fbaSellers: 1_000_000 })).toMatchObject({ rivals: 20 });
  });

  test('is unknown without a rate', () => {
    expect(waitFor({ ...soldWell, rate: null }, { channel: 'ebay', at })).toBeNull();
  });

  test('is longer in a quiet season', () => {
    const season = [1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 1.5, 2, 2];
    const listings = [listed('fixed', { units: 0 })];
    expect(wait('ebay', { season, listings }).days).toBeCloseTo(
      2 * wait('ebay', { listings }).days,
      6,
    );
  });
});

describe('a cheaper unit', () => {
  const listings = [listed('fixed', { lowestCents: 80_00 })];

  test('sells sooner, and a dearer one later', () => {
    const days = [70_00, 95_00, 100_00, 105_00, 140_00].map(
      (priceCents) => wait('ebay', { listings: [listed('fixed')] }, { priceCents }).days,
    );
    expect(days).toEqual(days.toSorted((a, b) => a - b));
    expect(days[2]).toEqual(expected(0.5, 5));
    // One spread (10 %) above the usual price, 84 to 85 % of the rivals are cheaper.
    const above = wait('ebay', { listings }, { priceCents: Math.round(100_00 * Math.exp(0.1)) });
    expect(above.days).toBeCloseTo(
      medianWaitDays(rate, { share: 0.5, rivals: 5, cheaper: 0.846 }),
      -1,
    );
  });

  test('has rivals even if their lowest price is said to be far above the usual one', () => {
    const days = (lowestCents: number) =>
      wait('ebay', { listings: [listed('fixed', { units: 20, lowestCents })] }).days;
    expect(days(150_00)).toEqual(expected(0.5, 20, 0));
    expect(days(150_01)).toBeGreaterThan(4 * days(150_00));
  });

  test('at the lowest price is next', () => {
    expect(wait('ebay', { listings }, { priceCents: 80_00 }).days).toEqual(expected(0.5, 5, 0));
    expect(wait('ebay', { listings }, { priceCents: 80_01 }).days).toBeGreaterThan(
      1.01 * wait('ebay', { listings }, { priceCents: 80_00 }).days,
    );
  });
});
