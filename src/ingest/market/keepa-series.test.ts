/** Series of Keepa products: times, prices with and without shipping, and errors. */
import { expect, test } from 'bun:test';
import {
  Cursor,
  keepaInstant,
  keepaInstantOrNull,
  readHolders,
  readSeries,
} from './keepa-series.ts';

test('minutes count from 2011', () => {
  expect(keepaInstant(0)).toBe(Date.UTC(2011, 0, 1));
  expect(keepaInstant(411_180)).toBe(1_318_510_800_000);
});

test('pairs are time and price; negative prices are no offer', () => {
  const series = readSeries([[10, 1299, 20, -1, 30, -2]], 0, 'price');
  expect(series?.times).toEqual([10, 20, 30].map(keepaInstant));
  expect(series?.values).toEqual([1299, null, null]);
});

test('triples include shipping, if known', () => {
  const series = readSeries([[10, 1299, 499, 20, 1299, -1, 30, -1, -1]], 0, 'price and shipping');
  expect(series?.values).toEqual([1798, 1299, null]);
});

test.each([
  ['there is no list of series', undefined],
  ['the list is shorter', [[10, 1]]],
  ['it is null', [null, null, null]],
  ['it is empty', [null, null, []]],
])('a series is null if %s', (_, csv) => {
  expect(readSeries(csv, 2, 'price')).toBeNull();
});

test.each([
  ['an incomplete entry', [[10, 1, 20]], "'csv[0]' must be a list of time, price"],
  ['no list', ['10,1'], "'csv[0]' must be a list of time, price"],
  ['a fraction', [[10, 1.5]], "'csv[0]' must hold only whole numbers"],
  ['a time beyond 2100', [[9e14, 1]], "'csv[0]' has 900000000000000, which is not a Keepa time"],
  ['a negative time', [[-1, 1]], "'csv[0]' has -1, which is not a Keepa time"],
  ['times out of order', [[10, 1, 9, 2]], "'csv[0]' is not in order of time at entry 2"],
])('%s is an error', (_, csv, message) => {
  expect(() => readSeries(csv, 0, 'price')).toThrow(message);
});

test('too many entries are rejected', () => {
  const list = Array.from({ length: 400_002 }, (_, index) => index);
  expect(() => readSeries([list], 0, 'price')).toThrow('more than 200000');
});

test('holders of the buy box: -1 is none, -2 is unknown', () => {
  const history = ['10', 'A1', '20', '-1', '30', '-2', '40', 'B2'];
  const holders = readHolders(history);
  expect(holders?.times).toEqual([10, 20, 30, 40].map(keepaInstant));
  expect(holders?.sellers).toEqual(['A1', null, null, 'B2']);
  expect(readHolders(null)).toBeNull();
  expect(() => readHolders(['A1', '10'])).toThrow('must be a list of minutes and sellers');
});

test('a cursor has the value at an instant, and its start', () => {
  const cursor = new Cursor([10, 20, 20], ['a', 'b', 'c']);
  const seen = [9, 10, 19, 20, 99].map((at) => {
    cursor.moveTo(at);
    return [cursor.value, cursor.since];
  });
  expect(seen).toEqual([
    [null, null],
    ['a', 10],
    ['a', 10],
    ['c', 20],
    ['c', 20],
  ]);
});

test('times are above 0 and before 2100', () => {
  expect([keepaInstantOrNull(1), keepaInstantOrNull(47_000_000)]).toEqual([
    keepaInstant(1),
    keepaInstant(47_000_000),
  ]);
  for (const none of [0, -1, 47_000_001, 1.5, '5', null]) {
    expect(keepaInstantOrNull(none)).toBeNull();
  }
});

test('bounds are inclusive', () => {
  expect(readSeries([[0, 0, 0, 5, 47_000_000, 1]], 0, 'price')?.values).toEqual([0, 5, 1]);
  const list = Array.from({ length: 400_000 }, (_, index) => index);
  expect(readSeries([list], 0, 'price')?.times).toHaveLength(200_000);
  expect(readSeries([[10, 5, 0]], 0, 'price and shipping')?.values).toEqual([5]);
});

test('holders are in order, and an incomplete entry is ignored', () => {
  expect(readHolders(['10', 'A1', '10', 'B2', '20'])?.sellers).toEqual(['A1', 'B2']);
  expect(readHolders([])).toBeNull();
  const message = "'buyBoxSellerIdHistory' is not in order of time at entry 2";
  expect(() => readHolders(['10', 'A1', '9', 'B2'])).toThrow(message);
  const many = Array.from({ length: 400_002 }, () => '1');
  expect(() => readHolders(many)).toThrow("'buyBoxSellerIdHistory' has 200001 entries");
  expect(readHolders(many.slice(2))?.times).toHaveLength(200_000);
});
