/** Text folding, truncation, quoting in messages, and hidden characters. */

/** Letters without a Unicode decomposition that people type without the stroke. */
const strokes: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

/** Lower case, without accents. */
export function foldText(text: string): string {
  // Lower case comes last, because decomposition may produce capitals.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no folding.
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => strokes[letter] ?? letter);
}

/** Truncates a text to a number of characters, with an ellipsis. */
export function cutText(text: string, lengthMax: number): string {
  const letters = [...text];
  return letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : text;
}

/** Capitalizes a text, and adds a period unless it ends with punctuation. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return capitalized(ended);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lists in sentences: "a, b and c", "a, b or c". */
export const andList: Intl.ListFormat = new Intl.ListFormat('en-GB');
export const orList: Intl.ListFormat = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Length of input quoted in messages. */
const echoLengthMax = 40;

/** Input quoted in a message: truncated, without API keys, with invisible characters escaped. */
export function shortText(text: string, lengthMax = echoLengthMax): string {
  // A character has at most two UTF-16 units.
  const characters = [...withoutKeys(text.slice(0, 2 * lengthMax + 2))];
  const shown = escapeHiddenCharacters(characters.slice(0, lengthMax).join(''));
  return characters.length > lengthMax ? `${shown}…` : shown;
}

/** Removes API keys, which users may put into a wrong field, because messages are logged. */
function withoutKeys(text: string): string {
  return text.replace(/bmk_\w+/gi, 'bmk_…');
}

/** A JSON value quoted in a message. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return `"${shortText(value)}"`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** A noun with its article: a part, an unsorted lot. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Control characters, and line and paragraph separators. */
const controlCharacter = /[\p{Cc}\u2028\u2029]/u;

/** Bidirectional control characters, which are invisible. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const directionMarks = new RegExp(directionMark, 'gu');

/** Lone surrogates, which cannot be encoded. */
const halfCharacter = /\p{Cs}/u;

/** All of these: they could make a terminal or page display a false name. */
const hiddenCharacter = new RegExp(
  `${controlCharacter.source}|${directionMark.source}|${halfCharacter.source}`,
  'u',
);
const hiddenCharacters = new RegExp(hiddenCharacter, 'gu');

export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacter.test(text);
}

/** The problem as a phrase that follows the name of a field; null if there is none. */
export function hiddenCharacterProblem(text: string): string | null {
  if (controlCharacter.test(text)) return 'contains control characters';
  if (halfCharacter.test(text)) return 'contains half of a character (a lone surrogate)';
  return directionMark.test(text) ? 'contains characters that change the direction of text' : null;
}

export function withoutDirectionMarks(text: string): string {
  return text.replace(directionMarks, '');
}

/** Escapes hidden characters, as in `\u001b`. */
export function escapeHiddenCharacters(text: string): string {
  const written = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(hiddenCharacters, written);
}
