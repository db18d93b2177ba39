/** The theme list: by name, ignoring case and accents. */
import { expect, test } from 'bun:test';
import { themeList } from './theme-document.ts';

test('themes are sorted by name, ignoring case and accents', () => {
  const names = ['Zoo', 'Éclair', 'duplo', 'City', 'eclair', 'Ägypten', 'Art'];
  const list = themeList(names.map((theme) => ({ theme, setCount: 1 })));
  expect(list.themes.map((entry) => entry.theme)).toEqual([
    'Ägypten',
    'Art',
    'City',
    'duplo',
    'eclair',
    'Éclair',
    'Zoo',
  ]);
});

test('a theme has its name, its number of sets and nothing else', () => {
  expect(themeList([{ theme: 'Castle', setCount: 3 }])).toEqual({
    themes: [{ theme: 'Castle', set_count: 3 }],
  });
});

test('without sets the list is empty', () => {
  expect(themeList([])).toEqual({ themes: [] });
});
