/** Folding: case and accents do not matter. Hidden signs are found, and written out. */
import { expect, test } from 'bun:test';
import { foldText, hasHiddenSigns, showHiddenSigns } from './text.ts';

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

test.each([
  ['a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['a\nb\u009bc', 'a\\u000ab\\u009bc'],
  ['moc.elpmaxe\u202e@ann', 'moc.elpmaxe\\u202e@ann'],
  ['a\u2066b\u200f', 'a\\u2066b\\u200f'],
])('hidden signs are written out: %j', (text, shown) => {
  expect(hasHiddenSigns(text)).toBe(true);
  expect(showHiddenSigns(text)).toBe(shown);
});

test.each(['Café', 'ספינה', '👩‍🚀 Space', "O'Neil & sons"])('%s has none', (text) => {
  expect(hasHiddenSigns(text)).toBe(false);
  expect(showHiddenSigns(text)).toBe(text);
});
