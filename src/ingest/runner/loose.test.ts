/** Parsing values as people and spreadsheets write them. */
import { expect, test } from 'bun:test';
import {
  decimalsIn,
  looseDay,
  looseMoney,
  looseNumber,
  looseWhole,
  shownOrder,
  tenThousandths,
} from './loose.ts';

test.each([
  ['$549.99', 54_999, 'USD'],
  ['€40.08', 4008, 'EUR'],
  ['€ 40,08', 4008, 'EUR'],
  ['1.234,50 €', 123_450, 'EUR'],
  ['$1,234.5', 123_450, 'USD'],
  ['1,234', 123_400, null],
  ['12,345,678', 1_234_567_800, null],
  ['8.3820', 838, null],
  ['0.005', 1, null],
  ['1.005', 101, null],
  ['-3.1', -310, null],
  ['-$3.10', -310, 'USD'],
  ['CA$ 19.99', 1999, 'CAD'],
  ['19.99 usd', 1999, 'USD'],
  ['79.98999999999999', 7999, null],
  ['.5', 50, null],
  ['9999', 999_900, null],
  ['0,125', 13, null],
  ['0,500', 50, null],
  ['€0,99', 99, 'EUR'],
  ['kr 100 SEK', 10_000, 'SEK'],
  ['999999999999.99', 99_999_999_999_999, null],
])('%s is an amount', (text, cents, currency) => {
  expect(looseMoney(text)).toEqual({ cents, currency });
});

test.each([
  '',
  'free',
  '1.2.3,4',
  '1,23,456',
  '12 apples',
  '$',
  '1-2',
  '--1',
  '.',
  ',',
  '€.',
  '0,125,000',
  '1234567890123',
  '9'.repeat(400),
  '5 constructor',
])('%p is not an amount', (text) => {
  expect(looseMoney(text)).toBeNull();
});

test('kr is the given currency, and invalid without one', () => {
  expect(looseMoney('100 kr')).toBeNull();
  expect(looseMoney('100 kr', 'USD')).toBeNull();
  expect(looseMoney('kr 100', 'DKK')).toEqual({ cents: 10_000, currency: 'DKK' });
  expect(looseMoney('$100', 'NOK')).toEqual({ cents: 10_000, currency: 'USD' });
});

test('prices beyond cents are read to the ten-thousandth', () => {
  expect(['12.3450', '1,234', '.5', '-0.1', '0.00005'].map(tenThousandths)).toEqual([
    123_450, 12_340_000, 5000, -1000, 1,
  ]);
  expect(['', '.', '5.00 USD', '9'.repeat(400), '1e3'].map(tenThousandths)).toEqual(
    Array(5).fill(null),
  );
});

test.each([
  ['1,234', 1234],
  ['15', 15],
  ['295.0', 295],
  ['1 234 567', 1_234_567],
])('%s is a whole number', (text, value) => {
  expect(looseWhole(text)).toBe(value);
});

test.each(['1.5', '-1', '', '1,23', 'x'])('%p is not a whole number', (text) => {
  expect(looseWhole(text)).toBeNull();
});

test('numbers may have a decimal point or comma', () => {
  expect([looseNumber('26.2'), looseNumber('26,2'), looseNumber('1e3')]).toEqual([
    26.2,
    26.2,
    null,
  ]);
});

test.each([
  ['2025-07-03', 'day first', '2025-07-03'],
  ['2025-07-03T10:00:00Z', 'month first', '2025-07-03'],
  ['03/07/2025', 'day first', '2025-07-03'],
  ['3/7/2025', 'month first', '2025-03-07'],
  ['8/25/2025', 'month first', '2025-08-25'],
  ['25.8.2025', 'day first', '2025-08-25'],
  ['2025/7/3', 'month first', '2025-07-03'],
  ['3-7-25', 'day first', '2025-07-03'],
  ['Sep-04-26', 'day first', '2026-09-04'],
  ['Sep 4, 2026', 'month first', '2026-09-04'],
  ['4 September 2026', 'month first', '2026-09-04'],
] as const)('%s, %s, is %s', (text, order, day) => {
  expect(looseDay(text, order)).toBe(day);
});

test.each(['25/25/2025', '31/02/2025', '2025-13-01', 'soon', '', 'Foo-04-26'])(
  '%p is not a date',
  (text) => {
    expect(looseDay(text, 'day first')).toBeNull();
  },
);

test('a date implies its order if only one is valid', () => {
  expect(['25/08/2025', '8/25/2025', '8/9/2025', '2025-08-25'].map(shownOrder)).toEqual([
    'day first',
    'month first',
    null,
    null,
  ]);
});

test.each([
  ['12', 0],
  ['$12.5', 1],
  ['1,234', 0],
  ['1.234,50 EUR', 2],
  ['12.345', 3],
  ['0,1234', 4],
])('decimal places of %s', (text, places) => {
  expect(decimalsIn(text)).toBe(places);
});

test.each([
  ['999999999999', 12],
  ['1000000000000', 13],
])('a price of %s has %d digits', (text, digits) => {
  expect(tenThousandths(text)).toBe(digits > 12 ? null : Number(text) * 10_000);
  expect(looseMoney(text)).toEqual(
    digits > 12 ? null : { cents: Number(text) * 100, currency: null },
  );
});

test.each([
  ['0.00004', 0],
  ['0.00005', 1],
  ['0.12345', 1235],
  ['-0.00005', -1],
])('%s is %d ten-thousandths', (text, value) => {
  expect(tenThousandths(text)).toBe(value);
});

test.each([
  ['0.994', 99],
  ['0.995', 100],
  ['1.004', 100],
  ['-0', 0],
])('%s is %d cents', (text, cents) => {
  expect(Math.abs(looseMoney(text)?.cents ?? -1)).toBe(cents);
});

test.each([
  ['999999999999999', 999_999_999_999_999],
  ['1000000000000000', null],
  ["1'234", 1234],
  ['1,234.0', null],
  ['12.00', 12],
])('%s as a whole number is %p', (text, value) => {
  expect(looseWhole(text)).toBe(value);
});

test.each([
  ['12/12/2025', null],
  ['13/12/2025', 'day first'],
  ['12/13/2025', 'month first'],
  ['31.12.25 10:00', 'day first'],
  ['12/31/25', 'month first'],
])('%s shows %p', (text, order) => {
  expect(shownOrder(text)).toBe(order as 'day first');
});

test.each([
  ['31/12/25', '2025-12-31'],
  ['31.12.2025 10:00', '2025-12-31'],
  ['2025.1.2', '2025-01-02'],
  ['1 Jan 25', '2025-01-01'],
  ['December 31, 2025', '2025-12-31'],
])('%s is %s', (text, day) => {
  expect(looseDay(text, 'day first')).toBe(day);
});

test.each([
  ['1.234,567', 123_457],
  ['1,234.567', 123_457],
  ['.123', 12],
  [',5', 50],
  ['1.234', 123],
  ['1.234.567', 123_456_700],
])('%s: the last separator is the decimal one, unless it separates thousands', (text, cents) => {
  expect(looseMoney(text)?.cents).toBe(cents);
});
