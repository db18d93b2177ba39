/** Platform fees, computed by hand to the cent: shares of the right base, rounded once. */
import { describe, expect, test } from 'bun:test';
import { builtInFees, readFeeTable } from './fee-table.ts';
import { type ChargedSale, saleFees } from './platform-fees.ts';
import { platforms } from './platforms.ts';

const sale: ChargedSale = {
  platform: 'ebay',
  day: '2026-11-15',
  paidCents: 100_00,
  shippingCents: 0,
  quantity: 1,
  payment: null,
};

function feesOf(given: Partial<ChargedSale>): [platform: number, payment: number] {
  const fees = saleFees(builtInFees, { ...sale, ...given });
  return [fees.platformFeesCents, fees.paymentFeesCents];
}

describe('eBay', () => {
  test('charges a share of the total with sales tax, and 40 cents', () => {
    // 107.50 × 13.6 % = 14.62
    expect(feesOf({})).toEqual([15_02, 0]);
  });

  test('charges 30 cents for an order of up to $10 with tax, and 40 above', () => {
    // 8.99 + 0.67 = 9.66; 9.66 × 13.6 % = 1.31
    expect(feesOf({ paidCents: 8_99 })).toEqual([1_61, 0]);
    // 9.30 + 0.70 = 10.00; 1.36
    expect(feesOf({ paidCents: 9_30 })).toEqual([1_66, 0]);
    // 9.31 + 0.70 = 10.01; 1.36
    expect(feesOf({ paidCents: 9_31 })).toEqual([1_76, 0]);
  });

  test('charges 2.35 % of the part above $7,500', () => {
    // 8,600.00: 1,020.00 + 25.85
    expect(feesOf({ paidCents: 8_000_00 })).toEqual([1_046_25, 0]);
  });

  test('applies the $7,500 to each unit, and the order fee once', () => {
    // 2 × 5,375.00 × 13.6 %
    expect(feesOf({ paidCents: 10_000_00, quantity: 2 })).toEqual([1_462_40, 0]);
  });

  test('charged 13.25 % until February 2025', () => {
    // 107.50 × 13.25 % = 14.24
    expect(feesOf({ day: '2025-02-13' })).toEqual([14_64, 0]);
    expect(feesOf({ day: '2025-02-14' })).toEqual([15_02, 0]);
  });

  test('has no tax in its base if none is assumed', () => {
    const table = { ...builtInFees, taxBasisPoints: 0 };
    expect(saleFees(table, sale).platformFeesCents).toBe(14_00);
  });
});

describe('BrickLink', () => {
  test('charges a share of the items only; PayPal charges the total with sales tax', () => {
    // 90.00 × 3 %; 107.50 × 3.49 % = 3.75, + 0.49
    expect(feesOf({ platform: 'bricklink', shippingCents: 10_00 })).toEqual([2_70, 4_24]);
  });

  test('charges 2 % above $500 and 1 % above $1,000', () => {
    const big = { platform: 'bricklink', paidCents: 620_00, shippingCents: 20_00 } as const;
    // 15.00 + 100.00 × 2 %; 620.00 + 46.50 tax = 666.50, × 3.49 % = 23.26, + 0.49
    expect(feesOf(big)).toEqual([17_00, 23_75]);
    const bigger = { platform: 'bricklink', paidCents: 1_230_00, shippingCents: 30_00 } as const;
    // 15.00 + 10.00 + 200.00 × 1 %; 1,230.00 + 92.25 tax = 1,322.25, × 3.49 % = 46.15, + 0.49
    expect(feesOf(bigger)).toEqual([27_00, 46_64]);
  });

  test('applies the $500 to the order, however many units are in it', () => {
    // 15.00 + 2 % of 100.00, as for one unit.
    const two = { platform: 'bricklink', paidCents: 620_00, shippingCents: 20_00 } as const;
    expect(feesOf({ ...two, quantity: 2 })[0]).toBe(17_00);
  });

  test('costs less if paid through Stripe', () => {
    const paid = { platform: 'bricklink', paidCents: 620_00, shippingCents: 20_00 } as const;
    // 666.50 with tax × 2.9 % = 19.33, + 0.30
    expect(feesOf({ ...paid, payment: 'Stripe' })).toEqual([17_00, 19_63]);
  });
});

