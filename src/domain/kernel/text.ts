/** Folding of text, so that case and accents do not matter; and signs that nobody sees. */

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

/** How much of somebody's input is repeated in a message. */
const echoLengthMax = 40;

/** Long or unprintable input, cut before it is echoed. */
export function shortText(text: string): string {
  const printable = text.replace(hiddenSigns, '?');
  return printable.length > echoLengthMax ? `${printable.slice(0, echoLengthMax)}…` : printable;
}

/** Control characters, and what separates lines and paragraphs. */
const controlSign = /[\p{Cc}\u2028\u2029]/u;

/** Signs that turn the direction of writing, or hold it. They are not seen themselves. */
const directionSign = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const directionSigns = new RegExp(directionSign, 'gu');

/** All of these: in a name they make a terminal or a page show something else than is there. */
const hiddenSign = new RegExp(`${controlSign.source}|${directionSign.source}`, 'u');
const hiddenSigns = new RegExp(hiddenSign, 'gu');

/** Whether a text has signs that act on what shows it instead of being shown. */
export function hasHiddenSigns(text: string): boolean {
  return hiddenSign.test(text);
}

/** What of this kind a text has, in words that follow its name; null when it has nothing. */
export function hiddenSignFault(text: string): string | null {
  if (controlSign.test(text)) return 'has control characters';
  return directionSign.test(text) ? 'has signs that turn the direction of writing' : null;
}

/** The text without signs that turn the direction of writing. */
export function withoutDirectionSigns(text: string): string {
  return text.replace(directionSigns, '');
}

/** The text with such signs written out, as `\u001b`. */
export function showHiddenSigns(text: string): string {
  const written = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(hiddenSigns, written);
}
