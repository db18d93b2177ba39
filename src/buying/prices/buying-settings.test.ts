/** The effect of an account's settings on terms and fees. */
import { expect, test } from 'bun:test';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { saleFees } from '../../market/fees/platform-fees.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import { ratedPlatforms, tablesOf, termsOf, usualSettings } from './buying-settings.ts';
import { netOf } from './selling-channels.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const ownRates = [{ platform: 'bricklink', basisPoints: 550, feeCents: 49 } as const];
const settings = { ...usualSettings, ownRates };

test('by default, an account has the usual terms and the fees of price lists', () => {
  expect(termsOf(usualSettings)).toEqual(defaultTerms);
  expect(tablesOf(tables, usualSettings)).toEqual(tables);
});

test('own rates are possible on every platform with fees', () => {
  expect(ratedPlatforms).toEqual([
    'ebay',
    'bricklink',
    'brick_owl',
    'amazon',
    'walmart',
    'facebook',
    'mercari',
    'whatnot',
  ]);
});

test('an own rate replaces all platform and payment fees', () => {
  const sale = { day: '2026-06-01', quantity: 1, shippingCents: 10_00, payment: 'Stripe' };
  const { fees } = tablesOf(tables, settings);
  // 620.00 × 5.5 % + 0.49, on any day and for any payment method.
  const own = { platformFeesCents: 34_59, paymentFeesCents: 0 };
  const bricklink = { ...sale, platform: 'bricklink', paidCents: 620_00 } as const;
  expect(saleFees(fees, bricklink)).toEqual(own);
  expect(saleFees(fees, { ...bricklink, day: '2001-01-01' })).toEqual(own);
  const ebay = { ...sale, platform: 'ebay', paidCents: 620_00 } as const;
  expect(saleFees(fees, ebay)).toEqual(saleFees(builtInFees, ebay));
});

test('FBA fees are still taken from the price list', () => {
  const amazon = { platform: 'amazon', basisPoints: 800, feeCents: 0 } as const;
  const own = tablesOf(tables, { ...usualSettings, ownRates: [amazon] });
  const box = { widthIn: 10, heightIn: 7, depthIn: 2.5, weightLbs: 0.9 };
  const sale = {
    priceCents: 29_99,
    parcel: { box, pieces: 300 },
    at: 0,
    postageCents: null,
    waitDays: 30,
  };
  expect(netOf(own, { ...sale, channel: 'fba' })).toEqual(
    netOf(tables, { ...sale, channel: 'fba' }),
  );
  expect(netOf(own, { ...sale, channel: 'amazon' })?.platformFeesCents).toBe(2_40);
});

test('equal rates return the same tables, unless evicted by too many others', () => {
  const first = tablesOf(tables, settings);
  expect(tablesOf(tables, { ...settings, ownRates: [...ownRates] })).toBe(first);
  expect(tablesOf({ ...tables }, settings)).not.toBe(first);
  for (let feeCents = 100; feeCents < 200; feeCents++) {
    tablesOf(tables, { ...settings, ownRates: [{ platform: 'ebay', basisPoints: 0, feeCents }] });
  }
  expect(tablesOf(tables, settings)).not.toBe(first);
  expect(tablesOf(tables, settings)).toEqual(first);
});

test('of a hundred tables, the least recently used one is evicted first', () => {
  const own = { ...tables };
  const withFee = (feeCents: number) =>
    tablesOf(own, { ...settings, ownRates: [{ platform: 'ebay', basisPoints: 0, feeCents }] });
  const [first, second] = [withFee(0), withFee(1)];
  for (let feeCents = 2; feeCents < 100; feeCents++) withFee(feeCents);
  expect(withFee(0)).toBe(first);
  withFee(100);
  expect(withFee(0)).toBe(first);
  expect(withFee(1)).not.toBe(second);
});

test('an own rate may be a cent per order, or nothing', () => {
  const sale = { day: '2026-06-01', quantity: 1, shippingCents: 0, payment: null };
  const feesAt = (feeCents: number) => {
    const rate = { platform: 'ebay', basisPoints: 0, feeCents } as const;
    const { fees } = tablesOf(tables, { ...settings, ownRates: [rate] });
    return saleFees(fees, { ...sale, platform: 'ebay', paidCents: 50_00 }).platformFeesCents;
  };
  expect([0, 1, 2].map(feesAt)).toEqual([0, 1, 2]);
});
