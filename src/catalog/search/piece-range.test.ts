/** A number of pieces in a search is a range, and the rest is searched for. */
import { expect, test } from 'bun:test';
import { readPieces } from './piece-range.ts';

test.each([
  ['9090 pieces', '', 9090, 9090],
  ['9,090 pcs', '', 9090, 9090],
  ['castle 500-1000 pieces', 'castle', 500, 1000],
  ['500 to 1,000 pieces Star Wars', 'Star Wars', 500, 1000],
  ['over 2000 pieces', '', 2000, null],
  ['modular from 2000 parts', 'modular', 2000, null],
  ['2000+ pieces', '', 2000, null],
  ['up to 100 pieces', '', null, 100],
  ['Less than 100pcs city', 'city', null, 100],
])('%p is a range of pieces', (query, term, from, to) => {
  expect(readPieces(query)).toEqual({ term, pieces: { from, to } });
});

test.each([
  'titanic',
  '9090',
  'one piece',
  '4567890 pieces',
  '75192-1 pieces',
  '100 piecesofeight',
])('%p is not a range of pieces', (query) => {
  expect(readPieces(query)).toBeNull();
});
