/** Themes: one spelling, whatever the source. */
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

test('unknown themes are unchanged, even if their name is part of a known one', () => {
  for (const theme of ['Castle', 'Éclair', 'eclair', 'LEGO Brand Store', 'The LEGO Movie', 'X']) {
    expect(canonicalTheme(theme)).toBe(theme);
  }
});

test('canonicalization is idempotent', () => {
  for (const theme of ['NINJAGO', 'tbd', 'Train', 'LEGO Art', 'The Hobbit', 'LEGOLAND', 'Lego']) {
    const shown = canonicalTheme(theme);
    expect(canonicalTheme(shown)).toBe(shown);
  }
});
