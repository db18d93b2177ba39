/** A sale divided among its lots: the parts add up, and each has its holding period. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { aRecordedSale } from '../../../test/support/builders.ts';
import { type LotTake, soldLots, termOf } from './sold-lots.ts';

const sale = aRecordedSale({
  quantity: 3,
  grossCents: 100_00,
  platformFeesCents: 10_01,
  paymentFeesCents: 2,
  shippingCents: 7_00,
  costCents: 50_00,
});

const take = (lotId: number, facts: Partial<LotTake> = {}): LotTake => ({
  lotId,
  purchaseDate: '2026-01-01',
  dateBasis: 'known',
  boughtAt: null,
  priceCents: 10_00,
  quantity: 1,
  costCents: 20_00,
  ...facts,
});

test("amounts are divided by units, and the cost by the units' cost", () => {
  const parts = soldLots(sale, [
    take(1, { quantity: 2, purchaseDate: '2025-05-05', boughtAt: 'Target' }),
    take(2, { costCents: 30_00 }),
  ]);
  expect(parts).toMatchObject([
    { quantity: 2, grossCents: 66_67, platformFeesCents: 6_67, costCents: 20_00 },
    { quantity: 1, grossCents: 33_33, platformFeesCents: 3_34, costCents: 30_00 },
  ]);
  expect(parts.map(({ bought }) => bought)).toEqual([
    { lotId: 1, date: '2025-05-05', term: 'long', boughtAt: 'Target' },
    { lotId: 2, date: '2026-01-01', term: 'short', boughtAt: null },
  ]);
});

test('a sale with a given cost is one part, without a purchase', () => {
  const [part, ...others] = soldLots(sale, []);
  expect(others).toEqual([]);
  expect(part).toMatchObject({ quantity: 3, grossCents: 100_00, costCents: 50_00, bought: null });
});

test('an assumed or unknown purchase date is left out, and so is the term', () => {
  const parts = soldLots(sale, [
    take(1, { dateBasis: 'assumed' }),
    take(2, { dateBasis: 'unknown' }),
  ]);
  expect(parts.map(({ bought }) => bought)).toEqual([
    { lotId: 1, date: null, term: null, boughtAt: null },
    { lotId: 2, date: null, term: null, boughtAt: null },
  ]);
});

test.each([
  ['2025-03-04', '2026-03-04', 'short'],
  ['2025-03-04', '2026-03-05', 'long'],
  ['2024-02-29', '2025-02-28', 'short'],
  ['2024-02-29', '2025-03-01', 'long'],
  ['2023-02-28', '2024-02-29', 'long'],
  ['2026-03-04', '2026-01-01', 'short'],
] as const)('a purchase on %s sold on %s is %s term', (bought, sold, term) => {
  expect(termOf(bought, sold)).toBe(term);
});

test('the parts add up to the sale in cents and units, and each to its own profit', () => {
  const cents = fc.nat({ max: 10_000_000 });
  const takes = fc.array(
    fc.record({ quantity: fc.integer({ min: 1, max: 9 }), costCents: cents }),
    { minLength: 1, maxLength: 8 },
  );
  const amounts = fc.record({
    grossCents: cents,
    platformFeesCents: cents,
    paymentFeesCents: cents,
    shippingCents: cents,
    costCents: cents,
  });
  fc.assert(
    fc.property(amounts, takes, (given, drawn) => {
      const lots = drawn.map((facts, index) => take(index, facts));
      const quantity = lots.reduce((sum, lot) => sum + lot.quantity, 0);
      const parts = soldLots({ ...sale, ...given, quantity }, lots);
      const names = [...Object.keys(given), 'quantity'] as (keyof typeof given)[];
      for (const name of names) {
        const sum = parts.reduce((total, part) => total + part[name], 0);
        expect([name, sum]).toEqual([name, { ...given, quantity }[name]]);
        expect(parts.every((part) => part[name] >= 0)).toBe(true);
      }
      for (const part of parts) {
        const fees = part.platformFeesCents + part.paymentFeesCents + part.shippingCents;
        expect(part.profitCents).toBe(part.grossCents - fees - part.costCents);
      }
      // Each part has its units' cost at the time of the sale.
      const costs = lots.map((lot) => lot.costCents);
      const costCents = costs.reduce((sum, cost) => sum + cost, 0);
      const frozen = soldLots({ ...sale, ...given, costCents, quantity }, lots);
      expect(frozen.map((part) => part.costCents)).toEqual(costs);
    }),
    { seed: 21, numRuns: 200 },
  );
});
