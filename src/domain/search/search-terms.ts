/** What somebody searches for: what was typed, taken apart into words. */

import { type ItemKind, itemKey } from '../catalog/numbers.ts';
import { lazy } from '../kernel/lazy.ts';
import { foldText } from '../kernel/text.ts';
import { americanWords, searchWords, spelledName } from './search-words.ts';

/** A word that is looked for. */
export interface QueryWord {
  /** As it was typed, folded: how it is found in numbers. Empty for a word that nobody typed. */
  readonly typed: string;
  /** The same as a number is stored: `75192-1` is how other catalogs write `75192`. */
  readonly number: string;
  /** Its letters and digits, in the spellings that are looked for in names. */
  readonly forms: readonly string[];
}

/** What is looked for. */
export interface SearchTerms {
  /** The item that has all that was typed as its number; null when none has. */
  readonly key: string | null;
  /** All that was typed, as a number. */
  readonly number: string;
  /** All that was typed, as a name is spelled; empty when it is not what was typed. */
  readonly name: string;
  /** Every one of these has to be found. */
  readonly words: readonly QueryWord[];
  /** All of them written together, in their spellings. */
  readonly phrases: readonly string[];
}

/**
 * Whether a term is long enough to look for, counted as a reader would: spaces and what cannot be
 * seen do not count, and a letter with its accents is one character, as is an emoji.
 */
export function isSearchable(term: string, lengthMin: number): boolean {
  let length = 0;
  for (const { segment } of characters().segment(term)) if (isVisible.test(segment)) length++;
  return length >= lengthMin;
}

const characters = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));
const isVisible = /[^\p{M}\p{Z}\p{C}]/u;

/** More spellings of a phrase than this are not tried. */
const phrasesMax = 8;

/** What was typed, in the words that are looked for. */
export function searchTerms(kind: ItemKind, term: string): SearchTerms {
  const typed = foldText(term.trim()).split(/\s+/);
  const words = typed.map((word) => queryWord(kind, word)).filter(({ forms }) => forms[0] !== '');
  const number = itemKey(kind, typed.join(' '));
  const name = spelledName(term);
  return { key: null, number, name, words: distinct(words), phrases: phrasesOf(words) };
}

function queryWord(kind: ItemKind, typed: string): QueryWord {
  const parts = searchWords(typed);
  const plain = parts.join('');
  return {
    typed,
    number: itemKey(kind, typed),
    forms: [...new Set([plain, americanWords(parts).join('')])],
  };
}

function distinct(words: readonly QueryWord[]): QueryWord[] {
  return [...new Map(words.map((word) => [word.typed, word])).values()];
}

/** The words written together, in their spellings. */
export function phrasesOf(words: readonly QueryWord[]): string[] {
  let phrases = [''];
  for (const { forms } of words) {
    const longer = phrases.flatMap((phrase) => forms.map((form) => phrase + form));
    phrases = longer.slice(0, phrasesMax);
  }
  return phrases;
}
