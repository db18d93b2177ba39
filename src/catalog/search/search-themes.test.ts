/** Themes that match a search. */
import { expect, test } from 'bun:test';
import { matchThemes } from './search-themes.ts';

const themes = ['Castle', 'Castle Knights', 'Classic Town', 'Star Wars', 'Town', 'Colour Fun'].map(
  (theme) => ({ theme }),
);

test.each([
  ['castle', ['Castle', 'Castle Knights']],
  ['town', ['Town', 'Classic Town']],
  ['starwars', ['Star Wars']],
  ['Star-Wars', ['Star Wars']],
  ['wars', ['Star Wars']],
  ['color', ['Colour Fun']],
  ['colour', ['Colour Fun']],
  ['tar', []],
  ['town castle', []],
  ['--', []],
])("finds themes by '%s'", (term, found) => {
  expect(matchThemes(themes, term).map(({ theme }) => theme)).toEqual(found);
});

test('whole names come first, then names that start with the query, then later words', () => {
  const names = ['New Castle', 'Castle Knights', 'Castle', 'Castles'].map((theme) => ({ theme }));
  expect(matchThemes(names, 'castle').map(({ theme }) => theme)).toEqual([
    'Castle',
    'Castle Knights',
    'Castles',
    'New Castle',
  ]);
});
