/** Mapping files and their problems. */
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMapping } from './offers-mapping.work.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-mapping-'));
const path = join(folder, 'shop.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(mapping: unknown) {
  writeFileSync(path, typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  return readMapping(path);
}

const columns = { set: 'Set', price: 'Price', date: 'Day' };
const least = { columns, constants: { retailer: 'retailer_b' } };

test('the minimal mapping', () => {
  expect(read(least)).toMatchObject({
    columns,
    retailer: 'retailer_b',
    currency: 'USD',
    timeZone: 'UTC',
    decimal: null,
    seller: null,
    stock: null,
    date: null,
    dateOrder: null,
    shops: new Map(),
  });
});

test('a mapping with everything', () => {
  const mapping = read({
    columns: { ...columns, shop: 'Site', stock: 'Etat', seller: 'Vendeur' },
    constants: { currency: 'eur', seller: 'retailer', stock: true },
    shops: { Amazon: 'retailer_a', '*': 'leave out' },
    sellers: { Amazon: 'retailer', '*': 'third_party' },
    stock: { 'En stock': true, épuisé: false },
    junk: ['9999.00', 0.01],
    decimal: ',',
    date_order: 'day first',
    time_zone: 'Europe/Paris',
  });
  expect(mapping.currency).toBe('EUR');
  expect([...mapping.shops]).toEqual([
    ['amazon', 'retailer_a'],
    ['*', 'leave out'],
  ]);
  expect(mapping.stocks.get('en stock')).toBe(true);
  expect([...mapping.junkCents]).toEqual([999_900, 1]);
});

test.each([
  ['{"columns":', 'the mapping is not valid JSON.'],
  [[], 'the file must be an object.'],
  [{ ...least, colums: {} }, "unknown key 'colums'; did you mean 'columns'?"],
  [
    { ...least, columns: { ...columns, prise: 'x' } },
    "unknown column 'prise'; did you mean 'price'?",
  ],
  [
    { ...least, constants: { retailr: 'retailer_a' } },
    "unknown constant 'retailr'; did you mean 'retailer'?",
  ],
  [{ ...least, columns: { ...columns, url: 7 } }, "'columns.url' must be text."],
  [{ columns, constants: { retailer: 'b' } }, "'constants.retailer' must be one of retailer_a, re"],
  [{ ...least, columns: { price: 'p', date: 'd' } }, "'columns' needs 'set' or 'barcode'"],
  [{ ...least, columns: { set: 's', date: 'd' } }, "'columns' needs 'price'."],
  [{ ...least, columns: { set: 's', price: 'p' } }, "'columns' or 'constants' needs 'date'"],
  [{ columns }, "'constants' needs 'retailer', or 'columns' needs 'shop'."],
  [{ columns: { ...columns, shop: 'Site' } }, "'columns.shop' needs 'shops', such as"],
  [{ ...least, shops: { A: 'retailer_a' } }, "'shops' needs 'columns.shop'"],
  [
    { ...least, columns: { ...columns, shop: 'S' }, shops: { A: 'retailer_a' } },
    "give 'constants.retailer' or 'columns.shop', not both.",
  ],
  [{ ...least, shops: { A: 'retailer_c' } }, "'shops.A' must be one of retailer_a, retailer_b, l"],
  [{ ...least, stock: { ja: 'yes' } }, "'stock.ja' must be one of true, false."],
  [{ ...least, junk: '9999' }, "'junk' must be a list of prices."],
  [{ ...least, junk: ['lots'] }, '\'junk\' must be a list of prices; "lots" is not one.'],
  [{ ...least, decimal: ';' }, "'decimal' must be one of ., ,."],
  [
    { ...least, time_zone: 'Paris' },
    "'time_zone' must be a name such as Europe/Paris, not 'Paris'",
  ],
  [{ columns, constants: { retailer: 'retailer_a', currency: '€' } }, "'constants.currency'"],
  [{ columns, constants: { retailer: 'retailer_a', date: 'May' } }, "'constants.date' must be a d"],
])('%j is rejected with its problem', (mapping, message) => {
  expect(() => read(mapping)).toThrow(`${path}: ${message}`);
});

test('a missing mapping', () => {
  expect(() => readMapping(join(folder, 'none.json'))).toThrow('cannot be read');
});

test('a mapping has up to a mebibyte', () => {
  const text = JSON.stringify(least);
  expect(read(text.padEnd(1024 * 1024)).retailer).toBe('retailer_b');
  expect(() => read(text.padEnd(1024 * 1024 + 1))).toThrow(
    `${path}: the mapping is larger than 1,048,576 bytes.`,
  );
});

test('usual words for stock are understood', () => {
  const { stocks } = read(least);
  const inStock = [...stocks].filter(([, isThere]) => isThere).map(([word]) => word);
  const outOfStock = [...stocks].filter(([, isThere]) => !isThere).map(([word]) => word);
  expect(inStock.toSorted()).toEqual(['1', 'in stock', 'true', 'yes']);
  expect(outOfStock.toSorted()).toEqual(['0', 'false', 'no', 'out of stock']);
});
