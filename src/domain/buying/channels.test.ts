/** What is left of a sale in each channel, by hand and to the cent. */
import { expect, test } from 'bun:test';
import { builtInFees } from '../fees/fee-table.ts';
import { builtInPostage } from '../fees/postage.ts';
import {
  feesOf,
  netOf,
  nextTableChange,
  type SellingChannel,
  sellingChannels,
  type UnitSale,
} from './channels.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const noBox = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
/** A small set: 0.9 lb, 175 in³. With packing 1.41 lb by volume: 9.50 and 1.00. */
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

test('BrickLink: fees on the items, PayPal on all of it', () => {
  // 19.49 × 3 % = 0.58; 29.99 × 3.49 % + 0.49 = 1.54
  expect(net('bricklink')).toMatchObject({
    platformFeesCents: 58,
    paymentFeesCents: 1_54,
    netCents: 17_37,
  });
});

test('FBA: in December the holidays cost 33 cents more than in June', () => {
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

test('FBA: nothing can be told of a box that is not known; elsewhere postage is guessed', () => {
  expect(net('fba', { parcel: { box: noBox, pieces: 300 } })).toBeNull();
  expect(net('ebay', { parcel: { box: noBox, pieces: 300 } })?.isPostageGuessed).toBe(true);
  expect(net('ebay')?.isPostageGuessed).toBe(false);
});

test('what is handed over costs neither fees nor postage', () => {
  expect(net('local')).toMatchObject({ postageCents: 0, netCents: 29_99 });
});

test('who knows what sending costs says so, and that counts', () => {
  expect(net('mercari', { postageCents: 6_00 })).toMatchObject({
    platformFeesCents: 3_00,
    postageCents: 6_00,
    isPostageGuessed: false,
    netCents: 20_99,
  });
});

test('the lines of every sum add up', () => {
  for (const channel of sellingChannels) {
    const sum = net(channel, { waitDays: 90 });
    if (sum === null) throw new Error('The box is known.');
    expect(sum.netCents).toBe(29_99 - feesOf(sum) - sum.postageCents);
  }
});

test.each([
  ['a schedule of Amazon begins', '2026-03-01', '2026-04-17'],
  ['the holidays begin', '2026-09-01', '2026-10-15'],
  ['they last until the middle of January', '2026-10-15', '2027-01-15'],
  ['they are over', '2027-01-15', '2027-10-15'],
  ['New Year changes nothing', '2027-01-01', '2027-01-15'],
])('sums change next when %s', (_, day, next) => {
  const known = { fees: { ...builtInFees, rows: [] }, postage: [] };
  expect(nextTableChange(known, Date.parse(day))).toBe(Date.parse(next));
});

test('sums change with a row of the tables of fees or postage that begins later', () => {
  const at = Date.parse('2027-02-01');
  const [row] = builtInFees.rows;
  const [postage] = builtInPostage;
  if (!row || !postage) throw new Error('There are tables.');
  const rows = ['2026-01-01', '2027-02-01', '2027-06-01'].map((from) => ({ ...row, from }));
  const fees = { ...builtInFees, rows };
  expect(nextTableChange({ fees, postage: [] }, at)).toBe(Date.parse('2027-06-01'));
  const sooner = [{ ...postage, from: '2027-03-01' }];
  expect(nextTableChange({ fees, postage: sooner }, at)).toBe(Date.parse('2027-03-01'));
});
