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

/**
 * Control characters, line separators, and signs that turn the direction of writing: in a name they
 * make a terminal or a page show something else than what is there.
 */
const hiddenSign = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const hiddenSigns = new RegExp(hiddenSign, 'gu');

/** Whether a text has signs that act on what shows it instead of being shown. */
export function hasHiddenSigns(text: string): boolean {
  return hiddenSign.test(text);
}

/** The text with such signs written out, as `\u001b`. */
export function showHiddenSigns(text: string): string {
  const written = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(hiddenSigns, written);
}
