/** When most of the value of a box is sold. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { expectedSoldShare, soldShareDays, type WaitingUnits } from './box-wait.ts';

const item = (unitCents: number, days: number, quantity = 1): WaitingUnits => {
  return { quantity, unitCents, medianDays: (unit) => days * unit };
};

test('a unit is sold at its median half of the time, at 2.3 times that in four of five', () => {
  expect(expectedSoldShare([item(100_00, 30)], 30)).toBeCloseTo(0.5, 9);
  expect(soldShareDays([item(100_00, 30)])).toBeCloseTo(30 * Math.log2(5), 6);
  expect(soldShareDays([item(100_00, 30)], 0.5)).toBeCloseTo(30, 6);
});

test('a cheap minifig that takes years hardly matters', () => {
  const sets = [item(300_00, 40), item(200_00, 60)];
  const alone = soldShareDays(sets) ?? 0;
  const days = soldShareDays([...sets, item(2_00, 3_650)]) ?? 0;
  expect(days).toBeGreaterThan(alone);
  expect(days).toBeLessThan(alone * 1.03);
});

test('a box without a value has no wait', () => {
  expect(soldShareDays([])).toBeNull();
  expect(soldShareDays([item(0, 30)])).toBeNull();
});

test('a wait without an end stays a number', () => {
  expect(Number.isFinite(soldShareDays([item(1, 1e12)]))).toBe(true);
});

const anItem = fc
  .record({
    cents: fc.integer({ min: 1, max: 500_00 }),
    days: fc.integer({ min: 1, max: 3_000 }),
    quantity: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ cents, days, quantity }) => item(cents, days, quantity));
const aBox = fc.array(anItem, { minLength: 1, maxLength: 8 });

describe('for any box', () => {
  test('the share is sold on that day, and a larger share later', () => {
    fc.assert(
      fc.property(aBox, (box) => {
        let before = 0;
        for (const share of [0.2, 0.5, 0.8, 0.95]) {
          const days = soldShareDays(box, share) ?? 0;
          expect(expectedSoldShare(box, days)).toBeCloseTo(share, 6);
          expect(days).toBeGreaterThan(before);
          before = days;
        }
      }),
      { numRuns: 25 },
    );
  });

  test('prices in another unit, or the order of items, change nothing', () => {
    fc.assert(
      fc.property(aBox, (box) => {
        const days = soldShareDays(box) ?? 0;
        const dearer = box.map((each) => ({ ...each, unitCents: each.unitCents * 100 }));
        expect(soldShareDays(dearer)).toBeCloseTo(days, 5);
        expect(soldShareDays(box.toReversed())).toBeCloseTo(days, 5);
      }),
      { numRuns: 25 },
    );
  });

  test('a slower item never makes it sooner', () => {
    fc.assert(
      fc.property(anItem, aBox, (one, others) => {
        const slower = { ...one, medianDays: (unit: number) => 2 * one.medianDays(unit) };
        const days = soldShareDays([one, ...others]) ?? 0;
        expect(soldShareDays([slower, ...others])).toBeGreaterThanOrEqual(days - 1e-6);
      }),
      { numRuns: 25 },
    );
  });

  test('it is between the waits of its fastest and its slowest item', () => {
    fc.assert(
      fc.property(aBox, (box) => {
        const each = box.map((one) => soldShareDays([one]) ?? 0);
        const days = soldShareDays(box) ?? 0;
        expect(days).toBeGreaterThanOrEqual(Math.min(...each) - 1e-6);
        expect(days).toBeLessThanOrEqual(Math.max(...each) + 1e-6);
      }),
      { numRuns: 25 },
    );
  });
});
