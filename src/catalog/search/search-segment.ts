/** Search in one segment: which items have the words of a query, and how well they match. */

import type { QueryWord, SearchTerms } from './search-terms.ts';
import { isInTopic, isRankedLast, nameHash, phraseIs, SegmentIndex } from './segment-index.ts';

/** Results of a segment: per step the first IDs in order, and the total number of matches. */
export interface SegmentMatches {
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

/** An index with counters for the search that is running. */
export class SearchSegment extends SegmentIndex {
  /** Per item of the current search: the words found, and how many of them as its year. */
  private readonly hits = new Uint8Array(this.size);
  private readonly yearHits = new Uint8Array(this.size);
  /** The last word found, counted from 1. */
  private readonly lastHit = new Uint8Array(this.size);
  private readonly penaltySums = new Uint32Array(this.size);

  /** Plain matches, with all words in the number, the name or the year: the first of each step. */
  find(terms: SearchTerms, perStepMax: number): SegmentMatches {
    this.startSearch();
    for (const [index, word] of terms.words.entries()) {
      const mark = this.markerOf(index);
      this.markWholeWords(word, mark);
      if (word.year !== null) this.markYear(word.year, mark);
      this.markWordParts(word, mark);
    }
    const exact = this.exactItem(terms);
    if (exact !== null) this.hits[exact] = terms.words.length;
    return this.collect(terms.words.length, perStepMax, this.stepFinder(terms, exact));
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
      const isLast = isRankedLast(this.rankOf(id));
      return 1 + (isLast ? penaltiesMax : 0) + (this.penaltySums[id] ?? 0);
    };
    return {
      most,
      collect: (count: number, perStepMax: number) => this.collect(count, perStepMax, stepOf),
    };
  }

  private startSearch(): void {
    this.hits.fill(0);
    this.yearHits.fill(0);
    this.lastHit.fill(0);
    this.penaltySums.fill(0);
  }

  /** Counts a word for each item that has it. */
  private markerOf(index: number): Mark {
    const hit = index + 1;
    return (id, penalty) => {
      if (this.lastHit[id] === hit) return false;
      this.lastHit[id] = hit;
      this.hits[id] = (this.hits[id] ?? 0) + 1;
      this.penaltySums[id] = (this.penaltySums[id] ?? 0) + penalty;
      return true;
    };
  }

  private markYear(year: number, mark: Mark): void {
    const { years } = this.parts;
    for (let id = 0; id < this.size; id++) {
      if (years[id] !== year || !mark(id, penalties.word)) continue;
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
    const typed = nameHash(terms.name);
    const stepIn = (id: number): number => {
      const findPhrase = this.yearHits[id] === 0 ? asTyped : withoutYears;
      const name = findPhrase(id, 'first');
      if (name === phraseIs.wholeName) {
        return this.parts.names[id] === typed ? steps.exactName : steps.sameName;
      }
      const keyIndex = this.parts.keyIndexes[id] ?? 0;
      if (keyIndex >= from && keyIndex < to) return steps.numberPrefix;
      if (name === phraseIs.wholeWords) return steps.namePrefix;
      if (this.penaltySums[id] === penalties.word) return steps.wholeWords;
      const anywhere = findPhrase(id, 'anywhere');
      if (anywhere === phraseIs.wholeWords) return steps.wholeWords;
      if (name !== phraseIs.missing) return steps.namePrefixInWord;
      const isAtStarts =
        (this.penaltySums[id] ?? 0) < penalties.substring || anywhere !== phraseIs.missing;
      return isAtStarts ? steps.wordPrefix : steps.substring;
    };
    return (id) => {
      if (id === exact) return steps.exactNumber;
      return (isRankedLast(this.rankOf(id)) ? lastSteps : 0) + stepIn(id);
    };
  }

  private collect(
    words: number,
    perStepMax: number,
    stepOf: (id: number) => number,
  ): SegmentMatches {
    const found = new Map<number, number[]>();
    let total = 0;
    for (let id = 0; id < this.size; id++) {
      if (!this.isFound(id, words)) continue;
      total++;
      const step = stepOf(id);
      const ids = found.get(step);
      if (!ids) found.set(step, [id]);
      else if (ids.length < perStepMax) ids.push(id);
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
    for (let index = from; index < to; index++) {
      mark(this.itemsByKey[index] ?? 0, penalties.wordPrefix);
    }
    this.keys.each(typed, (index) => mark(this.itemsByKey[index] ?? 0, penalties.substring));
  }

  private markTopics(word: QueryWord, mark: Mark): void {
    const byTopic = this.readTopics().flatMap((topic) =>
      isInTopic(topic, word) ? [penalties.subtheme, penalties.theme] : [null, null],
    );
    if (byTopic.every((penalty) => penalty === null)) return;
    const { starts, values } = this.parts.itemTopics;
    for (let id = 0; id < this.size; id++) {
      const end = starts[id + 1] ?? 0;
      for (let at = starts[id] ?? 0; at < end; at++) {
        const penalty = byTopic[values[at] ?? 0] ?? null;
        if (penalty !== null) mark(id, penalty);
      }
    }
  }
}

/** Notes that an item has a word. Only the first penalty counts; false if it was not the first. */
type Mark = (id: number, penalty: number) => boolean;
