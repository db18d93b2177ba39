/**
 * An inverted index of items as typed arrays: the words of each item, and the items of each word.
 * Items are stored in the order in which equal matches are shown, so a search does not sort.
 */

import { invertLists, type NumberLists } from '../../kernel/number-lists.ts';
import { compareText } from '../items/numbers.ts';
import type { SearchEntry } from './search-entry.ts';
import type { QueryWord } from './search-terms.ts';
import { americanWords, searchWords, spelledName } from './search-words.ts';
import { editDistance } from './typos.ts';

/** The year of items whose year is unknown. */
export const noYear = 0;

/** The word ID that separates the names of an item. */
const betweenNames = 0;

/** Higher interest is clamped. */
const interestMax = 2 ** 24;

/** Lower ranks come first: by `ranksLast`, then interest. Ties are ordered by key. */
export function entryRank({ ranksLast, interest }: SearchEntry): number {
  const most = Math.min(Math.max(Math.round(interest), 0), interestMax - 1);
  return (ranksLast ? interestMax : 0) + interestMax - most;
}

/** Whether an item of this rank comes after all others. */
export function isRankedLast(rank: number): boolean {
  return rank > interestMax;
}

export interface SegmentParts {
  readonly keyIndexes: Uint32Array;
  readonly ranks: Float64Array;
  /** Hashes of the items' own names. */
  readonly names: Uint32Array;
  readonly years: Uint16Array;
  /** Sorted. */
  readonly keys: readonly string[];
  /** Sorted and distinct; the first is the empty word that separates names. */
  readonly vocabulary: readonly string[];
  readonly words: NumberLists;
  /** In `itemTopics`, a text's index is doubled for a subtheme, plus one for a theme. */
  readonly topics: readonly string[];
  readonly itemTopics: NumberLists;
}

/** It is immutable, except that items can be removed once a newer segment contains them. */
export class SegmentIndex {
  /** Including removed items. */
  readonly size: number;
  protected readonly isRemoved: Uint8Array;
  protected readonly keys: TextColumn;
  protected readonly itemsByKey: Uint32Array;
  protected readonly vocabularyText: TextColumn;
  protected readonly items: NumberLists;
  /** Created on first use, as most searches have plain matches. */
  private letters: Uint32Array | null = null;
  private topics: readonly Topic[] | null = null;

  constructor(protected readonly parts: SegmentParts) {
    this.size = parts.keyIndexes.length;
    this.isRemoved = new Uint8Array(this.size);
    this.keys = new TextColumn(parts.keys);
    this.itemsByKey = inverse(parts.keyIndexes);
    this.vocabularyText = new TextColumn(parts.vocabulary);
    this.items = invertLists(parts.words, parts.vocabulary.length);
  }

  keyOf(id: number): string {
    return this.keys.at(this.parts.keyIndexes[id] ?? 0);
  }

  /** Lower ranks come first; items of equal rank are ordered by key. */
  rankOf(id: number): number {
    return this.parts.ranks[id] ?? 0;
  }

  /** Whether it contains an entry with the same searchable content. */
  holds(entry: SearchEntry): boolean {
    const id = this.findKey(entry.key);
    if (id === null || this.isRemoved[id] || this.parts.ranks[id] !== entryRank(entry))
      return false;
    if (this.parts.names[id] !== nameHash(entry.name)) return false;
    if (this.parts.years[id] !== (entry.year ?? noYear)) return false;
    const words = this.listOf(this.parts.words, id).map((word) => this.parts.vocabulary[word]);
    const topics = this.listOf(this.parts.itemTopics, id);
    const textsOf = (isTheme: number) =>
      topics.filter((topic) => topic % 2 === isTheme).map((topic) => this.parts.topics[topic >> 1]);
    return (
      isSameList(words, wordsOf(entry)) &&
      isSameList(textsOf(0), entry.subthemes) &&
      isSameList(textsOf(1), entry.themes)
    );
  }

  private listOf({ starts, values }: NumberLists, id: number): number[] {
    return [...values.subarray(starts[id], starts[id + 1])];
  }

  /** Removes an item if it exists. */
  remove(key: string): void {
    const id = this.findKey(key);
    if (id !== null) this.isRemoved[id] = 1;
  }

