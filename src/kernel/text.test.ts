/** Text folding, truncation and hidden characters. */
import { expect, test } from 'bun:test';
import {
  cutText,
  escapeHiddenCharacters,
  foldText,
  hasHiddenCharacters,
  hiddenCharacterProblem,
  sentence,
  shortText,
  shortValue,
  withArticle,
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
  ['Castle', 6, 'Castle'],
  ['Castle', 5, 'Cast…'],
  ['🧱🧱🧱', 3, '🧱🧱🧱'],
  ['🧱🧱🧱', 2, '🧱…'],
])('%s in %i characters is %s', (text, lengthMax, cut) => {
  expect(cutText(text, lengthMax)).toBe(cut);
});

test.each([
  ['a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['a\nb\u009bc', 'a\\u000ab\\u009bc'],
  ['moc.elpmaxe\u202e@ann', 'moc.elpmaxe\\u202e@ann'],
  ['a\u2066b\u200f', 'a\\u2066b\\u200f'],
])('hidden characters are escaped: %j', (text, shown) => {
  expect(hasHiddenCharacters(text)).toBe(true);
  expect(escapeHiddenCharacters(text)).toBe(shown);
});

test.each(['Café', 'ספינה', '👩‍🚀 Space', "O'Neil & sons"])(
  '%s has no hidden characters',
  (text) => {
    expect(hasHiddenCharacters(text)).toBe(false);
    expect(escapeHiddenCharacters(text)).toBe(text);
  },
);

/** All bidirectional control characters of Unicode. */
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

test('all bidirectional control characters are detected, removed and escaped', () => {
  expect(directionSigns.every((sign) => /^\p{Bidi_Control}$/u.test(sign))).toBe(true);
  for (const sign of directionSigns) {
    expect(hiddenCharacterProblem(`a${sign}b`)).toBe(
      'contains characters that change the direction of text',
    );
    expect(withoutDirectionMarks(`${sign}a${sign}b${sign}`)).toBe('ab');
    expect(shortText(`a${sign}b`)).toMatch(/^a\\u[\da-f]{4}b$/);
  }
  for (let code = 0; code <= 0xffff; code++) {
    const sign = String.fromCharCode(code);
    expect(/\p{Bidi_Control}/u.test(sign)).toBe(directionSigns.includes(sign));
  }
});

test.each(['\u0000', '\n', '\t', '\u007f', '\u0085', '\u2028', '\u2029'])(
  '%j is a control character, which is not removed silently',
  (sign) => {
    expect(hiddenCharacterProblem(`a${sign}b`)).toBe('contains control characters');
    expect(withoutDirectionMarks(`a${sign}b`)).toBe(`a${sign}b`);
  },
);

test('quoted input is truncated at whole characters, with hidden ones escaped', () => {
  expect(shortText('a\u0000b\n')).toBe('a\\u0000b\\u000a');
  expect(shortText('x'.repeat(40))).toBe('x'.repeat(40));
  expect(shortText('x'.repeat(41))).toBe(`${'x'.repeat(40)}…`);
  expect(shortText('🧱'.repeat(41))).toBe(`${'🧱'.repeat(40)}…`);
  expect(shortText('abc', 2)).toBe('ab…');
});

test('a lone surrogate is hidden, a pair is not', () => {
  for (const half of ['a\ud83e', '\uddf1a', '\ud83e\ud83e\uddf1']) {
    expect(hasHiddenCharacters(half)).toBe(true);
    expect(hiddenCharacterProblem(half)).toBe('contains half of a character (a lone surrogate)');
  }
  expect(shortText('a\ud83e')).toBe('a\\ud83e');
  expect(hasHiddenCharacters('🧱')).toBe(false);
});

test.each([
  ['a\tb', '"a\\u0009b"'],
  [12.5, '12.5'],
  [null, 'null'],
  [false, 'false'],
  [[1, 2], 'an array'],
  [{ a: 1 }, 'an object'],
])('the value %j is quoted as %s', (value, shown) => {
  expect(shortValue(value)).toBe(shown);
});

const key = `bmk_${'0123456789abcdef'.repeat(3)}`;

test.each([
  [key, 'bmk_…'],
  [key.toUpperCase(), 'bmk_…'],
  [`Bearer ${key}`, 'Bearer bmk_…'],
  [`${'x'.repeat(38)}${key}`, `${'x'.repeat(38)}bm…`],
  ['bmk_', 'bmk_'],
])('a message never contains a key: %s', (text, shown) => {
  expect(shortText(text)).toBe(shown);
});

test.each([
  ['the lot is sold out', 'The lot is sold out.'],
  ['Who sells?', 'Who sells?'],
  ['', '.'],
])('%j becomes a sentence', (text, whole) => {
  expect(sentence(text)).toBe(whole);
});

test.each([
  ['part', 'a part'],
  ['unsorted lot', 'an unsorted lot'],
])('%s has its article', (noun, whole) => {
  expect(withArticle(noun)).toBe(whole);
});
