/** The theme tree: roots, leaves and cycles. */
import { expect, test } from 'bun:test';
import { Themes } from './rebrickable-themes.ts';

/** Themes with their parents, each named like its ID. */
function themesOf(parents: Readonly<Record<string, string | null>>): Themes {
  const themes = new Themes();
  for (const [id, parent] of Object.entries(parents)) themes.add(id, { name: `T${id}`, parent });
  return themes;
}

test('the theme is the root, and the subtheme the leaf', () => {
  const themes = themesOf({ 1: null, 2: '1', 3: '2' });
  expect(themes.find('1')).toEqual({ theme: 'T1', subtheme: null });
  expect(themes.find('2')).toEqual({ theme: 'T1', subtheme: 'T2' });
  expect(themes.find('3')).toEqual({ theme: 'T1', subtheme: 'T3' });
});

test.each([
  ['its own parent', { 1: '1' }, "theme '1' is its own ancestor, through '1'"],
  ['below a cycle', { 1: '2', 2: '3', 3: '2' }, "theme '1' is its own ancestor, through '2'"],
  ['below a missing one', { 1: '2' }, "theme '2', above theme '1', is not in themes.csv"],
  ['missing', {}, "theme '1' is not in themes.csv"],
])('a theme that is %s is an error', (_, parents, problem) => {
  expect(() => themesOf(parents).find('1')).toThrow(problem);
});