  protected findKey(key: string): number | null {
    const index = lowerBound(this.keys.length, (at) => this.keys.at(at), key);
    const isThere = index < this.size && this.keys.at(index) === key;
    return isThere ? (this.itemsByKey[index] ?? null) : null;
  }

  protected readTopics(): readonly Topic[] {
    this.topics ??= this.parts.topics.map(readTopic);
    return this.topics;
  }

  private readLetters(): Uint32Array {
    if (this.letters) return this.letters;
    this.letters = new Uint32Array(this.parts.vocabulary.length);
    for (const [id, word] of this.parts.vocabulary.entries()) this.letters[id] = lettersOf(word);
    return this.letters;
  }

  /** Words within an edit distance, with the number of items that have them. */
  typosOf(form: string, most: number): { word: string; mistakes: number; items: number }[] {
    const letters = lettersOf(form);
    const lettersById = this.readLetters();
    const found: { word: string; mistakes: number; items: number }[] = [];
    const { starts } = this.items;
    for (const [id, word] of this.parts.vocabulary.entries()) {
      // An edit changes at most two letters: one removed, one added.
      if (bitsIn((lettersById[id] ?? 0) ^ letters) > 2 * most) continue;
      const mistakes = editDistance(form, word, most);
      if (mistakes > 0 && mistakes <= most) {
        found.push({ word, mistakes, items: (starts[id + 1] ?? 0) - (starts[id] ?? 0) });
      }
    }
    return found;
  }

  /** The range of words that start with a text, excluding the end. */
  protected wordsFrom(text: string): readonly [number, number] {
    const wordAt = (id: number) => this.parts.vocabulary[id] ?? '';
    const { length } = this.parts.vocabulary;
    return [lowerBound(length, wordAt, text), lowerBound(length, wordAt, text + afterAll)];
  }

  protected keysFrom(text: string): readonly [number, number] {
    const keyAt = (index: number) => this.keys.at(index);
    const { length } = this.keys;
    if (text === '') return [0, 0];
    return [lowerBound(length, keyAt, text), lowerBound(length, keyAt, text + afterAll)];
  }

  protected findWord(word: string): number | null {
    const id = lowerBound(
      this.parts.vocabulary.length,
      (at) => this.parts.vocabulary[at] ?? '',
      word,
    );
    return this.parts.vocabulary[id] === word ? id : null;
  }

  /** Searches for a phrase at the start of each name of an item, or of each word in them. */
  protected findPhrase(id: number, phrase: Phrase, where: 'first' | 'anywhere'): number {
    const { starts, values } = this.parts.words;
    const [from, to] = phrase.firsts;
    const end = starts[id + 1] ?? 0;
    let best: number = phraseIs.missing;
    let isFirst = true;
    let isOwn = true;
    for (let at = starts[id] ?? 0; at < end; at++) {
      const word = values[at] ?? 0;
      if (word === betweenNames) {
        // Other names count, but `wholeName` requires the name that is shown.
        if (isFirst) isOwn = false;
        isFirst = true;
        continue;
      }
      if ((isFirst || where === 'anywhere') && word >= from && word < to) {
        const found = this.readPhrase(at, phrase.text);
        best = Math.max(best, isOwn ? found : Math.min(found, phraseIs.wholeWords));
      }
      isFirst = false;
    }
    return best;
  }

  /** Whether the words from an index on, joined, start with a phrase. */
  private readPhrase(start: number, phrase: string): number {
    const { values } = this.parts.words;
    let read = 0;
    for (let at = start; values[at] !== betweenNames; at++) {
      const word = this.parts.vocabulary[values[at] ?? 0] ?? '';
      const left = phrase.length - read;
      if (word.length >= left) {
        if (!word.startsWith(phrase.slice(read))) return phraseIs.missing;
        if (word.length > left) return phraseIs.inWord;
        return values[at + 1] === betweenNames ? phraseIs.wholeName : phraseIs.wholeWords;
      }
      if (!phrase.startsWith(word, read)) return phraseIs.missing;
      read += word.length;
    }
    return phraseIs.missing;
  }
}

