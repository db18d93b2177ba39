/** Folding: case and accents do not matter. Hidden signs are found, and written out. */
import { expect, test } from 'bun:test';
import {
  escapeHiddenCharacters,
  foldText,
  hasHiddenCharacters,
  hiddenCharacterProblem,
  shortText,
  withoutDirectionMarks,
} from './text.ts';

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
  expect(hasHiddenCharacters(text)).toBe(true);
  expect(escapeHiddenCharacters(text)).toBe(shown);
});

test.each(['Café', 'ספינה', '👩‍🚀 Space', "O'Neil & sons"])('%s has none', (text) => {
  expect(hasHiddenCharacters(text)).toBe(false);
  expect(escapeHiddenCharacters(text)).toBe(text);
});

/** Every sign of Unicode that turns the direction of writing, or holds it. */
const directionSigns = [
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];

test('every sign that turns the direction of writing is known, left out, and never echoed', () => {
  expect(directionSigns.every((sign) => /^\p{Bidi_Control}$/u.test(sign))).toBe(true);
  for (const sign of directionSigns) {
    expect(hiddenCharacterProblem(`a${sign}b`)).toBe(
      'has signs that turn the direction of writing',
    );
    expect(withoutDirectionMarks(`${sign}a${sign}b${sign}`)).toBe('ab');
    expect(shortText(`a${sign}b`)).toBe('a?b');
  }
  for (let code = 0; code <= 0xffff; code++) {
    const sign = String.fromCharCode(code);
    expect(/\p{Bidi_Control}/u.test(sign)).toBe(directionSigns.includes(sign));
  }
});

test.each(['\u0000', '\n', '\t', '\u007f', '\u0085', '\u2028', '\u2029'])(
  '%j is a control character, which is not left out in silence',
  (sign) => {
    expect(hiddenCharacterProblem(`a${sign}b`)).toBe('has control characters');
    expect(withoutDirectionMarks(`a${sign}b`)).toBe(`a${sign}b`);
  },
);
