/** Parses a search query into words. */

import { lazy } from '../../kernel/lazy.ts';
import { foldText } from '../../kernel/text.ts';
import { type ItemKind, itemKey } from '../items/numbers.ts';
import { americanWords, searchWords, spelledName } from './search-words.ts';

export interface QueryWord {
  /** As typed, folded, to be found in numbers. Empty for a corrected word. */
  readonly typed: string;
  /** The lookup key for it: other catalogs write `75192` as `75192-1`. */
  readonly number: string;
  /** Its letters and digits in all spellings to be found in names. */
  readonly forms: readonly string[];
  /** The release year that it may mean; null if it is not a year. */
  readonly year: number | null;
}

export interface SearchTerms {
  /** The item with the whole query as its number; null if there is none. */
  readonly key: string | null;
  /** The whole query as a lookup key. */
  readonly number: string;
  /** The whole query as a spelled name; empty after corrections. */
  readonly name: string;
  /** All of them must be found. */
  readonly words: readonly QueryWord[];
  /** The words joined without spaces, in all spellings. */
  readonly phrases: readonly string[];
  /** The same without years, for items that match them by their release year. */
  readonly phrasesWithoutYears: readonly string[];
}

/**
 * Whether a query has enough visible characters. Spaces and invisible characters do not count; a
 * letter with its accents is one character, as is an emoji.
 */
export function isSearchable(term: string, lengthMin: number): boolean {
  let length = 0;
  for (const { segment } of characters().segment(term)) if (isVisible.test(segment)) length++;
  return length >= lengthMin;
}

const characters = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const isVisible = /[^\p{M}\p{Z}\p{C}]/u;

/** Limits the combinations of spellings. */
const phrasesMax = 8;

export function searchTerms(kind: ItemKind, term: string): SearchTerms {
  const typed = foldText(term.trim()).split(/\s+/);
  const words = typed.map((word) => queryWord(kind, word)).filter(({ forms }) => forms[0] !== '');
  const number = itemKey(kind, typed.join(' '));
  const name = spelledName(term);
  return { key: null, number, name, words: distinct(words), ...phrasesOf(words) };
}

/** Terms that are not the query as typed. */
export function changedTerms(words: readonly QueryWord[]): SearchTerms {
  return { key: null, number: '', name: '', words, ...phrasesOf(words) };
}

function queryWord(kind: ItemKind, typed: string): QueryWord {
  const parts = searchWords(typed);
  const plain = parts.join('');
  return {
    typed,
    number: itemKey(kind, typed),
    forms: [...new Set([plain, americanWords(parts).join('')])],
    year: yearPattern.test(typed) ? Number(typed) : null,
  };
}

const yearPattern = /^(19|20)\d\d$/;

function distinct(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((word) => [word.typed, word])).values()];
}

function phrasesOf(words: readonly QueryWord[]) {
  return {
    phrases: joinedForms(words),
    phrasesWithoutYears: joinedForms(words.filter(({ year }) => year === null)),
  };
}

/** The words joined without spaces, in all combinations of spellings. */
function joinedForms(words: readonly QueryWord[]): string[] {
  let phrases = [''];
  for (const { forms } of words) {
    const longer = phrases.flatMap((phrase) => forms.map((form) => phrase + form));
    phrases = longer.slice(0, phrasesMax);
  }
  return phrases;
}