/** Words that may have been meant, best first, from all segments. */
export function typosFrom(
  segments: readonly SegmentIndex[],
  form: string,
  { most, itemsMin }: { readonly most: number; readonly itemsMin: number },
): string[] {
  const words = new Map<string, { mistakes: number; items: number }>();
  for (const segment of segments) {
    for (const { word, mistakes, items } of segment.typosOf(form, most)) {
      words.set(word, { mistakes, items: items + (words.get(word)?.items ?? 0) });
    }
  }
  return [...words]
    .filter(([, { items }]) => items >= itemsMin)
    .sort(
      ([word, a], [other, b]) =>
        a.mistakes - b.mistakes || b.items - a.items || compareText(word, other),
    )
    .map(([word]) => word);
}

/**
 * The words of all names, also in American spelling if that differs. An empty word terminates each
 * name; another one separates the item's own name from the others.
 */
export function wordsOf({ name, otherNames }: SearchEntry): string[] {
  const words: string[] = [];
  addName(words, name);
  words.push('');
  for (const other of otherNames) addName(words, other);
  return words;
}

function addName(words: string[], name: string): void {
  const plain = searchWords(name);
  if (plain.length === 0) return;
  const american = americanWords(plain);
  for (const word of plain) words.push(word);
  words.push('');
  if (american === plain) return;
  for (const word of american) words.push(word);
  words.push('');
}

/** Takes far less memory than the name. A collision only affects the order of results. */
export function nameHash(name: string): number {
  let mark = 0x811c9dc5;
  const spelled = spelledName(name);
  for (let at = 0; at < spelled.length; at++) {
    mark = Math.imul(mark ^ spelled.charCodeAt(at), 0x01000193);
  }
  return mark >>> 0;
}

/** Joined words, and the range of words that start with its first letter. */
interface Phrase {
  readonly text: string;
  readonly firsts: readonly [number, number];
}

/** How a phrase occurs in an item; higher is better. */
export const phraseIs = { missing: 0, inWord: 1, wholeWords: 2, wholeName: 3 } as const;

/** The searchable form of a theme or subtheme. */
interface Topic {
  /** Its suffixes that start at a word, each joined without spaces. */
  readonly ends: readonly string[];
  /** The first letters of its words: `ucs` for Ultimate Collector Series. */
  readonly initials: string;
}

function readTopic(text: string): Topic {
  const words = searchWords(text);
  return {
    ends: words.map((_, start) => words.slice(start).join('')),
    initials: words.map(([letter]) => letter).join(''),
  };
}

/** Whether a word is a prefix at any of the topic's words, or equals its initials. */
export function isInTopic({ ends, initials }: Topic, { forms }: QueryWord): boolean {
  return forms.some(
    (form) => ends.some((end) => end.startsWith(form)) || (form.length > 2 && form === initials),
  );
}

function inverse(order: Uint32Array): Uint32Array {
  const indexes = new Uint32Array(order.length);
  order.forEach((item, index) => {
    indexes[item] = index;
  });
  return indexes;
}

/** Texts joined into one string, so that all can be searched at once. */
class TextColumn {
  private readonly text: string;
  private readonly starts: Uint32Array;

  constructor(texts: readonly string[]) {
    this.text = `${texts.join('\n')}\n`;
    this.starts = new Uint32Array(texts.length + 1);
    for (const [index, text] of texts.entries()) {
      this.starts[index + 1] = (this.starts[index] ?? 0) + text.length + 1;
    }
  }

  get length(): number {
    return this.starts.length - 1;
  }

  at(index: number): string {
    return this.text.slice(this.starts[index], (this.starts[index + 1] ?? 1) - 1);
  }

  /** Whether any of the texts contains a part. */
  has(part: string): boolean {
    return this.text.includes(part);
  }

  /** Calls back for each text that contains a part, in order. */
  each(part: string, callback: (index: number) => void): void {
    let index = 0;
    let at = this.text.indexOf(part);
    while (at >= 0) {
      index = this.indexAt(at, index);
      callback(index);
      at = this.text.indexOf(part, this.starts[index + 1]);
    }
  }

  /** The text that contains a position, searching from `from` on. */
  private indexAt(position: number, from: number): number {
    let [low, high] = [from, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The index of the first sorted text that is not less than the given one. */
function lowerBound(length: number, textAt: (index: number) => string, text: string): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textAt(middle) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Appended to a prefix, sorts after every text that starts with it. */
const afterAll = '\uffff';

/** A bit set of the letters in a word, in 32 groups of characters: shifts are modulo 32. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << word.charCodeAt(at);
  return letters >>> 0;
}

function bitsIn(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; count++) left &= left - 1;
  return count;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
