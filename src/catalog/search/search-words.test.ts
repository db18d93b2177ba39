/** Splitting names into words. */
import { expect, test } from 'bun:test';
import { americanWords, searchWords } from './search-words.ts';

test.each([
  ['Millennium Falcon - UCS {2nd edition}', ['millennium', 'falcon', 'ucs', '2nd', 'edition']],
  ['Lion Knights’ Castle', ['lion', 'knights', 'castle']],
  ["King's X-Wing", ['kings', 'x', 'wing']],
  ['Café & Blåbær', ['cafe', 'and', 'blabaer']],
  ['4/5/6', ['4', '5', '6']],
  ['東京 Tower', ['東京', 'tower']],
  ['--', []],
])("finds the words of '%s'", (name, words) => {
  expect(searchWords(name)).toEqual(words);
});

test.each([
  ['colour', 'color'],
  ['colours', 'colors'],
  ['harbourside', 'harborside'],
  ['greyhound', 'grayhound'],
  ['theatre', 'theater'],
  ['tyres', 'tires'],
  ['tour', 'tour'],
  ['martyre', 'martyre'],
])('%s is %s in American spelling', (british, american) => {
  expect(americanWords([british])).toEqual([american]);
});
