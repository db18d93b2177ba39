/** Charged fees compared with price lists, and the fitted rate. */
import { describe, expect, test } from 'bun:test';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { auditFees, type ChargedLedgerSale, fitRate } from './fee-audit.ts';

const sale: ChargedLedgerSale = {
  id: 1,
  kind: 'set',
  number: '75192',
  platform: 'ebay',
  saleDate: '2026-06-01',
  quantity: 1,
  grossCents: 100_00,
  platformFeesCents: 15_02,
  paymentFeesCents: 0,
  shippingCents: 10_00,
};

test('a sale charged as listed has no difference', () => {
  // 107.50 × 13.6 % + 0.40
  expect(auditFees(builtInFees, [sale])).toEqual({
    platforms: [
      {
        platform: 'ebay',
        sales: 1,
        grossCents: 100_00,
        chargedCents: 15_02,
        listedCents: 15_02,
        lacksPayment: false,
        rate: null,
      },
    ],
    most: [],
  });
});

test('the price list of the day is used, and the largest differences come first', () => {
  const before = { ...sale, id: 2, saleDate: '2025-02-13' };
  const dear = { ...sale, id: 3, platformFeesCents: 20_02 };
  const { platforms, most } = auditFees(builtInFees, [sale, before, dear]);
  // Until February 13, 2025, the fee was 14.64.
  expect(platforms).toMatchObject([{ sales: 3, chargedCents: 50_06, listedCents: 44_68 }]);
  expect(most.map((each) => [each.sale.id, each.listedCents])).toEqual([
    [3, 15_02],
    [2, 14_64],
  ]);
});

test('a cent is a difference, equal ones are in order of sales, and ten are shown', () => {
  const charged = (id: number, platformFeesCents: number) => ({ ...sale, id, platformFeesCents });
  const ids = [5, 3, 12, 4, 2, 11, 10, 6, 9, 8, 7];
  const sales = [...ids.map((id) => charged(id, 15_04)), charged(1, 15_03), charged(13, 15_00)];
  const most = (given: readonly ChargedLedgerSale[]) =>
    auditFees(builtInFees, given).most.map((each) => each.sale.id);
  expect(most(sales)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(most([charged(1, 15_03), sale, charged(2, 15_01)])).toEqual([1, 2]);
});

test('missing payment fees are not compared, but the rate includes listed ones instead', () => {
  // Items 90.00 × 2.5 % = 2.25; 100.00 × 2.9 % + 0.30 = 3.20.
  const unreported = { ...sale, platform: 'brick_owl', platformFeesCents: 2_25 } as const;
  const sales = [unreported, { ...unreported, paymentFeesCents: 3_20 }];
  const { platforms, most } = auditFees(builtInFees, sales);
  expect(platforms).toMatchObject([{ chargedCents: 7_70, listedCents: 7_70, lacksPayment: true }]);
  expect(most).toEqual([]);
  const cent = auditFees(builtInFees, [{ ...unreported, paymentFeesCents: 1 }]);
  expect(cent.platforms).toMatchObject([{ listedCents: 5_45, lacksPayment: false }]);
  const six = auditFees(builtInFees, Array(6).fill(unreported)).platforms[0]?.rate;
  expect(six).toEqual({ platform: 'brick_owl', basisPoints: 545, feeCents: 0 });
});

test('platforms with more sales come first', () => {
  const other = { ...sale, platform: 'mercari' } as const;
  const { platforms } = auditFees(builtInFees, [other, sale, sale]);
  expect(platforms.map(({ platform, sales }) => [platform, sales])).toEqual([
    ['ebay', 2],
    ['mercari', 1],
  ]);
});

describe('the rate', () => {
  const point = (paidCents: number) => ({
    paidCents,
    feesCents: Math.round(paidCents * 0.1325) + 40,
  });
  const prices = [9_99, 20_00, 35_50, 60_00, 99_99, 149_00, 250_00];

  test('is robust against a few outliers', () => {
    const odd = [
      { paidCents: 80_00, feesCents: 0 },
      { paidCents: 70_00, feesCents: 40_00 },
    ];
    expect(fitRate([...prices.map(point), ...odd])).toEqual({ basisPoints: 1_325, feeCents: 40 });
  });

  test('is the same for very many sales', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => point(10_00 + index * 7));
    expect(fitRate(many)).toEqual({ basisPoints: 1_325, feeCents: 40 });
  });

  test('of more than two hundred sales is that of two hundred, evenly spread by price', () => {
    // Fees that vary a lot, in no order of prices.
    const many = Array.from({ length: 523 }, (_, index) => {
      const paidCents = 10_00 + ((index * 7_919) % 50_000);
      return { paidCents, feesCents: Math.round(paidCents * 0.1) + ((index * 104_729) % 2_000) };
    });
    const sorted = many.toSorted((a, b) => a.paidCents - b.paidCents);
    const sample = Array.from({ length: 200 }, (_, index) => {
      const point = sorted[Math.round((index * 522) / 199)];
      if (!point) throw new Error('There must be a sale.');
      return point;
    });
    expect(fitRate(many)).toEqual(fitRate(sample));
  });

  test('has no amount per order if all prices are equal or the amount would be negative', () => {
    expect(fitRate(Array(5).fill(point(100_00)))).toEqual({ basisPoints: 1_365, feeCents: 0 });
    const below = prices.map((paidCents) => ({ paidCents, feesCents: paidCents * 0.2 - 1_00 }));
    expect(fitRate(below)?.feeCents).toBe(0);
    const rounded = prices.map((paidCents) => {
      return { paidCents, feesCents: Math.round(paidCents * 0.15) };
    });
    expect(fitRate(rounded)).toEqual({ basisPoints: 1_500, feeCents: 0 });
  });

  test('may be an amount alone, or an amount of a cent', () => {
    const flat = prices.map((paidCents) => ({ paidCents, feesCents: 40 }));
    expect(fitRate(flat)).toEqual({ basisPoints: 0, feeCents: 40 });
    const cent = [10_00, 20_00, 30_00, 40_00, 50_00].map((paidCents) => {
      return { paidCents, feesCents: paidCents / 10 + 1 };
    });
    expect(fitRate(cent)).toEqual({ basisPoints: 1_000, feeCents: 1 });
  });

  test('is in hundredths of a percent, also for a large share', () => {
    const large = [10_00, 20_00, 30_00, 40_00, 50_00].map((paidCents) => {
      return { paidCents, feesCents: paidCents * 0.6 };
    });
    expect(fitRate(large.map((each) => ({ ...each, feesCents: each.feesCents + 40 })))).toEqual({
      basisPoints: 6_000,
      feeCents: 40,
    });
    expect(fitRate(large)).toEqual({ basisPoints: 6_000, feeCents: 0 });
  });

  test('ignores sales without a payment', () => {
    const free = { ...sale, grossCents: 0, shippingCents: 0, platformFeesCents: 1_00 };
    const rateOf = (count: number) =>
      auditFees(builtInFees, [...Array(count).fill(sale), free, free]).platforms[0]?.rate;
    expect(rateOf(4)).toBeNull();
    expect(rateOf(5)).toEqual({ platform: 'ebay', basisPoints: 1_502, feeCents: 0 });
  });

  test('needs at least five sales', () => {
    expect(fitRate(prices.slice(0, 4).map(point))).toBeNull();
    expect(fitRate(prices.slice(0, 5).map(point))).not.toBeNull();
  });
});
