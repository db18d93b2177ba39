/** Profit by group: every grouping adds up to the same total, to the cent. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { aRecordedSale } from '../../../test/support/builders.ts';
import { platforms } from '../../market/fees/platforms.ts';
import type { LedgerSale } from './ledger.ts';
import {
  type ProfitGrouping,
  profitBy,
  profitGroupings,
  type SoldUnits,
  totalOf,
} from './profit.ts';
import { type LotTake, soldLots } from './sold-lots.ts';

const take = (facts: Partial<LotTake> = {}): LotTake => ({
  lotId: 1,
  purchaseDate: '2026-01-01',
  dateBasis: 'known',
  boughtAt: null,
  priceCents: 10_00,
  quantity: 1,
  costCents: 10_00,
  ...facts,
});

const sell = (
  facts: Partial<LedgerSale>,
  takes: readonly LotTake[],
  theme = 'Castle',
): SoldUnits[] => {
  const free = { platformFeesCents: 0, paymentFeesCents: 0, shippingCents: 0 };
  const sale = aRecordedSale({ ...free, ...facts });
  return soldLots(sale, takes).map((part) => ({ sale, part, theme }));
};

const sold = [
  ...sell(
    {
      id: 1,
      saleDate: '2026-01-31',
      platform: 'ebay',
      quantity: 2,
      grossCents: 50_00,
      costCents: 20_00,
    },
    [take({ boughtAt: 'Target' }), take({ purchaseDate: '2025-12-31', boughtAt: 'target' })],
  ),
  ...sell(
    { id: 2, saleDate: '2025-06-01', platform: 'bricklink', quantity: 1, grossCents: 5_00 },
    [take({ dateBasis: 'unknown' })],
    '',
  ),
];

/** The groups of a grouping with their profits in dollars. */
const groups = (grouping: ProfitGrouping) =>
  profitBy(grouping, sold).map(({ name, profitCents }) => [name, profitCents / 100]);

test('units of one sale belong to the groups of their lots', () => {
  expect(groups('time_held')).toEqual([
    ['Up to 30 days', 15],
    ['31 to 90 days', 15],
    ['Purchase date unknown', -5],
  ]);
  const [first] = profitBy('time_held', sold);
  expect(first).toMatchObject({ sales: 1, units: 1, daysHeld: 30, roiPct: 150 });
});

test('groups have names, and what is unknown comes last', () => {
  expect(groups('theme')).toEqual([
    ['Castle', 30],
    ['Not in the catalog', -5],
  ]);
  expect(groups('bought_at')).toEqual([
    ['Target', 30],
    ['Not recorded', -5],
  ]);
  expect(groups('month').map(([name]) => name)).toEqual(['2025-06', '2026-01']);
  expect(groups('year').map(([name]) => name)).toEqual(['2025', '2026']);
  expect(groups('platform').map(([name]) => name)).toEqual(['BrickLink', 'eBay']);
});

const day = fc.constantFrom('2020-02-29', '2024-12-31', '2025-01-01', '2026-01-31', '2026-06-30');
const cents = fc.nat(100_00);
const anyTake = fc.record({
  lotId: fc.nat(9),
  purchaseDate: day,
  dateBasis: fc.constantFrom('known', 'assumed', 'unknown'),
  boughtAt: fc.constantFrom(null, 'Target', 'Walmart'),
  priceCents: cents,
  quantity: fc.integer({ min: 1, max: 5 }),
  costCents: cents,
});

test('every grouping adds up to the total', () => {
  const anySale = fc.record({
    takes: fc.array(anyTake, { maxLength: 4 }),
    saleDate: day,
    platform: fc.constantFrom(...platforms),
    grossCents: cents,
    platformFeesCents: cents,
    paymentFeesCents: cents,
    shippingCents: cents,
    costCents: cents,
    theme: fc.constantFrom('Castle', 'Space', ''),
  });
  const all = fc.array(anySale, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(all, (sales) => {
      const units = sales.flatMap(({ takes, theme, ...facts }, id) => {
        const quantity = takes.reduce((sum, each) => sum + each.quantity, 0) || 1;
        return sell({ id, quantity, ...facts }, takes, theme);
      });
      const total = totalOf(units);
      const profit = sales.reduce(
        (sum, sale) =>
          sum +
          sale.grossCents -
          sale.platformFeesCents -
          sale.paymentFeesCents -
          sale.shippingCents -
          sale.costCents,
        0,
      );
      expect(total).toMatchObject({ profitCents: profit, sales: sales.length });
      for (const grouping of profitGroupings) {
        const rows = profitBy(grouping, units);
        for (const field of ['profitCents', 'netCents', 'costCents', 'units'] as const) {
          expect(rows.reduce((sum, row) => sum + row[field], 0)).toBe(total[field]);
        }
      }
    }),
  );
});
