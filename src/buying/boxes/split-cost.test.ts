/** The parts of a split cost add up to it, to the cent. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { splitCost, unitCosts } from './split-cost.ts';

const part = (quantity: number, valueCents: number | null, msrpCents: number | null = null) => {
  return { quantity, valueCents, msrpCents };
};

test('the cost is split by value', () => {
  expect(splitCost(100_00, [part(1, 150_00), part(1, 50_00)])).toEqual([75_00, 25_00]);
});

test('units count, and remaining cents go to the largest remainders', () => {
  // 3333.3, 3333.3, 3333.3; then 6666.6 and 3333.3.
  expect(splitCost(100_00, [part(1, 10), part(1, 10), part(1, 10)])).toEqual([3334, 3333, 3333]);
  expect(splitCost(100_00, [part(2, 10), part(1, 10)])).toEqual([66_67, 33_33]);
});

test('the MSRP replaces a missing value, and the mean of the others if both are missing', () => {
  expect(splitCost(60_00, [part(1, 20_00), part(1, null, 40_00)])).toEqual([20_00, 40_00]);
  expect(splitCost(90_00, [part(1, 20_00), part(1, 40_00), part(1, null)])).toEqual([
    20_00, 40_00, 30_00,
  ]);
  expect(splitCost(90_00, [part(1, null), part(2, null)])).toEqual([30_00, 60_00]);
});

test('units cost the same, or some of them a cent more', () => {
  expect(unitCosts(9_00, 3)).toEqual([{ quantity: 3, unitCents: 3_00 }]);
  expect(unitCosts(9_01, 3)).toEqual([
    { quantity: 1, unitCents: 3_01 },
    { quantity: 2, unitCents: 3_00 },
  ]);
});

test('if all values are 0, all parts cost the same', () => {
  expect(splitCost(10_00, [part(1, 0), part(3, 0)])).toEqual([5_00, 5_00]);
});

test('the parts of any box add up to its cost, and so do the units of each part', () => {
  const cents = fc.option(fc.integer({ min: 0, max: 2_000_00 }), { nil: null });
  const parts = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 500 }),
      valueCents: cents,
      msrpCents: cents,
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_00 }), parts, (cost, box) => {
      const shares = splitCost(cost, box);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(cost);
      shares.forEach((share, index) => {
        expect(share).toBeGreaterThanOrEqual(0);
        const units = unitCosts(share, box[index]?.quantity ?? 1);
        const total = units.reduce((sum, lot) => sum + lot.quantity * lot.unitCents, 0);
        expect(total).toBe(share);
        expect(units.reduce((sum, lot) => sum + lot.quantity, 0)).toBe(box[index]?.quantity ?? 1);
      });
    }),
    { seed: 18 },
  );
});
