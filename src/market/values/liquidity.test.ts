/** Sell-through, from what was sold and what is for sale. */
import { expect, test } from 'bun:test';
import { someEvidence } from '../../../test/support/builders.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Evidence, SoldUnits } from '../evidence/evidence.ts';
import type { Channel } from '../source-rows/source-rows.ts';
import { liquidityOf } from './liquidity.ts';

const now = Date.UTC(2026, 10, 15);

const listed = (channel: Channel, units: number, daysAgo = 1) => ({
  channel,
  units,
  observedAt: now - daysAgo * dayMs,
  lowestCents: null,
});

const valued = {
  valueCents: 100_00,
  lowCents: 90_00,
  highCents: 110_00,
  valueSpread: 0.05,
  saleSpread: 0.1,
  sales: { ever: 9, days30: 1, days90: 3, days180: 5, days365: 9 },
  firstSale: '2026-01',
  latestSale: '2026-11',
};

function evidenceWith(sold90: SoldUnits, sealed: ReturnType<typeof listed>[]): Evidence {
  const listings = { sealed, used: [] };
  return someEvidence({ sealed: { ...valued, sold90 }, listings });
}

test('counts what was sold only where it is known what is for sale', () => {
  const sold = { channels: { fixed: 30, auction: 6, bricklink: 10, unknown: 2 }, sellers: 21 };
  const found = evidenceWith(sold, [listed('fixed', 30), listed('bricklink', 50)]);
  expect(liquidityOf(found, 'sealed', now)).toEqual({
    sold: 48,
    perMonth: 16,
    sellers: 21,
    channels: [
      { channel: 'fixed', sold: 30, stock: 30 },
      { channel: 'bricklink', sold: 10, stock: 50 },
    ],
    sellThrough: 33.3,
  });
});

test('is not known where the count of units for sale is too old, or was never made', () => {
  const sold = { channels: { fixed: 6 }, sellers: null };
  const at = (daysAgo: number) =>
    liquidityOf(evidenceWith(sold, [listed('fixed', 2, daysAgo)]), 'sealed', now)?.sellThrough;
  expect([at(30), at(31)]).toEqual([75, null]);
  expect(liquidityOf(evidenceWith(sold, []), 'sealed', now)?.sellThrough).toBeNull();
});

test('is not known of fewer than five units, and zero if nothing was sold', () => {
  const none = { channels: {}, sellers: 0 };
  const of = (units: number) =>
    liquidityOf(evidenceWith(none, [listed('fixed', units)]), 'sealed', now)?.sellThrough;
  expect([of(0), of(4), of(5)]).toEqual([null, null, 0]);
});

test('there is none without a value', () => {
  expect(liquidityOf(someEvidence(), 'used', now)).toBeNull();
});
