/** Words of names and queries, without case, accents, punctuation and British spellings. */
import { foldText } from '../../kernel/text.ts';

/** Runs of letters and digits. An apostrophe does not end a word. */
export function searchWords(text: string): string[] {
  const plain = foldText(text).replace(apostrophes, '').replaceAll('&', ' and ');
  return plain.match(wordPattern) ?? [];
}

const apostrophes = /['’‘`´ʼ]/g;
const wordPattern = /[\p{L}\p{N}]+/gu;

/** Keeps punctuation; folds only case, accents and runs of spaces. */
export function spelledName(name: string): string {
  return foldText(name).trim().replace(/\s+/g, ' ');
}

/** Converts `colour` to `color`; returns the same list if nothing changes. */
export function americanWords(words: readonly string[]): readonly string[] {
  return words.some((word) => mayBeBritish.test(word)) ? words.map(americanWord) : words;
}

function americanWord(word: string): string {
  let american = word;
  for (const [british, spelling] of spellings) american = american.replace(british, spelling);
  return american;
}

const mayBeBritish = /our|grey|tre|tyre|mould|jewell|aero/;

const spellings: readonly (readonly [british: RegExp, american: string])[] = [
  [/(arm|behavi|col|fav|flav|harb|hon|hum|lab|neighb|parl|rum|vap)our/g, '$1or'],
  [/grey/g, 'gray'],
  [/(cen|thea)tre/g, '$1ter'],
  [/^tyre/, 'tire'],
  [/mould/g, 'mold'],
  [/jewellery/g, 'jewelry'],
  [/aeroplane/g, 'airplane'],
];