test.each([
  // 40.50 × 2.5 %; 50.00 × 2.9 % + 0.30
  ['brick_owl', 50_00, 9_50, 1_01, 1_75],
  ['amazon', 1_50, 0, 30, 0],
  ['amazon', 100_00, 12_00, 15_00, 0],
  // Of the total with shipping, without a minimum: 0.99 × 15 % = 0.15.
  ['walmart', 100_00, 12_00, 15_00, 0],
  ['walmart', 99, 0, 15, 0],
  ['facebook', 5_00, 0, 80, 0],
  ['mercari', 60_00, 0, 6_00, 0],
  // 32.00 × 8 %; 43.00 × 2.9 % + 0.30
  ['whatnot', 40_00, 8_00, 2_56, 1_55],
  ['local', 100_00, 0, 0, 0],
  ['other', 100_00, 0, 0, 0],
] as const)(
  '%s charges for %d cents, with %d for shipping, %d, and the payment %d',
  (platform, paidCents, shippingCents, fees, payment) => {
    expect(feesOf({ platform, paidCents, shippingCents })).toEqual([fees, payment]);
  },
);

describe('rounding', () => {
  /** One payment fee on the total with tax, and no platform fee. */
  const paymentFee = (taxPercent: number, percent: number, paidCents: number) => {
    const table = readFeeTable({
      sales_tax_percent: taxPercent,
      platforms: [
        {
          platform: 'whatnot',
          from: '2026-01-01',
          source: 'test',
          base: 'items',
          steps: [{ percent: 0 }],
          per_order: [],
          minimum_usd: 0,
          payments: [{ name: 'Card', percent, fee_usd: 0, base: 'with_tax' }],
        },
      ],
    });
    return saleFees(table, { ...sale, platform: 'whatnot', paidCents }).paymentFeesCents;
  };

  test('the tax is rounded half up to cents before a fee is charged on it', () => {
    // 1.80 × 7.5 % = 0.135, so 0.14: the fee of 100 % is that of 1.94, not 1.935.
    expect(paymentFee(7.5, 100, 1_80)).toBe(1_94);
    // 1.79 × 7.5 % = 0.13425, so 0.13.
    expect(paymentFee(7.5, 100, 1_79)).toBe(1_92);
    // 9.94 × 7.5 % = 0.7455, so 0.75: 10.69 × 50 % = 5.345, so 5.35; 10.6855 would make 5.34.
    expect(paymentFee(7.5, 50, 9_94)).toBe(5_35);
  });

  test('the fee is rounded half up to cents', () => {
    expect(paymentFee(0, 50, 1_01)).toBe(51);
    expect(paymentFee(0, 2.9, 50)).toBe(1);
    expect(paymentFee(0, 2.9, 52)).toBe(2);
  });
});

test('a price of 0 has no fees', () => {
  for (const platform of platforms) expect(feesOf({ platform, paidCents: 0 })).toEqual([0, 0]);
});

test('released rows never change, so that past days can be recomputed', () => {
  // New prices are a new row and a new line here; these never change.
  const digests = builtInFees.rows.map((row) => [row.platform, row.from, digestOf(row)].join(' '));
  expect(digests).toEqual([
    'ebay 2024-03-15 e046b65cb6ba',
    'mercari 2025-01-06 0bd453c9a995',
    'ebay 2025-02-14 a4b251a7b664',
    'bricklink 2026-01-01 dd37fed8fed4',
    'brick_owl 2026-01-01 53f1cf3c5cd5',
    'amazon 2026-01-01 d18075f2ca7f',
    'walmart 2026-01-01 094dc0c99976',
    'facebook 2026-01-01 8eacfaf701a0',
    'whatnot 2026-01-01 3f32675d25a0',
  ]);
});

function digestOf(row: object): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 12);
}
