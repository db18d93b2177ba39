/** Bulk positions: their format, their order, and which can be continued from. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  atPlace,
  bulkPositionAfter,
  bulkPositionLengthMax,
  bulkPositionPattern,
  bulkTypes,
  formatBulkPosition,
  isFollowed,
  parseBulkPosition,
  placeOf,
  stampAt,
} from './bulk.ts';

test('a formatted position matches the pattern and parses to the same position', () => {
  const position = fc.record({ stamp: fc.maxSafeNat(), place: fc.maxSafeNat() });
  fc.assert(
    fc.property(position, (each) => {
      const text = formatBulkPosition(each);
      expect(text).toMatch(new RegExp(bulkPositionPattern));
      expect(parseBulkPosition(text)).toEqual(each);
    }),
  );
});

test('the longest position has the maximum length', () => {
  const longest = `${'9'.repeat(16)}-${'9'.repeat(16)}`;
  expect(longest).toMatch(new RegExp(bulkPositionPattern));
  expect(`9${longest}`).not.toMatch(new RegExp(bulkPositionPattern));
  expect(longest).toHaveLength(bulkPositionLengthMax);
});

test('every document of an item has a distinct place, removed documents first', () => {
  const places = [7, 8].flatMap((itemId) =>
    [true, false].flatMap((isRemoved) => bulkTypes.map((type) => placeOf(itemId, type, isRemoved))),
  );
  // Without gaps: eight for each item.
  expect(places).toEqual(places.map((_, index) => 7 * 8 + index));
  expect(places.map(atPlace)).toEqual(
    [7, 7, 8, 8].flatMap((itemId) => bulkTypes.map((type) => ({ itemId, type }))),
  );
});

test('the position after a publication includes all of it and nothing of the next', () => {
  expect(stampAt(bulkPositionAfter(41))).toBe(41);
  expect(stampAt({ stamp: 41, place: placeOf(1, 'sets', true) })).toBe(41);
  expect(bulkPositionAfter(41)).toEqual({ stamp: 42, place: 0 });
});

test('positions issued between a backup and its restore cannot be continued from', () => {
  const bounds = { stamp: 30, lost: { after: 10, before: 20 } };
  const known = (stamp: number, place = 9) => isFollowed({ stamp, place }, bounds);
  expect([known(9), known(10), known(11, 0)]).toEqual([true, true, true]);
  expect([known(11), known(19), known(20, 0)]).toEqual([false, false, false]);
  expect([known(20), known(21, 0), known(30), known(31, 0)]).toEqual([true, true, true, true]);
  expect([known(31), known(32, 0)]).toEqual([false, false]);
  expect(isFollowed({ stamp: 15, place: 1 }, { stamp: 30, lost: null })).toBe(true);
});
