/** Names of tables and columns, and comparing rows. */
import { expect, test } from 'bun:test';
import { firstVersion } from './schema-version.ts';
import { columnOf, columnsOf, fieldOf, fieldsOf, isSameRow, tables, tablesAt } from './tables.ts';

test('a field is its column in camel case', () => {
  expect([columnOf('purchaseDate'), columnOf('id')]).toEqual(['purchase_date', 'id']);
  expect([fieldOf('purchase_date'), fieldOf('id')]).toEqual(['purchaseDate', 'id']);
});

test('the fields of a table, all or without some', () => {
  expect(fieldsOf(tables.fx)).toEqual(expect.arrayContaining(['currency', 'date', 'usdPerUnit']));
  expect(fieldsOf(tables.fx, ['date', 'currency', 'ingestedAt'])).toEqual(['usdPerUnit']);
});

test('columns are selected under the names of their fields, integers as doubles', () => {
  expect(
    columnsOf(tables.retailWeek, 'w', ['itemId', 'week', 'priceCents']).split(', ').sort(),
  ).toEqual([
    'w.item_id::float8 AS "itemId"',
    'w.price_cents::float8 AS "priceCents"',
    'w.week::float8 AS "week"',
  ]);
  expect(columnsOf(tables.fx, 'f', ['usdPerUnit'])).toBe('f.usd_per_unit AS "usdPerUnit"');
  expect(columnsOf(tables.fx, 'f').split(', ')).toHaveLength(fieldsOf(tables.fx).length);
});

test('rows are equal if the given fields are; a missing field is null', () => {
  const fields = ['a', 'b'];
  expect(isSameRow(fields, { a: 1, b: 'x', c: 1 }, { a: 1, b: 'x', c: 2 })).toBe(true);
  expect(isSameRow(fields, { a: 1, b: 'x' }, { a: 2, b: 'x' })).toBe(false);
  expect(isSameRow(fields, { a: 1, b: 'x' }, { a: 1, b: 'y' })).toBe(false);
  expect(isSameRow(fields, { a: 1 }, { a: 1, b: null })).toBe(true);
  expect(isSameRow(fields, { a: 1, b: null }, { a: 1 })).toBe(true);
  expect(isSameRow(fields, { a: 1, b: 0 }, { a: 1 })).toBe(false);
  expect(isSameRow([], { a: 1 }, { a: 2 })).toBe(true);
});

test('no two tables share a name', () => {
  expect(tablesAt(firstVersion).map(({ name }) => name)).toHaveLength(Object.keys(tables).length);
});
