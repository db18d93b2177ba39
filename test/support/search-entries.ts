/** Entries of the search index, for tests. */
import fc from 'fast-check';
import type { SearchEntry } from '../../src/catalog/search/search-entry.ts';
import { americanWords, searchWords } from '../../src/catalog/search/search-words.ts';

/** The names of an entry as lists of words, in both spellings. */
export function namesOf({ name, otherNames }: SearchEntry) {
  return [name, ...otherNames].flatMap((text, index) => {
    const words = searchWords(text);
    return [words, [...americanWords(words)]].map((list) => ({ list, isOwn: index === 0 }));
  });
}

export const entryWords = [
  'castle',
  'cast',
  'black',
  'x',
  'wing',
  'xw',
  'grey',
  'gray',
  '100',
  '5',
  'tle',
  '2021',
];
const text = fc
  .tuple(
    fc.array(fc.constantFrom(...entryWords), { maxLength: 3 }),
    fc.constantFrom(' ', '-', ' / '),
  )
  .map(([list, between]) => list.join(between));
const topics = fc.subarray(['Star Wars', 'Ultimate Collector Series', 'Castle Black', 'Grey']);
export const anyEntry: fc.Arbitrary<SearchEntry> = fc.record({
  key: fc.constantFrom('1', '10', '100', '1005', '5', '51', '75192', '75192-2', 'x100', 'castle'),
  name: text,
  otherNames: fc.array(text, { maxLength: 2 }),
  subthemes: topics,
  themes: topics,
  year: fc.constantFrom(null, 1999, 2021),
  interest: fc.constantFrom(0, 1, 2, 900),
  ranksLast: fc.boolean(),
});
export const anyEntries = fc.uniqueArray(anyEntry, { selector: ({ key }) => key, maxLength: 8 });
export const entryOf = (
  key: string,
  name: string,
  facts: Partial<SearchEntry> = {},
): SearchEntry => ({
  key,
  name,
  otherNames: [],
  subthemes: [],
  themes: [],
  year: null,
  interest: 0,
  ranksLast: false,
  ...facts,
});
