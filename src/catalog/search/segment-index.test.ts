/** Facts about the words in the index of a segment. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { anyEntries, entryOf, namesOf } from '../../../test/support/search-entries.ts';
import { compareText } from '../items/numbers.ts';
import { segmentOf } from './segment-builder.ts';
import { typosFrom } from './segment-index.ts';
import { editDistance } from './typos.ts';

test('for any entries, all words within the edit distance are found', () => {
  const form = fc.constantFrom('castle', 'cstle', 'casttle', 'black', 'blakc', 'graz', 'wimg');
  fc.assert(
    fc.property(anyEntries, form, fc.integer({ min: 1, max: 2 }), (entries, typed, most) => {
      const found = segmentOf(entries).typosOf(typed, most);
      const known = new Set(entries.flatMap((each) => namesOf(each).flatMap(({ list }) => list)));
      const expected = [...known]
        .map((word) => ({ word, mistakes: editDistance(typed, word, most) }))
        .filter(({ mistakes }) => mistakes > 0 && mistakes <= most)
        .sort((a, b) => compareText(a.word, b.word));
      expect(found.map(({ word, mistakes }) => ({ word, mistakes }))).toEqual(expected);
    }),
    { seed: 245, numRuns: 150 },
  );
});

test('corrections are ordered by edit distance, then by number of items, then by name', () => {
  const segments = [
    segmentOf([entryOf('1', 'Castle'), entryOf('2', 'Cattle'), entryOf('3', 'Battle')]),
    segmentOf([entryOf('4', 'Cattle'), entryOf('5', 'Mantle')]),
  ];
  const typos = (form: string, itemsMin = 0) => typosFrom(segments, form, { most: 2, itemsMin });
  expect(typos('cattle')).toEqual(['battle', 'castle', 'mantle']);
  expect(typos('catle')).toEqual(['cattle', 'castle', 'battle', 'mantle']);
  expect(typos('catle', 2)).toEqual(['cattle']);
});
