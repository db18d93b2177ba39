/** A box is split so that its parts add up to what was paid, to the cent. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { splitCost, unitCosts } from './split-cost.ts';

const part = (quantity: number, valueCents: number | null, msrpCents: number | null = null) => {
  return { quantity, valueCents, msrpCents };
};

test('each gets its share by value', () => {
  expect(splitCost(100_00, [part(1, 150_00), part(1, 50_00)])).toEqual([75_00, 25_00]);
});

test('units count, and the cent that is left goes where most of one was cut off', () => {
  // 3333.3, 3333.3, 3333.3; then 6666.6 and 3333.3.
  expect(splitCost(100_00, [part(1, 10), part(1, 10), part(1, 10)])).toEqual([3334, 3333, 3333]);
  expect(splitCost(100_00, [part(2, 10), part(1, 10)])).toEqual([66_67, 33_33]);
});

test('without a value the retail price counts, and without both the mean of the others', () => {
  expect(splitCost(60_00, [part(1, 20_00), part(1, null, 40_00)])).toEqual([20_00, 40_00]);
  expect(splitCost(90_00, [part(1, 20_00), part(1, 40_00), part(1, null)])).toEqual([
    20_00, 40_00, 30_00,
  ]);
  expect(splitCost(90_00, [part(1, null), part(2, null)])).toEqual([30_00, 60_00]);
});

test('where everything is worth nothing, all parts cost the same', () => {
  expect(splitCost(10_00, [part(1, 0), part(3, 0)])).toEqual([5_00, 5_00]);
});

test('the parts of any box add up to what was paid, and so do the units of each part', () => {
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
