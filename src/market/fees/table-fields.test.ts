/** Fields of operators' tables: their limits, and the place that errors name. */
import { expect, test } from 'bun:test';
import { TableError, TableFields } from './table-fields.ts';

const fields = (value: unknown) => new TableFields(value, 'The table');

test('amounts and percentages have at most two decimals, from 0 to their limits', () => {
  const cents = (value: unknown) => fields({ value }).cents('value');
  expect([0, 0.01, 1.1, 999_999.99, 1_000_000].map(cents)).toEqual([
    0, 1, 110, 99_999_999, 100_000_000,
  ]);
  for (const value of [-0.01, 0.001, 1_000_000.01, Number.NaN, '1', null]) {
    expect(() => cents(value)).toThrow(
      "The table: 'value' must be a number from 0 to 1000000 with at most two decimals.",
    );
  }
  const percent = (value: unknown) => fields({ value }).percent('value');
  expect([0, 13.25, 100].map(percent)).toEqual([0, 13_25, 100_00]);
  expect(() => percent(100.01)).toThrow("'value' must be a number from 0 to 100 with");
  expect(fields({}).centsOrNull('value')).toBeNull();
  expect(fields({ value: 2 }).centsOrNull('value')).toBe(2_00);
});

test('texts are not blank, words are known, and days have a month and a day', () => {
  expect(fields({ value: 'x' }).text('value')).toBe('x');
  for (const value of ['', ' ', 1]) {
    expect(() => fields({ value }).text('value')).toThrow("'value' must be text.");
  }
  expect(fields({ value: 'b' }).word('value', ['a', 'b'])).toBe('b');
  expect(() => fields({ value: 'c' }).word('value', ['a', 'b'])).toThrow('must be one of a, b.');
  expect(fields({ value: '2026-12-31' }).day('value')).toBe('2026-12-31');
  for (const value of ['2026-13-01', '2026-00-01', '2026-01-32', '2026-1-1', 20260101]) {
    expect(() => fields({ value }).day('value')).toThrow('must be a date such as 2026-01-15.');
  }
});

test('missing and unknown fields are errors that name their place, also in lists', () => {
  expect(() => fields([])).toThrow(new TableError('The table is not a JSON object.'));
  expect(() => fields({}).text('value')).toThrow("The table: 'value' is missing.");
  const read = (rows: unknown) => fields({ rows }).list('rows', (row) => row.cents('usd'));
  expect(read([{ usd: 1 }, { usd: 2 }])).toEqual([1_00, 2_00]);
  expect(() => read({})).toThrow("The table: 'rows' must be a list.");
  expect(() => read([{ usd: 1 }, { usd: 2, eur: 3 }])).toThrow(
    "The table, rows 2: 'eur' is not known.",
  );
  const all = fields({ usd: 1, eur: 2 });
  all.cents('usd');
  expect(() => all.end()).toThrow("The table: 'eur' is not known.");
  all.cents('eur');
  expect(() => all.end()).not.toThrow();
});
