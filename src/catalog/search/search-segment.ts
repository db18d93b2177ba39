/**
 * An inverted index of items as typed arrays: the words of each item, and the items of each word.
 * Items are stored in the order in which equal matches are shown, so a search does not sort. A
 * segment is immutable, except that items can be removed once a newer segment contains them.
 */

import { invertLists, type NumberLists, NumberListsBuilder } from '../../kernel/number-lists.ts';
import { compareText } from '../items/numbers.ts';
import type { SearchEntry } from './search-entry.ts';
import type { QueryWord, SearchTerms } from './search-terms.ts';
import { americanWords, searchWords, spelledName } from './search-words.ts';
import { editDistance } from './typos.ts';

/** Results of a segment: per step the first IDs in order, and the total number of matches. */
export interface Found {
  /** Lower steps come first. */
  readonly steps: ReadonlyMap<number, readonly number[]>;
  readonly total: number;
}

/** The ranks of plain matches, best first. */
const steps = {
  exactNumber: 0,
  exactName: 1,
  /** The same name with different punctuation or British spelling. */
  sameName: 2,
  numberPrefix: 3,
  /** The name starts with the query, which ends with a word: `falcon` before `Falconer`. */
  namePrefix: 4,
  wholeWords: 5,
  namePrefixInWord: 6,
  wordPrefix: 7,
  substring: 8,
} as const;

/** Added to the steps of items that rank last, except for an exact number. */
const lastSteps = 16;

/**
 * The penalty of each found word, by where it was found. A query has at most 250 words, so a sum
 * below `substring` has none of the greater penalties.
 */
const penalties = { word: 0, wordPrefix: 1, substring: 256, subtheme: 512, theme: 768 } as const;

/** Exceeds every sum of penalties. */
const penaltiesMax = 2 ** 20;

/** The year of items whose year is unknown. */
const noYear = 0;

/** The word ID that separates the names of an item. */
const betweenNames = 0;

/** The maximum number of items, as an item's place is packed into one number with its rank. */
const itemsMax = 2 ** 21;

/** Higher interest is clamped. */
const interestMax = 2 ** 24;

/** Lower ranks come first: by `ranksLast`, then interest. Ties are ordered by key. */
function rankOf({ ranksLast, interest }: SearchEntry): number {
  const most = Math.min(Math.max(Math.round(interest), 0), interestMax - 1);
  return (ranksLast ? interestMax : 0) + interestMax - most;
}

/** Whether an item of this rank comes after all others. */
export function isRankedLast(rank: number): boolean {
  return rank > interestMax;
}

/** Assigns consecutive IDs to texts. */
class Numbering {
  private readonly ids = new Map<string, number>();

  constructor(readonly texts: string[] = []) {
    for (const [id, text] of texts.entries()) this.ids.set(text, id);
  }

