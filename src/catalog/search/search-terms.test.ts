/** Queries as words. */
import { expect, test } from 'bun:test';
import { isSearchable, searchTerms } from './search-terms.ts';

test.each([
  ['', 0],
  ['   ', 0],
  ['\u200b\u0301', 0],
  ['a', 1],
  [' a  b ', 2],
  ['e\u0301x', 2],
  ['👨‍👩‍👧', 1],
])("'%s' has %d visible characters", (term, length) => {
  expect(isSearchable(term, length)).toBe(true);
  expect(isSearchable(term, length + 1)).toBe(false);
});

test('a query has each word once, without those that have no letters or digits', () => {
  const { words, phrases, ...whole } = searchTerms('set', '  Castle -- 75192-1 CASTLE ');
  expect(words).toEqual([
    { typed: 'castle', number: 'castle', forms: ['castle'], year: null },
    { typed: '75192-1', number: '75192', forms: ['751921'], year: null },
  ]);
  expect(phrases).toEqual(['castle751921castle']);
  expect(whole).toMatchObject({ key: null, name: 'castle -- 75192-1 castle' });
  expect(searchTerms('set', ' -- ')).toMatchObject({ words: [], phrases: [''] });
});

test('four digits of the last and this century may be a year, without which a name is found', () => {
  const { words, phrases, phrasesWithoutYears } = searchTerms('set', 'x-wing 2021');
  expect(words.map(({ year }) => year)).toEqual([null, 2021]);
  expect([phrases, phrasesWithoutYears]).toEqual([['xwing2021'], ['xwing']]);
  const years = searchTerms('set', '1899 1900 2099 2100 20211 2021-1').words;
  expect(years.map(({ year }) => year)).toEqual([null, 1900, 2099, null, null, null]);
});

test('a query is also a number, as its kind writes it', () => {
  expect(searchTerms('set', ' 75192-1 ').number).toBe('75192');
  expect(searchTerms('minifig', 'SW0001A').number).toBe('sw0001a');
});

test('phrases combine both spellings of each word, up to eight', () => {
  expect(searchTerms('set', 'grey colour').phrases).toEqual([
    'greycolour',
    'greycolor',
    'graycolour',
    'graycolor',
  ]);
  const { phrases: combined } = searchTerms('set', 'grey colour tyre mould');
  expect(combined).toHaveLength(8);
  expect([combined[0], combined[7]]).toEqual(['greycolourtyremould', 'greycolortiremold']);
});
