/** Themes: one spelling, whoever names them. */
import { expect, test } from 'bun:test';
import { canonicalTheme } from './themes.ts';

test.each([
  ['Ninjago', ['Ninjago', 'NINJAGO', ' ninjago ']],
  ['Collectible Minifigures', ['Collectable Minifigures', 'Collectible Minifigures']],
  ['Marvel Super Heroes', ['Super Heroes Marvel', 'Marvel Super Heroes']],
  ['DC Super Heroes', ['Super Heroes DC', 'DC Comics Super Heroes']],
  ['Make and Create', ['Make & Create', 'Make and Create']],
  ['Other', ['tbd', 'TBD', '(Other)', 'Other']],
  ['Ideas', ['LEGO Ideas and CUUSOO', 'LEGO Ideas (CUUSOO)', 'Ideas']],
  ['Games', ['LEGO Games', 'Games']],
  ['Promotional', ['Promotional ']],
])('%s is one theme', (theme, spellings) => {
  expect(spellings.map(canonicalTheme)).toEqual(spellings.map(() => theme));
});

test('a theme that is not in the table stays as it is, and so does a name that is part of one', () => {
  for (const theme of ['Castle', 'Éclair', 'eclair', 'LEGO Brand Store', 'The LEGO Movie', 'X']) {
    expect(canonicalTheme(theme)).toBe(theme);
  }
});

test('the spelling that is shown is one for good', () => {
  for (const theme of ['NINJAGO', 'tbd', 'Train', 'LEGO Art', 'The Hobbit', 'LEGOLAND', 'Lego']) {
    const shown = canonicalTheme(theme);
    expect(canonicalTheme(shown)).toBe(shown);
  }
});
