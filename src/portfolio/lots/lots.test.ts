/** Lots: sales take the oldest units first, at their cost. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { allocateUnits, assumedPurchaseDate, type LotUnits, lotDefaults } from './lots.ts';

const lots: readonly LotUnits[] = [
  { lotId: 3, purchaseDate: '2026-03-01', priceCents: 30_00, unitsLeft: 5 },
  { lotId: 1, purchaseDate: '2026-01-01', priceCents: 10_00, unitsLeft: 2 },
  { lotId: 4, purchaseDate: '2026-01-01', priceCents: 11_00, unitsLeft: 1 },
  { lotId: 2, purchaseDate: '2026-02-01', priceCents: 20_00, unitsLeft: 0 },
];

test.each([
  ['one unit comes from the oldest lot', 1, [[1, 1]], 10_00],
  ['the oldest lot is used up', 2, [[1, 2]], 20_00],
  [
    'of lots bought on one day, the one recorded first goes first',
    3,
    [
      [1, 2],
      [4, 1],
    ],
    31_00,
  ],
  [
    'an empty lot is skipped',
    4,
    [
      [1, 2],
      [4, 1],
      [3, 1],
    ],
    61_00,
  ],
  [
    'everything is sold',
    8,
    [
      [1, 2],
      [4, 1],
      [3, 5],
    ],
    181_00,
  ],
  ['nothing is sold', 0, [], 0],
] as const)('%s', (_, quantity, takes, costCents) => {
  expect(allocateUnits(lots, quantity)).toEqual({
    takes: takes.map(([lotId, units]) => ({
      lotId,
      quantity: units,
      costCents: units * (lots.find((lot) => lot.lotId === lotId)?.priceCents ?? 0),
    })),
    costCents,
  });
});

test('if too few units are left, their number is returned', () => {
  expect(allocateUnits(lots, 9)).toEqual({ unitsLeft: 8 });
  expect(allocateUnits([], 1)).toEqual({ unitsLeft: 0 });
});

const anyLots = fc
  .array(
    fc.record({
      purchaseDate: fc.constantFrom('2025-12-31', '2026-01-01', '2026-02-01'),
      priceCents: fc.nat({ max: 100_000 }),
      unitsLeft: fc.nat({ max: 20 }),
    }),
    { maxLength: 12 },
  )
  .chain((facts) => fc.shuffledSubarray(facts.map((lot, index) => ({ lotId: index + 1, ...lot }))));

test('allocation conserves units and their cost, and takes older units first', () => {
  fc.assert(
    fc.property(anyLots, fc.nat({ max: 150 }), (held, quantity) => {
      const total = held.reduce((sum, lot) => sum + lot.unitsLeft, 0);
      const allocation = allocateUnits(held, quantity);
      if ('unitsLeft' in allocation) {
        expect(allocation.unitsLeft).toBe(total);
        expect(total).toBeLessThan(quantity);
        return;
      }
      const taken = new Map(allocation.takes.map((take) => [take.lotId, take.quantity]));
      expect(taken.size).toBe(allocation.takes.length);
      // All held units one by one, oldest first; the first of them must be sold.
      const units = held
        .toSorted((a, b) => a.purchaseDate.localeCompare(b.purchaseDate) || a.lotId - b.lotId)
        .flatMap((lot) => Array.from({ length: lot.unitsLeft }, () => lot));
      const first = units.slice(0, quantity);
      expect(allocation.costCents).toBe(first.reduce((sum, lot) => sum + lot.priceCents, 0));
      for (const lot of held) {
        const expected = first.filter((unit) => unit.lotId === lot.lotId).length;
        expect(taken.get(lot.lotId) ?? 0).toBe(expected);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('selling in two steps takes the same units at the same cost as selling at once', () => {
  const steps = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }));
  fc.assert(
    fc.property(anyLots, steps, (held, [one, two]) => {
      const atOnce = allocateUnits(held, one + two);
      const firstSale = allocateUnits(held, one);
      if ('unitsLeft' in atOnce || 'unitsLeft' in firstSale) return;
      const sold = new Map(firstSale.takes.map((take) => [take.lotId, take.quantity]));
      const left = held.map((lot) => ({
        ...lot,
        unitsLeft: lot.unitsLeft - (sold.get(lot.lotId) ?? 0),
      }));
      const secondSale = allocateUnits(left, two);
      expect('costCents' in secondSale && secondSale.costCents + firstSale.costCents).toBe(
        atOnce.costCents,
      );
    }),
    { seed: 6, numRuns: 200 },
  );
});

test.each([
  ['the release day', '2024-03-01', 2024, '2024-03-01'],
  ['the first day of the year, if only that is known', null, 2019, '2019-01-01'],
  ['today, if nothing is known', null, null, '2026-11-16'],
  ['today, if the set is not released yet', '2027-01-01', 2027, '2026-11-16'],
])('the assumed day of purchase is %s', (_, releaseDate, year, day) => {
  expect(assumedPurchaseDate({ releaseDate, year }, '2026-11-16')).toBe(day);
});

test('a lot without other information is owned, at a known price and date', () => {
  expect(lotDefaults).toEqual({ status: 'owned', isEstimated: false, dateBasis: 'known' });
});