  idOf(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** The searchable form of a theme or subtheme. */
interface Topic {
  /** Its suffixes that start at a word, each joined without spaces. */
  readonly ends: readonly string[];
  /** The first letters of its words: `ucs` for Ultimate Collector Series. */
  readonly initials: string;
}

/** Builds a segment from entries, which may be added in batches. */
export class SegmentBuilder {
  private readonly keys: string[] = [];
  private readonly ranks: number[] = [];
  private readonly names: number[] = [];
  private readonly years: number[] = [];
  private readonly vocabulary = new Numbering(['']);
  private readonly topics = new Numbering();
  private readonly words = new NumberListsBuilder();
  private readonly itemTopics = new NumberListsBuilder();

  add(entry: SearchEntry): void {
    if (this.keys.length === itemsMax) throw new Error(`There are more than ${itemsMax} items.`);
    this.keys.push(entry.key);
    this.ranks.push(rankOf(entry));
    this.names.push(nameMark(entry.name));
    this.years.push(entry.year ?? noYear);
    this.words.begin();
    for (const word of wordsOf(entry)) this.words.push(this.vocabulary.idOf(word));
    // Subthemes precede themes, because the first match counts and they rank higher.
    this.itemTopics.begin();
    for (const text of entry.subthemes) this.itemTopics.push(2 * this.topics.idOf(text));
    for (const text of entry.themes) this.itemTopics.push(2 * this.topics.idOf(text) + 1);
  }

  build(): SearchSegment {
    const { keys, ranks, names, years } = this;
    const byKey = sortedOrder(keys);
    // Packs rank and place into one number, because sorting numbers is fast.
    const sortable = new Float64Array(keys.length);
    for (let place = 0; place < keys.length; place++) {
      sortable[place] = (ranks[byKey[place] ?? 0] ?? 0) * itemsMax + place;
    }
    sortable.sort();
    const places = new Uint32Array(keys.length);
    const items = new Uint32Array(keys.length);
    for (let id = 0; id < keys.length; id++) {
      const place = (sortable[id] ?? 0) % itemsMax;
      places[id] = place;
      items[id] = byKey[place] ?? 0;
    }
    // Sorted by code units, which is fast; IDs are then remapped.
    const vocabulary = [...this.vocabulary.texts].sort();
    const wordIds = new Uint32Array(vocabulary.length);
    for (const [id, word] of vocabulary.entries()) wordIds[this.vocabulary.idOf(word)] = id;
    return new SearchSegment({
      places,
      ranks: new Float64Array(items.length).map((_, id) => ranks[items[id] ?? 0] ?? 0),
      names: new Uint32Array(items.length).map((_, id) => names[items[id] ?? 0] ?? 0),
      years: new Uint16Array(items.length).map((_, id) => years[items[id] ?? 0] ?? noYear),
      keys: Array.from(byKey, (item) => keys[item] ?? ''),
      vocabulary,
      words: this.words.build(items, wordIds),
      topics: this.topics.texts,
      itemTopics: this.itemTopics.build(items, null),
    });
  }
}

/** The sort order of texts as indexes; linear if they are already sorted. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  const order = new Uint32Array(texts.length).map((_, place) => place);
  for (let place = 1; place < texts.length; place++) {
    if ((texts[place - 1] ?? '') <= (texts[place] ?? '')) continue;
    return order.sort((a, b) => compareText(texts[a] ?? '', texts[b] ?? ''));
  }
  return order;
}

export function segmentOf(entries: Iterable<SearchEntry>): SearchSegment {
  const builder = new SegmentBuilder();
  for (const entry of entries) builder.add(entry);
  return builder.build();
}

/**
 * The words of all names, also in American spelling if that differs. An empty word terminates each
 * name; another one separates the item's own name from the others.
 */
function wordsOf({ name, otherNames }: SearchEntry): string[] {
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

/**
 * A hash of the spelled name, which takes far less memory than the name. A collision only affects
 * the order of results.
 */
function nameMark(name: string): number {
  let mark = 0x811c9dc5;
  const spelled = spelledName(name);
  for (let at = 0; at < spelled.length; at++) {
    mark = Math.imul(mark ^ spelled.charCodeAt(at), 0x01000193);
  }
  return mark >>> 0;
}

function readTopic(text: string): Topic {
  const words = searchWords(text);
  return {
    ends: words.map((_, start) => words.slice(start).join('')),
    initials: words.map(([letter]) => letter).join(''),
  };
}

function inverse(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((item, place) => {
    places[item] = place;
  });
  return places;
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

interface SegmentParts {
  /** The index of each item's key in `keys`. */
  readonly places: Uint32Array;
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

export class SearchSegment {
  /** Including removed items. */
  readonly size: number;
  private readonly places: Uint32Array;
  private readonly itemsByKey: Uint32Array;
  private readonly ranks: Float64Array;
  private readonly names: Uint32Array;
  private readonly years: Uint16Array;
  private readonly keys: TextColumn;
  private readonly vocabulary: readonly string[];
  private readonly vocabularyText: TextColumn;
  /** Created on first use, as most searches have plain matches. */
  private letters: Uint32Array | null = null;
  private topics: readonly Topic[] | null = null;
  private readonly words: NumberLists;
  private readonly items: NumberLists;
  private readonly topicTexts: readonly string[];
  private readonly itemTopics: NumberLists;
  private readonly isRemoved: Uint8Array;
  /** Per item of the current search: the words found, and how many of them as its year. */
  private readonly hits: Uint8Array;
  private readonly yearHits: Uint8Array;
  /** The last word found, counted from 1. */
  private readonly lastHit: Uint8Array;
  /** The sum of penalties. */
  private readonly demerits: Uint32Array;

  constructor(parts: SegmentParts) {
    this.size = parts.places.length;
    this.places = parts.places;
    this.itemsByKey = inverse(parts.places);
    this.ranks = parts.ranks;
    this.names = parts.names;
    this.years = parts.years;
    this.keys = new TextColumn(parts.keys);
    this.vocabulary = parts.vocabulary;
    this.vocabularyText = new TextColumn(parts.vocabulary);
    this.words = parts.words;
    this.items = invertLists(parts.words, parts.vocabulary.length);
    this.topicTexts = parts.topics;
    this.itemTopics = parts.itemTopics;
    this.isRemoved = new Uint8Array(this.size);
    this.hits = new Uint8Array(this.size);
    this.yearHits = new Uint8Array(this.size);
    this.lastHit = new Uint8Array(this.size);
    this.demerits = new Uint32Array(this.size);
  }

  keyOf(id: number): string {
    return this.keys.at(this.places[id] ?? 0);
  }

  /** Lower ranks come first; items of equal rank are ordered by key. */
  rankOf(id: number): number {
    return this.ranks[id] ?? 0;
  }

  /** Whether it contains an entry with the same searchable content. */
  holds(entry: SearchEntry): boolean {
    const id = this.findKey(entry.key);
    if (id === null || this.isRemoved[id] || this.ranks[id] !== rankOf(entry)) return false;
    if (this.names[id] !== nameMark(entry.name)) return false;
    if (this.years[id] !== (entry.year ?? noYear)) return false;
    const words = this.listOf(this.words, id).map((word) => this.vocabulary[word]);
    const topics = this.listOf(this.itemTopics, id);
    const textsOf = (isTheme: number) =>
      topics.filter((topic) => topic % 2 === isTheme).map((topic) => this.topicTexts[topic >> 1]);
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

  private findKey(key: string): number | null {
    const place = lowerBound(this.keys.length, (at) => this.keys.at(at), key);
    const isThere = place < this.size && this.keys.at(place) === key;
    return isThere ? (this.itemsByKey[place] ?? null) : null;
  }

  /** Plain matches, with all words in the number, the name or the year: the first of each step. */
  find(terms: SearchTerms, wanted: number): Found {
    this.startSearch();
    for (const [index, word] of terms.words.entries()) {
      const mark = this.markerOf(index);
      this.markWholeWords(word, mark);
      if (word.year !== null) this.markYear(word.year, mark);
      this.markWordParts(word, mark);
    }
    const exact = this.exactItem(terms);
    if (exact !== null) this.hits[exact] = terms.words.length;
    return this.collect(terms.words.length, wanted, this.stepFinder(terms, exact));
  }

  /**
   * Matches of some of the words, which may also occur in themes: the number of words found in the
   * best ones, and a function for the items with that many words. Valid until the next search.
   */
  findLoosely(words: readonly QueryWord[]) {
    this.startSearch();
    for (const [index, word] of words.entries()) {
      const mark = this.markerOf(index);
      if (word.year !== null) this.markYear(word.year, mark);
      else {
        this.markWholeWords(word, mark);
        this.markWordParts(word, mark);
        this.markTopics(word, mark);
      }
    }
    const most = this.hits.reduce(
      (best, hits, id) => (this.isFound(id, 1) ? Math.max(best, hits) : best),
      0,
    );
    const numbered = new Set(words.map(({ number }) => this.findKey(number)));
    const stepOf = (id: number) => {
      if (numbered.has(id)) return steps.exactNumber;
      const isLast = isRankedLast(this.ranks[id] ?? 0);
      return 1 + (isLast ? penaltiesMax : 0) + (this.demerits[id] ?? 0);
    };
    return {
      most,
      collect: (count: number, wanted: number) => this.collect(count, wanted, stepOf),
    };
  }

  private startSearch(): void {
    this.hits.fill(0);
    this.yearHits.fill(0);
    this.lastHit.fill(0);
    this.demerits.fill(0);
  }

  /** Counts a word for each item that has it. */
  private markerOf(index: number): Mark {
    const hit = index + 1;
    return (id, penalty) => {
      if (this.lastHit[id] === hit) return false;
      this.lastHit[id] = hit;
      this.hits[id] = (this.hits[id] ?? 0) + 1;
      this.demerits[id] = (this.demerits[id] ?? 0) + penalty;
      return true;
    };
  }

  private markYear(year: number, mark: Mark): void {
    for (let id = 0; id < this.size; id++) {
      if (this.years[id] !== year || !mark(id, penalties.word)) continue;
      this.yearHits[id] = (this.yearHits[id] ?? 0) + 1;
    }
  }

  private exactItem({ key, number }: SearchTerms): number | null {
    const named = key === null ? null : this.findKey(key);
    return named ?? (number === '' ? null : this.findKey(number));
  }

  private stepFinder(terms: SearchTerms, exact: number | null): (id: number) => number {
    const [from, to] = this.keysFrom(terms.number);
    const phraseFinder = (texts: readonly string[]) => {
      const phrases = texts.map((text) => ({ text, firsts: this.wordsFrom(text[0] ?? '') }));
      return (id: number, where: 'first' | 'anywhere') =>
        Math.max(...phrases.map((phrase) => this.findPhrase(id, phrase, where)));
    };
    const asTyped = phraseFinder(terms.phrases);
    const withoutYears = phraseFinder(terms.phrasesWithoutYears);
    const typed = nameMark(terms.name);
    const stepIn = (id: number): number => {
      const findPhrase = this.yearHits[id] === 0 ? asTyped : withoutYears;
      const name = findPhrase(id, 'first');
      if (name === phraseIs.wholeName) {
        return this.names[id] === typed ? steps.exactName : steps.sameName;
      }
      const place = this.places[id] ?? 0;
      if (place >= from && place < to) return steps.numberPrefix;
      if (name === phraseIs.wholeWords) return steps.namePrefix;
      if (this.demerits[id] === penalties.word) return steps.wholeWords;
      const anywhere = findPhrase(id, 'anywhere');
      if (anywhere === phraseIs.wholeWords) return steps.wholeWords;
      if (name !== phraseIs.missing) return steps.namePrefixInWord;
      const isAtStarts =
        (this.demerits[id] ?? 0) < penalties.substring || anywhere !== phraseIs.missing;
      return isAtStarts ? steps.wordPrefix : steps.substring;
    };
    return (id) => {
      if (id === exact) return steps.exactNumber;
      return (isRankedLast(this.ranks[id] ?? 0) ? lastSteps : 0) + stepIn(id);
    };
  }

  private collect(words: number, wanted: number, stepOf: (id: number) => number): Found {
    const found = new Map<number, number[]>();
    let total = 0;
    for (let id = 0; id < this.size; id++) {
      if (!this.isFound(id, words)) continue;
      total++;
      const step = stepOf(id);
      const ids = found.get(step);
      if (!ids) found.set(step, [id]);
      else if (ids.length < wanted) ids.push(id);
    }
    return { steps: found, total };
  }

  /** Whether an item has this many words; its year alone is no match. */
  private isFound(id: number, words: number): boolean {
    const hits = this.hits[id] ?? 0;
    return hits >= words && hits !== this.yearHits[id] && !this.isRemoved[id];
  }

  /** The number of items with a word in the name or number; all if it is a theme. */
  countItems(word: QueryWord): number {
    if (this.readTopics().some((topic) => isInTopic(topic, word))) return this.size;
    this.startSearch();
    const mark = this.markerOf(0);
    this.markWholeWords(word, mark);
    this.markWordParts(word, mark);
    return this.hits.reduce((sum, hits) => sum + hits, 0);
  }

  private markWholeWords(word: QueryWord, mark: Mark): void {
    for (const form of word.forms) {
      const id = this.findWord(form);
      if (id !== null) this.markItems(id, (item) => mark(item, penalties.word));
    }
    const exact = word.typed === '' ? null : this.findKey(word.number);
    if (exact !== null) mark(exact, penalties.word);
    for (const form of word.forms) this.markSpanning(form, mark);
  }

  private markWordParts(word: QueryWord, mark: Mark): void {
    for (const form of word.forms) {
      const [from, to] = this.wordsFrom(form);
      for (let id = from; id < to; id++) {
        this.markItems(id, (item) => mark(item, penalties.wordPrefix));
      }
    }
    if (word.typed !== '') this.markNumbers(word.typed, mark);
    for (const form of word.forms) {
      this.vocabularyText.each(form, (id) => {
        this.markItems(id, (item) => mark(item, penalties.substring));
      });
    }
  }

  private markItems(word: number, mark: (id: number) => unknown): void {
    const { starts, values } = this.items;
    const end = starts[word + 1] ?? 0;
    for (let at = starts[word] ?? 0; at < end; at++) mark(values[at] ?? 0);
  }

  /** Items with names that split a word into several: `xwing` as `X-wing`. */
  private markSpanning(form: string, mark: Mark): void {
    const phrase = { text: form, firsts: this.wordsFrom(form[0] ?? '') };
    for (let length = 1; length < form.length; length++) {
      const first = this.findWord(form.slice(0, length));
      if (first === null) continue;
      this.markItems(first, (id) => {
        const found = this.findPhrase(id, phrase, 'anywhere');
        if (found === phraseIs.missing) return;
        mark(id, found === phraseIs.inWord ? penalties.wordPrefix : penalties.word);
      });
    }
  }

  private markNumbers(typed: string, mark: Mark): void {
    const [from, to] = this.keysFrom(typed);
    for (let place = from; place < to; place++) {
      mark(this.itemsByKey[place] ?? 0, penalties.wordPrefix);
    }
    this.keys.each(typed, (place) => mark(this.itemsByKey[place] ?? 0, penalties.substring));
  }

  private markTopics(word: QueryWord, mark: Mark): void {
    const byTopic = this.readTopics().flatMap((topic) =>
      isInTopic(topic, word) ? [penalties.subtheme, penalties.theme] : [null, null],
    );
    if (byTopic.every((penalty) => penalty === null)) return;
    const { starts, values } = this.itemTopics;
    for (let id = 0; id < this.size; id++) {
      const end = starts[id + 1] ?? 0;
      for (let at = starts[id] ?? 0; at < end; at++) {
        const penalty = byTopic[values[at] ?? 0] ?? null;
        if (penalty !== null) mark(id, penalty);
      }
    }
  }

  private readTopics(): readonly Topic[] {
    this.topics ??= this.topicTexts.map(readTopic);
    return this.topics;
  }

  private readLetters(): Uint32Array {
    if (this.letters) return this.letters;
    this.letters = new Uint32Array(this.vocabulary.length);
    for (const [id, word] of this.vocabulary.entries()) this.letters[id] = lettersOf(word);
    return this.letters;
  }

  /** Words within an edit distance, with the number of items that have them. */
  typosOf(form: string, most: number): { word: string; mistakes: number; items: number }[] {
    const letters = lettersOf(form);
    const lettersById = this.readLetters();
    const found: { word: string; mistakes: number; items: number }[] = [];
    const { starts } = this.items;
    for (const [id, word] of this.vocabulary.entries()) {
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
  private wordsFrom(text: string): readonly [number, number] {
    const wordAt = (id: number) => this.vocabulary[id] ?? '';
    const { length } = this.vocabulary;
    return [lowerBound(length, wordAt, text), lowerBound(length, wordAt, text + afterAll)];
  }

  private keysFrom(text: string): readonly [number, number] {
    const keyAt = (place: number) => this.keys.at(place);
    const { length } = this.keys;
    if (text === '') return [0, 0];
    return [lowerBound(length, keyAt, text), lowerBound(length, keyAt, text + afterAll)];
  }

  private findWord(word: string): number | null {
    const id = lowerBound(this.vocabulary.length, (at) => this.vocabulary[at] ?? '', word);
    return this.vocabulary[id] === word ? id : null;
  }

  /** Searches for a phrase at the start of each name of an item, or of each word in them. */
  private findPhrase(id: number, phrase: Phrase, where: 'first' | 'anywhere'): number {
    const { starts, values } = this.words;
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
    const { values } = this.words;
    let read = 0;
    for (let at = start; values[at] !== betweenNames; at++) {
      const word = this.vocabulary[values[at] ?? 0] ?? '';
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

/** Joined words, and the range of words that start with its first letter. */
interface Phrase {
  readonly text: string;
  readonly firsts: readonly [number, number];
}

/** How a phrase occurs in an item; higher is better. */
const phraseIs = { missing: 0, inWord: 1, wholeWords: 2, wholeName: 3 } as const;

/** Notes that an item has a word. Only the first penalty counts; false if it was not the first. */
type Mark = (id: number, penalty: number) => boolean;

/** Words that may have been meant, best first, from all segments. */
export function typosFrom(
  segments: readonly SearchSegment[],
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

/** Whether a word is a prefix at any of the topic's words, or equals its initials. */
function isInTopic({ ends, initials }: Topic, { forms }: QueryWord): boolean {
  return forms.some(
    (form) => ends.some((end) => end.startsWith(form)) || (form.length > 2 && form === initials),
  );
}

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
