/** Search over folded names and numbers: every word must occur, best matches first. */

import { foldText } from '../kernel/text.ts';
import { compareText, type ItemKind, itemKey } from './numbers.ts';

/** Something that can be found. */
export interface SearchEntry {
  /** The lookup key of the number, already lower case. */
  readonly key: string;
  readonly name: string;
}

/** An entry prepared for scanning. */
export interface FoldedEntry {
  readonly key: string;
  readonly name: string;
  /** Key and name in one string, so that a word is looked for once. */
  readonly both: string;
}

const separator = '\u0000';

/** Prepares entries and puts them in the order in which ties are shown. */
export function foldEntries(entries: readonly SearchEntry[]): FoldedEntry[] {
  return entries.map(foldEntry).sort((a, b) => compareText(a.key, b.key));
}

function foldEntry(entry: SearchEntry): FoldedEntry {
  const name = foldText(entry.name);
  return { key: entry.key, name, both: `${entry.key}${separator}${name}` };
}

/** Whether a term is long enough to look for, once the space around it is gone. */
export function isSearchable(term: string, lengthMin: number): boolean {
  return [...term.trim()].length >= lengthMin;
}

/**
 * The keys of all matches. Ranked: exact number, number prefix, name prefix, word prefix,
 * substring; ties by number, because the entries come in that order.
 */
export function findMatches(
  entries: readonly FoldedEntry[],
  query: { readonly kind: ItemKind; readonly term: string },
): string[] {
  const phrase = foldText(query.term.trim()).replace(/\s+/g, ' ');
  if (phrase === '') return [];
  const number = itemKey(query.kind, phrase);
  const words = [...new Set(phrase.split(' '))].map((word) => ({
    word,
    // `75192-1` is how other catalogs write `75192`.
    number: itemKey(query.kind, word),
  }));
  const ranks: string[][] = [[], [], [], [], []];
  for (const entry of entries) {
    if (!words.every((w) => occurs(entry, w))) continue;
    ranks[rankOf(entry, { phrase, number, words })]?.push(entry.key);
  }
  return ranks.flat();
}

interface Word {
  readonly word: string;
  readonly number: string;
}

function occurs(entry: FoldedEntry, { word, number }: Word): boolean {
  return entry.both.includes(word) || (number !== word && entry.key === number);
}

function rankOf(
  entry: FoldedEntry,
  term: { phrase: string; number: string; words: readonly Word[] },
): number {
  if (entry.key === term.number) return 0;
  if (entry.key.startsWith(term.number)) return 1;
  if (entry.name.startsWith(term.phrase)) return 2;
  return term.words.every(({ word }) => startsAWord(entry.both, word)) ? 3 : 4;
}

function startsAWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}
