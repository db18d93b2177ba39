/** Fee tables: valid ones are read, and others rejected with the location of the problem. */
import { expect, test } from 'bun:test';
import { builtInFees, feesOn, readFeeTable } from './fee-table.ts';
import builtIn from './fees.json' with { type: 'json' };
import { builtInPostage, postageOf, readPostageTables } from './postage.ts';

const [row] = builtIn.platforms;

/** The error for an invalid number. */
const twoPlaces = 'must be a number from 0 to 100 with at most two decimals.';
/** The errors for a row and its steps. */
const inRow = 'The fee table, platforms 1';
const steps = `${inRow}: 'steps' must rise in 'up_to_usd', and the last must have none.`;

test('a row applies until the next one of its platform, and the first also before its start', () => {
  const from = (day: string) => feesOn(builtInFees, 'ebay', day)?.from;
  expect(from('1999-01-01')).toBe('2024-03-15');
  expect(from('2025-02-13')).toBe('2024-03-15');
  expect(from('2025-02-14')).toBe('2025-02-14');
  expect(feesOn(builtInFees, 'local', '2026-01-01')).toBeNull();
});

test.each([
  [[], 'The fee table is not a JSON object.'],
  [{ ...builtIn, tax: 1 }, "The fee table: 'tax' is not known."],
  [{ platforms: [] }, "The fee table: 'sales_tax_percent' is missing."],
  [{ ...builtIn, sales_tax_percent: 101 }, `The fee table: 'sales_tax_percent' ${twoPlaces}`],
  [
    { ...builtIn, platforms: [{ ...row, base: 'total' }] },
    `${inRow}: 'base' must be one of items, with_shipping, with_tax.`,
  ],
  [
    { ...builtIn, platforms: [{ ...row, from: '2026-13-01' }] },
    `${inRow}: 'from' must be a date such as 2026-01-15.`,
  ],
  [{ ...builtIn, platforms: [{ ...row, steps: [{ percent: 3 }, { percent: 2 }] }] }, steps],
  [{ ...builtIn, platforms: [{ ...row, steps: [{ up_to_usd: 5, percent: 3 }] }] }, steps],
  [
    { ...builtIn, platforms: [{ ...row, steps: [{ percent: 3.125 }] }] },
    `${inRow}, steps 1: 'percent' ${twoPlaces}`,
  ],
  [{ ...builtIn, platforms: [row, row] }, 'The fee table has two rows for ebay from 2024-03-15.'],
])('an invalid table is rejected: %#', (table, message) => {
  expect(() => readFeeTable(table)).toThrow(message);
});

const noBox = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };
const postage = (parcel: Parameters<typeof postageOf>[1]) =>
  postageOf(builtInPostage, parcel, '2026-11-15');

test('postage depends on the weight with packing, or on dimensional weight if higher', () => {
  // 0.65 + 0.35 lb is one pound: 7.25, and 1.00 for packing.
  expect(postage({ box: { ...noBox, weightLbs: 0.65 }, pieces: null }).cents).toBe(8_25);
  expect(postage({ box: { ...noBox, weightLbs: 0.66 }, pieces: null }).cents).toBe(10_50);
  // 1,660 in³ count as 10 lb; 10.35 lb cost 24.00.
  const large = { widthIn: 16.6, heightIn: 10, depthIn: 10, weightLbs: 2 };
  expect(postage({ box: large, pieces: 900 })).toEqual({ cents: 25_00, isGuessed: false });
});

test('every started pound above the table costs extra', () => {
  // 50.36 lb: 62.00 and one pound more.
  expect(postage({ box: { ...noBox, weightLbs: 50.01 }, pieces: null }).cents).toBe(64_40);
});

test('an unknown weight is estimated from the pieces, and marked as such', () => {
  // 1,000 pieces are estimated at 3.04 lb: 3.39 lb with packing.
  expect(postage({ box: noBox, pieces: 1_000 })).toEqual({ cents: 14_00, isGuessed: true });
  expect(postage({ box: noBox, pieces: null })).toEqual({ cents: 6_25, isGuessed: true });
});

test('with a known weight and unknown size, the weight counts and the result is marked as estimated', () => {
  const box = { ...noBox, weightLbs: 0.65 };
  expect(postage({ box, pieces: 900 })).toEqual({ cents: 8_25, isGuessed: true });
  const flat = { widthIn: 10, heightIn: 10, depthIn: 0, weightLbs: 0.65 };
  expect(postage({ box: flat, pieces: 900 }).isGuessed).toBe(true);
});

test('invalid postage tables are rejected', () => {
  expect(() => readPostageTables({ tables: [] })).toThrow('There is no postage table.');
  const table = { rates: [], cubic_inches_per_pound: 166 };
  expect(() => readPostageTables({ tables: [table] })).toThrow(
    "The postage table, tables 1: 'from' is missing.",
  );
  // Volume is divided by it.
  expect(() => readPostageTables({ tables: [{ ...table, cubic_inches_per_pound: 0 }] })).toThrow(
    "The postage table, tables 1: 'cubic_inches_per_pound' must be above 0.",
  );
});
