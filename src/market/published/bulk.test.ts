/** Bulk positions: their format, their order, and which can be continued from. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  bulkPositionAfter,
  bulkPositionLengthMax,
  bulkPositionPattern,
  bulkTypes,
  documentAtRank,
  documentRank,
  formatBulkPosition,
  isFollowed,
  parseBulkPosition,
  stampAt,
} from './bulk.ts';

test('a formatted position matches the pattern and parses to the same position', () => {
  const position = fc.record({ stamp: fc.maxSafeNat(), rank: fc.maxSafeNat() });
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

test('every document of an item has a distinct rank, removed documents first', () => {
  const places = [7, 8].flatMap((itemId) =>
    [true, false].flatMap((isRemoved) =>
      bulkTypes.map((type) => documentRank(itemId, type, isRemoved)),
    ),
  );
  // Without gaps: eight for each item.
  expect(places).toEqual(places.map((_, index) => 7 * 8 + index));
  expect(places.map(documentAtRank)).toEqual(
    [7, 7, 8, 8].flatMap((itemId) => bulkTypes.map((type) => ({ itemId, type }))),
  );
});

test('the position after a publication includes all of it and nothing of the next', () => {
  expect(stampAt(bulkPositionAfter(41))).toBe(41);
  expect(stampAt({ stamp: 41, rank: documentRank(1, 'sets', true) })).toBe(41);
  expect(bulkPositionAfter(41)).toEqual({ stamp: 42, rank: 0 });
});

test('positions issued between a backup and its restore cannot be continued from', () => {
  const bounds = { stamp: 30, lost: { after: 10, before: 20 } };
  const known = (stamp: number, rank = 9) => isFollowed({ stamp, rank }, bounds);
  expect([known(9), known(10), known(11, 0)]).toEqual([true, true, true]);
  expect([known(11), known(19), known(20, 0)]).toEqual([false, false, false]);
  expect([known(20), known(21, 0), known(30), known(31, 0)]).toEqual([true, true, true, true]);
  expect([known(31), known(32, 0)]).toEqual([false, false]);
  expect(isFollowed({ stamp: 15, rank: 1 }, { stamp: 30, lost: null })).toBe(true);
});
