/** Recorded sales: net proceeds and profit. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { proceedsOf } from './ledger.ts';

type Amounts = readonly [gross: number, platform: number, payment: number, shipping: number];

function proceeds(
  [grossCents, platformFeesCents, paymentFeesCents, shippingCents]: Amounts,
  costCents: number,
) {
  return proceedsOf({ grossCents, platformFeesCents, paymentFeesCents, shippingCents, costCents });
}

test.each([
  // 100 − 10 − 3 − 7 = 80; 80 − 50 = 30; 30 ÷ 50
  ['a gain after every kind of fee', [100_00, 10_00, 3_00, 7_00], 50_00, [80_00, 30_00, 60]],
  ['a sale without fees', [75_00, 0, 0, 0], 60_00, [75_00, 15_00, 25]],
  // 40 − 4 − 1 − 5 = 30; 30 − 50 = −20; −20 ÷ 50
  ['a loss', [40_00, 4_00, 1_00, 5_00], 50_00, [30_00, -20_00, -40]],
  ['a sale that comes out even', [60_00, 5_00, 2_00, 3_00], 50_00, [50_00, 0, 0]],
  // 5 − 12 = −7; −7 − 7 = −14: twice the cost
  ['fees above the gross', [5_00, 0, 0, 12_00], 7_00, [-7_00, -14_00, -200]],
  ['something given away', [0, 0, 0, 0], 25_00, [0, -25_00, -100]],
  // 1 ÷ 3 = 0.33333…
  ['a third', [4_00, 0, 0, 0], 3_00, [4_00, 1_00, 33.33]],
  // 2 ÷ 3 = 0.66666…
  ['two thirds', [5_00, 0, 0, 0], 3_00, [5_00, 2_00, 66.67]],
  // 1 ÷ 800 is 0.125 %
  ['half a hundredth of a percent is rounded up', [8_01, 0, 0, 0], 8_00, [8_01, 1, 0.13]],
  ['a cost of a cent', [10_00, 0, 0, 0], 1, [10_00, 9_99, 99_900]],
] as const)(
  'profit is what is left after fees and cost: %s',
  (_, amounts, costCents, [netCents, profitCents, roiPct]) => {
    expect(proceeds(amounts, costCents)).toEqual({ netCents, profitCents, roiPct });
  },
);

test.each([
  ['with a profit', [30_00, 2_00, 1_00, 0], 27_00],
  ['that brought nothing', [0, 0, 0, 0], 0],
  ['that cost more than it brought', [3_00, 1_00, 0, 4_00], -2_00],
] as const)('a sale at no cost %s has no percentage', (_, amounts, cents) => {
  expect(proceeds(amounts, 0)).toEqual({ netCents: cents, profitCents: cents, roiPct: null });
});

test('the gross splits into fees, shipping, cost and profit, to the cent', () => {
  const cents = fc.nat({ max: 100_000_000 });
  fc.assert(
    fc.property(fc.tuple(cents, cents, cents, cents), cents, (amounts, costCents) => {
      const { netCents, profitCents, roiPct } = proceeds(amounts, costCents);
      const [gross, platform, payment, shipping] = amounts;
      expect(platform + payment + shipping + netCents).toBe(gross);
      expect(costCents + profitCents).toBe(netCents);
      expect(roiPct === null).toBe(costCents === 0);
      if (roiPct !== null) {
        expect(Math.abs(roiPct - (100 * profitCents) / costCents)).toBeLessThan(0.00501);
      }
    }),
    { seed: 11, numRuns: 500 },
  );
});
