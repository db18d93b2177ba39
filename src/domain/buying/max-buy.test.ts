/** What may be paid: the largest price that leaves the margin, to the cent. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { costOf, maxBuyCents, netNeeded, noBuyingCosts } from './max-buy.ts';

const terms = { costs: noBuyingCosts, marginBasisPoints: 2_500 };

describe('by hand', () => {
  test('$100.00 that are left pay for $80.00 at 25 % on cost', () => {
    expect(maxBuyCents(100_00, terms)).toBe(80_00);
  });

  test('a cent less than a whole margin is a cent too little', () => {
    expect(maxBuyCents(99_99, terms)).toBe(79_99);
  });

  test('tax, cashback and postage to the house are part of the cost', () => {
    // 70.00 + 5.25 − 3.50 + 4.00 = 75.75; with 25 % that is 94.6875, so 94.69 must be left.
    const costs = { taxBasisPoints: 750, cashbackBasisPoints: 500, inboundCents: 4_00 };
    expect(costOf(70_00, costs)).toBe(75_75);
    expect(netNeeded(75_75, 2_500)).toBe(94_69);
    expect(maxBuyCents(94_69, { costs, marginBasisPoints: 2_500 })).toBe(70_00);
    // 9.99 costs as much as 0.00: a cent of the cashback is lost to rounding.
    expect(maxBuyCents(94_68, { costs, marginBasisPoints: 2_500 })).toBe(69_98);
  });

  test('what leaves nothing may cost nothing, and what loses money has no price', () => {
    expect(maxBuyCents(0, terms)).toBe(0);
    expect(maxBuyCents(-1, terms)).toBeNull();
    const costs = { ...noBuyingCosts, inboundCents: 4_00 };
    expect(maxBuyCents(4_99, { costs, marginBasisPoints: 2_500 })).toBeNull();
    expect(maxBuyCents(5_00, { costs, marginBasisPoints: 2_500 })).toBe(0);
  });
});

test('it is enough, and one cent more is not', () => {
  const shares = fc.integer({ min: 0, max: 9_999 });
  const cents = fc.integer({ min: 0, max: 5_000_00 });
  fc.assert(
    fc.property(cents, shares, shares, cents, fc.integer({ min: 0, max: 50_000 }), (...given) => {
      const [net, taxBasisPoints, cashbackBasisPoints, inboundCents, marginBasisPoints] = given;
      const costs = { taxBasisPoints, cashbackBasisPoints, inboundCents };
      const found = maxBuyCents(net, { costs, marginBasisPoints });
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
