/** What was paid is allotted to the cent. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { allotCost, type PricedPart } from './allot-cost.ts';

const part = (quantity: number, valueCents: number | null, priceCents: number | null = null) => {
  return { quantity, valueCents, msrpCents: null, priceCents };
};
const paid = (totalCents: number | null, taxCents = 0, shippingCents = 0) => {
  return { totalCents, taxCents, shippingCents };
};

test('one price for three sets is split by value', () => {
  const parts = [part(1, 50_00), part(1, 30_00), part(1, 20_00)];
  expect(allotCost(paid(90_00), parts)).toEqual({
    totalCents: 90_00,
    costs: [45_00, 27_00, 18_00],
  });
});

test('items with a price have it, and the others share the rest', () => {
  const parts = [part(2, 10_00, 15_00), part(1, 30_00), part(1, 10_00)];
  expect(allotCost(paid(70_00), parts)).toEqual({
    totalCents: 70_00,
    costs: [30_00, 30_00, 10_00],
  });
});

test('tax, shipping and a discount are in proportion to the prices', () => {
  const parts = [part(1, null, 60_00), part(2, null, 20_00)];
  expect(allotCost(paid(null, 8_00, 2_00), parts)).toEqual({
    totalCents: 110_00,
    costs: [66_00, 44_00],
  });
  expect(allotCost(paid(90_00), parts)).toEqual({ totalCents: 90_00, costs: [54_00, 36_00] });
});

test('what cannot add up is a problem', () => {
  expect(allotCost(paid(null), [part(1, 1, 5), part(1, 1)])).toEqual({ problem: 'no total' });
  expect(allotCost(paid(4), [part(1, 1, 5), part(1, 1)])).toEqual({
    problem: 'prices above total',
  });
  expect(allotCost(paid(5), [part(1, 1, 5), part(1, 1)])).toEqual({
    problem: 'prices above total',
  });
  expect(allotCost(paid(4, 3, 2), [part(1, 1)])).toEqual({ problem: 'tax above total' });
  expect(allotCost(paid(null), [])).toEqual({ problem: 'no total' });
});

test('gifts cost nothing, and shipping for them is split by value', () => {
  expect(allotCost(paid(null, 0, 4_00), [part(1, 30_00, 0), part(1, 10_00, 0)])).toEqual({
    totalCents: 4_00,
    costs: [3_00, 1_00],
  });
});

const cents = fc.integer({ min: 0, max: 100_000_00 });
const aPart: fc.Arbitrary<PricedPart> = fc.record({
  quantity: fc.integer({ min: 1, max: 50 }),
  valueCents: fc.option(cents),
  msrpCents: fc.option(cents),
  priceCents: fc.option(cents),
});

test('costs are never negative, and always add up to the total', () => {
  const receipt = fc.record({
    totalCents: fc.option(cents),
    taxCents: cents,
    shippingCents: cents,
  });
  fc.assert(
    fc.property(receipt, fc.array(aPart, { maxLength: 12 }), (given, parts) => {
      const result = allotCost(given, parts);
      if ('problem' in result || parts.length === 0) return;
      const { totalCents, costs } = result;
      expect(costs.reduce((sum, each) => sum + each, 0)).toBe(totalCents);
      for (const cost of costs) expect(cost).toBeGreaterThanOrEqual(0);
      expect(totalCents).toBe(given.totalCents ?? totalCents);
    }),
  );
});

test('prices that add up to the total are the costs', () => {
  const prices = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), cents), { minLength: 1 });
  fc.assert(
    fc.property(prices, (given) => {
      const parts = given.map(([quantity, price]) => part(quantity, null, price));
      const result = allotCost(paid(null), parts);
      const expected = given.map(([quantity, price]) => quantity * price);
      expect('costs' in result && result.costs).toEqual(expected);
    }),
  );
});
