/**
 * Examples with real sets, each computed by hand from the price lists, to the cent. Boxes are in
 * inches and pounds. Postage is that of `postage.json` for the weight with 0.35 lb of packing, plus
 * $1.00 for the packing; 166 in³ count as at least one pound.
 */

import { describe, expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { saleFees } from '../../market/fees/platform-fees.ts';
import { builtInPostage, type Parcel } from '../../market/fees/postage.ts';
import { normalAbove } from '../../market/values/price.ts';
import { maxBuyCents } from '../prices/max-buy.ts';
import type { Resale } from '../prices/resale.ts';
import { netOf, type SellingChannel, type UnitSale } from '../prices/selling-channels.ts';
import { whatToPay } from '../prices/what-to-pay.ts';
import { defaultTerms } from './quotes.ts';

const tables = { fees: builtInFees, postage: builtInPostage };

function parcel(pieces: number, ...sides: readonly number[]): Parcel {
  const [widthIn = null, heightIn = null, depthIn = null, weightLbs = null] = sides;
  return { box: { widthIn, heightIn, depthIn, weightLbs }, pieces };
}

/** 40478 Mini Disney Castle: 278 in³ count as 1.68 lb, 2.03 with packing: $10.75 + $1.00. */
const miniCastle = parcel(567, 10.31, 7.52, 3.58, 1.22);
/** 10497 Galaxy Explorer: 0.4633 cubic feet; longer than 18 in, so bulky at Amazon. */
const galaxyExplorer = parcel(1254, 21.18, 11.02, 3.43, 3.87);
/** 10188 Death Star: 3,170 in³ count as 19.10 lb, 19.45 with packing: $30.00 + $1.00. */
const deathStar = parcel(3803, 19.76, 23.15, 6.93, 18.32);
/** 21325 Medieval Blacksmith: 1,069 in³ count as 6.45 lb, 6.80 with packing: $15.50 + $1.00. */
const blacksmith = parcel(2164, 14.72, 18.82, 3.86, 5.33);
/** 10270 Bookshop: 1,344 in³ count as 8.10 lb, 8.45 with packing: $18.50 + $1.00. */
const bookshop = parcel(2504, 14.69, 22.76, 4.02, 6.49);
/** 30510 90 Years of Cars, a polybag: 47 in³ count as 0.29 lb, 0.64 with packing: $7.25 + $1.00. */
const polybag = parcel(71, 7.68, 6.69, 0.91, 0.14);

function sum(channel: SellingChannel, priceCents: number, sale: Partial<UnitSale>) {
  const usual = {
    parcel: miniCastle,
    at: Date.UTC(2026, 5, 1),
    postageCents: null,
    waitDays: null,
  };
  return netOf(tables, { ...usual, channel, priceCents, ...sale });
}

describe('eBay', () => {
  test('charges fees on the sales tax, too: Mini Disney Castle for $59.99', () => {
    // 59.99 + 7.5 % tax 4.50 = 64.49; × 13.6 % = 8.77; + 0.40 = 9.17. 59.99 − 9.17 − 11.75 = 39.07.
    expect(sum('ebay', 59_99, {})).toMatchObject({
      platformFeesCents: 9_17,
      paymentFeesCents: 0,
      postageCents: 11_75,
      netCents: 39_07,
    });
    // 31.25 × 1.25 = 39.0625, so 39.07 is needed; 31.26 × 1.25 would need 39.08.
    expect(maxBuyCents(39_07, defaultTerms)).toBe(31_25);
  });

  test('charges 30 cents for an order of $10.00 and 40 cents for one of $10.01', () => {
    // 9.30 + 0.70 tax = 10.00; × 13.6 % = 1.36; + 0.30. 9.30 − 1.66 − 8.25 = −0.61.
    expect(sum('ebay', 9_30, { parcel: polybag })).toMatchObject({
      platformFeesCents: 1_66,
      netCents: -61,
    });
    // 9.31 + 0.70 tax = 10.01; × 13.6 % = 1.36; + 0.40. 9.31 − 1.76 − 8.25 = −0.70.
    expect(sum('ebay', 9_31, { parcel: polybag })).toMatchObject({
      platformFeesCents: 1_76,
      netCents: -70,
    });
  });

  test("charges 2.35 % of the part above $7,500: Ole Kirk's House (4000007) for $8,000", () => {
    // 8,000 + 600 tax = 8,600. 7,500 × 13.6 % = 1,020.00; 1,100 × 2.35 % = 25.85; + 0.40.
    // The seller sends it insured for 32.00: 8,000.00 − 1,046.25 − 32.00 = 6,921.75.
    expect(sum('ebay', 8_000_00, { parcel: parcel(910), postageCents: 32_00 })).toMatchObject({
      platformFeesCents: 1_046_25,
      netCents: 6_921_75,
    });
  });
});

describe('FBA', () => {
  test('costs 33 cents more in December than in June: Mini Disney Castle for $54.99', () => {
    // 278 in³ ÷ 139 count as 2 lb: 6.08 for prices above $50; + 3.5 % surcharge = 6.29.
    // 54.99 × 15 % = 8.25. 54.99 − 8.25 − 6.29 = 40.45; in December 0.33 less.
    expect(sum('fba', 54_99, {})).toMatchObject({
      platformFeesCents: 8_25,
      fulfilmentCents: 6_29,
      storageCents: 0,
      netCents: 40_45,
    });
    expect(sum('fba', 54_99, { at: Date.UTC(2026, 11, 15) })).toMatchObject({
      fulfilmentCents: 6_62,
      netCents: 40_12,
    });
  });

  test('charges for 90 days of storage: Galaxy Explorer for $129.99', () => {
    // 800.6 in³ ÷ 139 = 5.76, so 6 lb: 7.55 + 5 × 0.38 = 9.45; + 3.5 % = 9.78. 15 % = 19.50.
    // From June 1: June, July and 29 of 31 days of August are 2.9355 months.
    // 0.4633 ft³ × 0.56 × 2.9355 = 0.76. 129.99 − 19.50 − 9.78 − 0.76 = 99.95.
    const stored = { parcel: galaxyExplorer, waitDays: 90 };
    expect(sum('fba', 129_99, stored)).toMatchObject({
      platformFeesCents: 19_50,
      fulfilmentCents: 9_78,
      storageCents: 76,
      netCents: 99_95,
    });
    // From October 1 a month costs 1.40 a cubic foot: 0.4633 × 1.40 × 2.9355 = 1.90.
    const autumn = { ...stored, at: Date.UTC(2026, 9, 1) };
    expect(sum('fba', 129_99, autumn)).toMatchObject({ storageCents: 1_90, netCents: 98_81 });
  });
});

test('FBA charges for stock of more than 270 days: Galaxy Explorer after 300 days', () => {
  // From June 1, 2026: four months to September, January, February and 27 of 31 days of March are
  // 6.8710 months at 0.56, October to December three at 1.40 a cubic foot:
  // 0.4633 ft³ × (6.8710 × 0.56 + 3 × 1.40) = 3.7285.
  // Surcharges on the 15th, by age: Dec 197 days 0.50, Jan 228 1.00, Feb 259 1.50, Mar 287 5.45:
  // 0.4633 × 8.45 = 3.9149. Together 7.64.
  const stored = { parcel: galaxyExplorer, waitDays: 300 };
  expect(sum('fba', 129_99, stored)).toMatchObject({ storageCents: 7_64 });
});

describe('BrickLink', () => {
  test('charges less above $500, plus PayPal fees: Death Star for $720.00 delivered', () => {
    // Items 689.00: 500 × 3 % = 15.00, 189 × 2 % = 3.78.
    // PayPal: 720.00 + 7.5 % tax 54.00 = 774.00; × 3.49 % = 27.01, + 0.49 = 27.50.
    // 720.00 − 18.78 − 27.50 − 31.00 = 642.72.
    expect(sum('bricklink', 720_00, { parcel: deathStar })).toMatchObject({
      platformFeesCents: 18_78,
      paymentFeesCents: 27_50,
      postageCents: 31_00,
      netCents: 642_72,
    });
  });

  test('leaves $4.75 more if the buyer pays through Stripe', () => {
    // 774.00 with tax × 2.9 % = 22.45, + 0.30 = 22.75 in place of 27.50.
    const sale = { platform: 'bricklink', day: '2026-06-01', quantity: 1 } as const;
    const paid = { paidCents: 720_00, shippingCents: 31_00, payment: 'Stripe' };
    expect(saleFees(builtInFees, { ...sale, ...paid })).toEqual({
      platformFeesCents: 18_78,
      paymentFeesCents: 22_75,
    });
  });
});

test('Brick Owl charges nothing on shipping: Medieval Blacksmith for $210.00 delivered', () => {
  // Items 193.50 × 2.5 % = 4.84. Stripe 210 × 2.9 % = 6.09, + 0.30.
  // 210.00 − 4.84 − 6.39 − 16.50 = 182.27.
  expect(sum('brick_owl', 210_00, { parcel: blacksmith })).toMatchObject({
    platformFeesCents: 4_84,
    paymentFeesCents: 6_39,
    postageCents: 16_50,
    netCents: 182_27,
  });
});

test('Walmart charges 15 % of the total, and nothing per order: Bookshop for $249.99', () => {
  // 249.99 × 15 % = 37.50. 249.99 − 37.50 − 19.50 = 192.99.
  expect(sum('walmart', 249_99, { parcel: bookshop })).toMatchObject({
    platformFeesCents: 37_50,
    paymentFeesCents: 0,
    netCents: 192_99,
  });
});

test('Mercari charges a tenth of the total: Bookshop for $249.99', () => {
  // 249.99 × 10 % = 25.00. 249.99 − 25.00 − 19.50 = 205.49.
  expect(sum('mercari', 249_99, { parcel: bookshop })).toMatchObject({
    platformFeesCents: 25_00,
    netCents: 205_49,
  });
});

test('Whatnot charges 8 % of the item, and payment fees on the tax: Mini Disney Castle', () => {
  // Item 59.99 − 11.75 = 48.24; × 8 % = 3.86. 64.49 with tax × 2.9 % = 1.87, + 0.30.
  // 59.99 − 3.86 − 2.17 − 11.75 = 42.21.
  expect(sum('whatnot', 59_99, {})).toMatchObject({
    platformFeesCents: 3_86,
    paymentFeesCents: 2_17,
    netCents: 42_21,
  });
});

test('shipping a polybag for $7.50 costs more than a sale on eBay yields', () => {
  const resale: Resale = {
    ...soldWell,
    price: { valueCents: 7_50, valueSpread: 0, saleSpread: 0, soldAbove: normalAbove },
    offsets: { fixed: 0, amazon: 0 },
    rate: null,
    parcel: polybag,
    fbaSellers: null,
  };
  const asked = { terms: defaultTerms, at: Date.UTC(2026, 5, 1), withModeled: false };
  // 7.50 + 0.56 tax = 8.06; × 13.6 % = 1.10; + 0.30. 7.50 − 1.40 − 8.25 = −2.15.
  const ebay = whatToPay(tables, resale, { ...asked, channel: 'ebay' });
  expect(ebay).toMatchObject({ reason: 'nothing_left', maxBuyCents: null });
  expect(ebay.quotes[0]?.sum.netCents).toBe(-2_15);
  // FBA is cheaper: 0.34 lb dimensional weight, 3.13 below $10, + 3.5 % = 3.24; 15 % = 1.13.
  // 7.50 − 1.13 − 3.24 = 3.13; 2.50 × 1.25 = 3.125.
  const fba = whatToPay(tables, resale, { ...asked, channel: null });
  expect(fba).toMatchObject({ reason: null, maxBuyCents: 2_50, best: { channel: 'fba' } });
});

test('postage without a box is estimated from the pieces: Bookshop for $180.00', () => {
  // 0.0135 × 2,504 pieces ^ 0.784 = 6.24 lb, 6.59 with packing: 15.50 + 1.00.
  // 180 + 13.50 tax = 193.50; × 13.6 % = 26.32; + 0.40. 180.00 − 26.72 − 16.50 = 136.78.
  expect(sum('ebay', 180_00, { parcel: parcel(2504) })).toMatchObject({
    platformFeesCents: 26_72,
    postageCents: 16_50,
    isPostageGuessed: true,
    netCents: 136_78,
  });
});

test('tax, cashback and inbound shipping: the maximum price of that Bookshop', () => {
  const costs = { taxBasisPoints: 825, cashbackBasisPoints: 500, inboundCents: 2_50 };
  // 103.55 + 8.25 % tax 8.54 − 5 % cashback 5.17 + 2.50 = 109.42; × 1.25 = 136.775, so 136.78.
  // A cent more costs 109.43, which would need 136.79.
  expect(maxBuyCents(136_78, { ...defaultTerms, costs })).toBe(103_55);
});
