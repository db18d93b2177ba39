/** Edit distances, and how many edits a word may have. */
import { expect, test } from 'bun:test';
import { editDistance, typosAllowed } from './typos.ts';

test.each([
  ['falcon', 'falcon', 0],
  ['falcon', 'falkon', 1],
  ['falcon', 'falon', 1],
  ['falcon', 'fallcon', 1],
  ['falcon', 'flacon', 1],
  ['falcon', 'faclno', 2],
  ['milenium', 'millennium', 2],
  ['castle', 'castel', 1],
  ['ab', 'ba', 1],
  // Only one letter has moved to its neighbor's place.
  ['ab', 'xa', 2],
  ['', 'ab', 2],
  ['abc', 'xyz', 3],
])('%s and %s are %i edits apart, in either order', (a, b, edits) => {
  expect(editDistance(a, b, 3)).toBe(edits);
  expect(editDistance(b, a, 3)).toBe(edits);
});

test('distances above the maximum are one more than the maximum', () => {
  expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
  expect(editDistance('abc', 'abcdefgh', 1)).toBe(2);
  expect(editDistance('castle', 'cstale', 1)).toBe(2);
  // The ends differ, after beginnings that are close enough.
  expect(editDistance('abcx', 'abcyz', 1)).toBe(2);
});

test.each([
  ['cat', 0],
  ['cats', 1],
  ['hogwart', 1],
  ['hogwarts', 2],
  ['75192', 0],
  ['r2d2', 0],
])('%s may have %i edits', (word, most) => {
  expect(typosAllowed(word)).toBe(most);
});
