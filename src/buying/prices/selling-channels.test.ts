/** Net proceeds of a sale in each channel, computed by hand to the cent. */
import { expect, test } from 'bun:test';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import {
  comparedChannels,
  feesOf,
  netOf,
  nextTableChange,
  type SellingChannel,
  sellingChannelName,
  type UnitSale,
} from './selling-channels.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const noBox = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
/** A small set: 0.9 lb, 175 in³. With packing 1.41 lb dimensional weight: 9.50 and 1.00. */
const small = { box: { widthIn: 10, heightIn: 7, depthIn: 2.5, weightLbs: 0.9 }, pieces: 300 };
const november = Date.UTC(2026, 10, 15);

function net(channel: SellingChannel, given: Partial<UnitSale> = {}) {
  const sale = {
    priceCents: 29_99,
    parcel: small,
    at: november,
    postageCents: null,
    waitDays: null,
  };
  return netOf(tables, { ...sale, channel, ...given });
}

test('eBay: fees on the total with tax, and postage', () => {
  // 29.99 + 2.25 tax = 32.24; × 13.6 % = 4.38, + 0.40; 29.99 − 4.78 − 10.50
  expect(net('ebay')).toMatchObject({
    platformFeesCents: 4_78,
    postageCents: 10_50,
    netCents: 14_71,
  });
});

test('BrickLink: platform fees on the items, PayPal fees on the total with tax', () => {
  // 19.49 × 3 % = 0.58; 29.99 + 2.25 tax = 32.24, × 3.49 % = 1.13, + 0.49 = 1.62
  // 29.99 − 0.58 − 1.62 − 10.50 = 17.29
  expect(net('bricklink')).toMatchObject({
    platformFeesCents: 58,
    paymentFeesCents: 1_62,
    netCents: 17_29,
  });
});

test('FBA: the holiday peak fee in December is 33 cents', () => {
  // 29.99 − 4.50 − 5.42 × 1.035
  const june = net('fba', { at: Date.UTC(2026, 5, 15) });
  expect(june).toMatchObject({ fulfilmentCents: 5_61, postageCents: 0, netCents: 19_88 });
  const december = net('fba', { at: Date.UTC(2026, 11, 15) });
  expect(december).toMatchObject({ fulfilmentCents: 5_94, netCents: 19_55 });
});

test.each([
  ['2026-10-14', 5_61],
  ['2026-10-15', 5_94],
  ['2027-01-14', 5_94],
  ['2027-01-15', 5_61],
])('FBA: on %s fulfillment costs %d cents', (day, fulfilmentCents) => {
  expect(net('fba', { at: Date.parse(day) })).toMatchObject({ fulfilmentCents });
});

test('FBA: there is no result without a known box; elsewhere postage is estimated', () => {
  expect(net('fba', { parcel: { box: noBox, pieces: 300 } })).toBeNull();
  expect(net('ebay', { parcel: { box: noBox, pieces: 300 } })?.isPostageGuessed).toBe(true);
  expect(net('ebay')?.isPostageGuessed).toBe(false);
  expect(net('fba')?.isPostageGuessed).toBe(false);
});

test('local pickup has neither fees nor postage', () => {
  expect(net('local')).toMatchObject({ postageCents: 0, netCents: 29_99 });
});

test('postage given by the seller replaces the estimate', () => {
  expect(net('mercari', { postageCents: 6_00 })).toMatchObject({
    platformFeesCents: 3_00,
    postageCents: 6_00,
    isPostageGuessed: false,
    netCents: 20_99,
  });
});

test('the lines of every result add up', () => {
  for (const channel of comparedChannels) {
    const sum = net(channel, { waitDays: 90 });
    if (sum === null) throw new Error('The box is known.');
    expect(sum.netCents).toBe(29_99 - feesOf(sum) - sum.postageCents);
  }
});

test.each([
  ['an Amazon fee schedule starts', '2026-03-01', '2026-04-17'],
  ['the holiday season starts', '2026-09-01', '2026-10-15'],
  ['the holiday season ends in mid-January', '2026-10-15', '2027-01-15'],
  ['the next holiday season starts', '2027-01-15', '2027-10-15'],
  ['the holiday season ends, not at New Year', '2027-01-01', '2027-01-15'],
])('results change next when %s', (_, day, next) => {
  const known = { fees: { ...builtInFees, rows: [] }, postage: [] };
  expect(nextTableChange(known, Date.parse(day))).toBe(Date.parse(next));
});

test('results change when a later row of the fee or postage tables starts', () => {
  const at = Date.parse('2027-02-01');
  const [row] = builtInFees.rows;
  const [postage] = builtInPostage;
  if (!row || !postage) throw new Error('There must be tables.');
  const rows = ['2026-01-01', '2027-02-01', '2027-06-01'].map((from) => ({ ...row, from }));
  const fees = { ...builtInFees, rows };
  expect(nextTableChange({ fees, postage: [] }, at)).toBe(Date.parse('2027-06-01'));
  const sooner = [{ ...postage, from: '2027-03-01' }];
  expect(nextTableChange({ fees, postage: sooner }, at)).toBe(Date.parse('2027-03-01'));
});

test('channels have the names of their platforms, and FBA its own', () => {
  expect(comparedChannels.map(sellingChannelName)).toContain('eBay');
  expect([sellingChannelName('fba'), sellingChannelName('amazon')]).toEqual([
    'Amazon FBA',
    'Amazon',
  ]);
});
