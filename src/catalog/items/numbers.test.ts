/** Set and minifig numbers: canonical forms, and lookups that ignore case. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { bagOfSeries } from './collectible-series.ts';
import {
  canonicalSetNumber,
  compareText,
  isItemNumber,
  itemKey,
  variantBase,
  variantOf,
} from './numbers.ts';

test.each([
  ['a bare number stays', '75192', '75192'],
  ['variant 1 is the bare number', '75192-1', '75192'],
  ['also for a number with one digit', '7-1', '7'],
  ['variant 2 keeps its variant', '75192-2', '75192-2'],
  ['variant 11 is not variant 1', '75192-11', '75192-11'],
  ['variant 21 is not variant 1', '75192-21', '75192-21'],
  ['letters keep their case', 'SDCC2019-1', 'SDCC2019'],
  ['a number that only looks like a variant stays', '-1', '-1'],
  ['a number that would leave a variant stays', 'MIDAUTUMNRABBIT-1-1', 'MIDAUTUMNRABBIT-1-1'],
  ['also for another variant', '375-2-1', '375-2-1'],
  ['a longer suffix is no variant', 'ISBN978-0241506271-1', 'ISBN978-0241506271'],
  ['letters after a hyphen are no variant', 'A-B-1', 'A-B'],
  ["BrickLink's number of a collectible figure is that on its bag", 'col24-1', '71037'],
  ['also of another figure, in any case', 'COLtlbm2-20', '71020-20'],
  ['and of one that is counted differently', 'col10-17', '71001-19'],
  ['a series that is not known stays', 'col99-2', 'col99-2'],
  ['the number of a minifig stays', 'col024', 'col024'],
])('%s', (_, given, canonical) => {
  expect(canonicalSetNumber(given)).toBe(canonical);
});

test.each([
  ['75192', '75192'],
  ['75192-1', '75192'],
  ['75192-2', '75192-2'],
  ['SDCC2019-1', 'sdcc2019'],
  ['sdcc2019', 'sdcc2019'],
  [' 75192-1 ', '75192'],
])('the set %p is looked up as %p', (given, key) => {
  expect(itemKey('set', given)).toBe(key);
});

test("BrickLink's numbers of the bags of a series are not those of its figures", () => {
  const bags = [
    ['71037-1', 'Minifigure, Series 24 (Complete Random Set of 1 Minifigure)'],
    ['71037-2', 'Minifigure, Series 24 (Complete Series of 12 Complete Minifigure Sets)'],
    ['71037-3', 'Minifigure, Series 24 (Box of 36)'],
    ['75192-2', 'Falcon (Box of 36)'],
  ] as const;
  expect(bags.map(([number, title]) => bagOfSeries(number, title))).toEqual([
    '71037-0',
    '71037-13',
    null,
    '75192-2',
  ]);
});

test('canonicalization is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '1', '2', '-') }), (number) => {
      const canonical = canonicalSetNumber(number);
      expect(canonicalSetNumber(canonical)).toBe(canonical);
    }),
  );
});

test('variants of a set are distinguished from other numbers with the same prefix', () => {
  expect(['375', '375-2', 'isbn978-0241506271'].map(variantBase)).toEqual([
    '375',
    '375',
    'isbn978-0241506271',
  ]);
  const keys = ['375', '375-2', '375-12', '375-0', '375-a', '3751', '375-2-2', '37'];
  expect(keys.map((key) => variantOf(key, '375'))).toEqual([
    1,
    2,
    12,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('numbers that URLs would resolve as folders are rejected', () => {
  expect(['.', '..', '...', '.1', '375'].filter(isItemNumber)).toEqual(['...', '.1', '375']);
});

test('minifig numbers have no variants, so nothing is cut off', () => {
  expect(itemKey('minifig', 'SW0001-1')).toBe('sw0001-1');
  expect(itemKey('minifig', 'fig-000001')).toBe('fig-000001');
});

test('text is ordered by code units, whatever the locale', () => {
  const sorted = ['b', 'a', 'Z', 'é', '75192-2', '75192', 'a'].sort(compareText);
  expect([compareText('a', 'b'), compareText('b', 'a')]).toEqual([-1, 1]);
  expect(compareText('a', 'a')).toBe(0);
  expect(sorted).toEqual(['75192', '75192-2', 'Z', 'a', 'a', 'b', 'é']);
});
