/** Folding: case and accents do not matter. */
import { expect, test } from 'bun:test';
import { foldText } from './text.ts';

test.each([
  ['Grand CASTLE', 'grand castle'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['ÉCLAIR', 'eclair'],
  ['Ångström', 'angstrom'],
  ['Blåbær', 'blabaer'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['Øresund', 'oresund'],
  ['İstanbul', 'istanbul'],
  ['75192-1', '75192-1'],
])('%s folds to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});
