/** The maximum price: the highest that leaves the margin, to the cent. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { costOf, maxBuyCents, moneyCents, netNeeded, noBuyingCosts } from './max-buy.ts';

const terms = { costs: noBuyingCosts, marginBasisPoints: 2_500, moneyBasisPoints: 0 };

describe('computed by hand', () => {
  test('net proceeds of $100.00 allow $80.00 at 25 % on cost', () => {
    expect(maxBuyCents(100_00, terms)).toBe(80_00);
  });

  test('a cent less than the full margin lowers the price by a cent', () => {
    expect(maxBuyCents(99_99, terms)).toBe(79_99);
  });

  test('tax, cashback and inbound shipping are part of the cost', () => {
    // 70.00 + 5.25 − 3.50 + 4.00 = 75.75; with 25 % that is 94.6875, so 94.69 is needed.
    const costs = { taxBasisPoints: 750, cashbackBasisPoints: 500, inboundCents: 4_00 };
    expect(costOf(70_00, costs)).toBe(75_75);
    // Exactly the shares of a large price, too.
    expect(costOf(100_000_00, costs)).toBe(102_504_00);
    expect(costOf(100_000_00, noBuyingCosts)).toBe(100_000_00);
    expect(netNeeded(75_75, 2_500)).toBe(94_69);
    expect(maxBuyCents(94_69, { ...terms, costs })).toBe(70_00);
    // 69.99 costs as much as 70.00: a cent of the cashback is lost to rounding.
    expect(maxBuyCents(94_68, { ...terms, costs })).toBe(69_98);
  });

  test('capital until the sale costs its yearly rate, in addition to the margin', () => {
    // 80.00 at 10 % for 73 of 365 days is 1.60; 80.00 × 1.25 + 1.60 = 101.60.
    const borrowed = { ...terms, moneyBasisPoints: 1_000 };
    expect(moneyCents(80_00, { moneyBasisPoints: 1_000, waitDays: 72.6 })).toBe(1_60);
    expect(maxBuyCents(101_60, borrowed, 72.6)).toBe(80_00);
    expect(maxBuyCents(101_59, borrowed, 72.6)).toBe(79_99);
    expect(maxBuyCents(100_00, borrowed)).toBe(80_00);
  });

  test('capital for a year of 365 days costs its whole yearly rate', () => {
    expect(moneyCents(1_000_00, { moneyBasisPoints: 1_000, waitDays: 365 })).toBe(100_00);
  });

  test('net proceeds of 0 allow a price of 0, and a loss allows none', () => {
    expect(maxBuyCents(0, terms)).toBe(0);
    expect(maxBuyCents(-1, terms)).toBeNull();
    const costs = { ...noBuyingCosts, inboundCents: 4_00 };
    expect(maxBuyCents(4_99, { ...terms, costs })).toBeNull();
    expect(maxBuyCents(5_00, { ...terms, costs })).toBe(0);
  });
});

test('the maximum price is enough, and one cent more is not', () => {
  const shares = fc.integer({ min: 0, max: 9_999 });
  const cents = fc.integer({ min: 0, max: 5_000_00 });
  fc.assert(
    fc.property(cents, shares, shares, cents, fc.integer({ min: 0, max: 50_000 }), (...given) => {
      const [net, taxBasisPoints, cashbackBasisPoints, inboundCents, marginBasisPoints] = given;
      const costs = { taxBasisPoints, cashbackBasisPoints, inboundCents };
      const found = maxBuyCents(net, { costs, marginBasisPoints, moneyBasisPoints: 0 });
      const needs = (price: number) => netNeeded(costOf(price, costs), marginBasisPoints);
      if (found === null) expect(needs(0)).toBeGreaterThan(net);
      else {
        expect(needs(found)).toBeLessThanOrEqual(net);
        expect(needs(found + 1)).toBeGreaterThan(net);
      }
    }),
    { seed: 18 },
  );
});
