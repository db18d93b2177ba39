/** Texts: folded, so that case and accents do not matter; shown in messages; hidden characters. */

/** Letters that have no decomposition in Unicode but that people type without the stroke. */
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
  // Lower case comes last: taking a letter apart may bring capitals to light.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII needs no folding.
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłı]/g, (letter) => strokes[letter] ?? letter);
}

/** A text of so many characters at most: what is longer ends with an ellipsis. */
export function cutText(text: string, lengthMax: number): string {
  const letters = [...text];
  return letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join('')}…` : text;
}

/** A text as a sentence: a capital letter before it, and a full stop unless it ends like one. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/** How much of somebody's input is repeated in a message. */
const echoLengthMax = 40;

/**
 * Somebody's input as a message repeats it: cut, without API keys, and with what cannot be seen
 * written out.
 */
export function shortText(text: string, lengthMax = echoLengthMax): string {
  // A character has two units at most.
  const characters = [...withoutKeys(text.slice(0, 2 * lengthMax + 2))];
  const shown = escapeHiddenCharacters(characters.slice(0, lengthMax).join(''));
  return characters.length > lengthMax ? `${shown}…` : shown;
}

/** A text without API keys: they get into the wrong field, and messages get into logs. */
function withoutKeys(text: string): string {
  return text.replace(/bmk_\w+/gi, 'bmk_…');
}

/** A value of JSON as a message repeats it. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return `"${shortText(value)}"`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** A noun as a sentence needs it: a part, an unsorted lot. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Control characters, and what separates lines and paragraphs. */
const controlCharacter = /[\p{Cc}\u2028\u2029]/u;

/** Marks that change the direction of writing, or hold it. They are not seen themselves. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const directionMarks = new RegExp(directionMark, 'gu');

/** Half of a character that UTF-16 writes in two: no encoding can carry it. */
const halfCharacter = /\p{Cs}/u;

/** All of these: in a name they make a terminal or a page show something else than is there. */
const hiddenCharacter = new RegExp(
  `${controlCharacter.source}|${directionMark.source}|${halfCharacter.source}`,
  'u',
);
const hiddenCharacters = new RegExp(hiddenCharacter, 'gu');

/** Whether a text has characters that act on what shows it instead of being shown. */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacter.test(text);
}

/** What of this kind a text has, in words that follow its name; null when it has nothing. */
export function hiddenCharacterProblem(text: string): string | null {
  if (controlCharacter.test(text)) return 'contains control characters';
  if (halfCharacter.test(text)) return 'contains half of a character (a lone surrogate)';
  return directionMark.test(text) ? 'contains characters that change the direction of text' : null;
}

/** The text without marks that change the direction of writing. */
export function withoutDirectionMarks(text: string): string {
  return text.replace(directionMarks, '');
}

/** The text with such characters written out, as `\u001b`. */
export function escapeHiddenCharacters(text: string): string {
  const written = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(hiddenCharacters, written);
}
