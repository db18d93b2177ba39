/** Search: which items match, and in which order they are shown. */

import type { PageRange } from '../../kernel/page.ts';
import { compareText } from '../items/numbers.ts';
import type { SearchSegment, SegmentMatches } from './search-segment.ts';
import { changedTerms, type QueryWord, type SearchTerms } from './search-terms.ts';
import { isRankedLast, typosFrom } from './segment-index.ts';
import { typosAllowed } from './typos.ts';

/** The keys of the requested range, and the total number of matches. */
export interface SearchMatches {
  readonly keys: readonly string[];
  readonly total: number;
  /** Whether any of them has all words, as typed. */
  readonly hasPlain: boolean;
}

/** Words that people add although they may not be in the name. */
const fillers = 'a an and big for from in large lego little new of old on one or set sets small';
export const fillerWords: ReadonlySet<string> = new Set([...fillers.split(' '), 'the', 'with']);

/** With fewer matches, similar items follow, up to this many. */
const enough = 5;
const similarMax = 250;

/** A longer query is not corrected word by word. */
const correctedWordsMax = 12;

/** The maximum number of alternatives for a misspelled word. */
const correctionsMax = 4;

/** A word that occurs may be a typo if another one occurs this many times as often. */
const commonerTimes = 10;

/**
 * The matches in all segments, best first. Every word must occur in the number or in a name, or be
 * the release year. If fewer than five items match, similar ones follow.
 */
export function findMatches(
  segments: readonly SearchSegment[],
  terms: SearchTerms,
  range: PageRange,
): SearchMatches {
  if (terms.words.length === 0) return { keys: [], total: 0, hasPlain: false };
  const { offset, limit } = range;
  const needed = Math.max(offset + limit, enough);
  const plain = segments.map((segment) => segment.find(terms, needed));
  const total = plain.reduce((sum, each) => sum + each.total, 0);
  const hasPlain = total > 0;
  const best = inOrder(segments, plain, needed);
  if (total >= enough || isNumber(terms))
    return { keys: keysOf(best).slice(offset, offset + limit), total, hasPlain };
  const keys = [...new Set(keysOf([...best, ...findSimilar(segments, terms)]))];
  return { keys: keys.slice(offset, offset + limit), total: keys.length, hasPlain };
}

/** Whether the query is a plain number, which no name or theme resembles. */
function isNumber({ words: [first, second] }: SearchTerms): boolean {
  return second === undefined && /^[\d-]+$/.test(first?.typed ?? '');
}

/**
 * Items that match with typos corrected, and if there are fewer than five, those with the most
 * words in names and themes. Items that rank last come after all others.
 */
function findSimilar(segments: readonly SearchSegment[], terms: SearchTerms): Ranked[] {
  const corrected = correct(segments, terms);
  const found = segments.map((segment) => segment.find(corrected, similarMax));
  const similar = inOrder(segments, found, similarMax);
  if (similar.filter(({ rank }) => !isRankedLast(rank)).length < enough) {
    similar.push(...findMostWords(segments, corrected));
  }
  return [
    ...similar.filter(({ rank }) => !isRankedLast(rank)),
    ...similar.filter(({ rank }) => isRankedLast(rank)),
  ].slice(0, similarMax);
}

function findMostWords(segments: readonly SearchSegment[], { words }: SearchTerms): Ranked[] {
  const loose = segments.map((segment) => segment.findLoosely(words));
  const most = Math.max(1, ...loose.map((each) => each.most));
  const found = loose.map((each) => each.collect(most, similarMax));
  return inOrder(segments, found, similarMax);
}

/** Drops filler words, and adds what misspelled ones may mean. */
function correct(segments: readonly SearchSegment[], terms: SearchTerms): SearchTerms {
  const significant = terms.words.filter(({ forms }) => !fillerWords.has(forms[0] ?? ''));
  const kept = significant.length > 0 ? significant : terms.words;
  const isLong = kept.length > correctedWordsMax;
  return changedTerms(isLong ? kept : kept.map((word) => correctWord(segments, word)));
}

function correctWord(segments: readonly SearchSegment[], word: QueryWord): QueryWord {
  const [form = ''] = word.forms;
  const most = typosAllowed(form);
  if (most === 0) return word;
  const items = segments.reduce((sum, segment) => sum + segment.countItems(word), 0);
  const typos = typosFrom(segments, form, { most, itemsMin: commonerTimes * items });
  return { ...word, forms: [...word.forms, ...typos.slice(0, correctionsMax)] };
}

interface Ranked {
  readonly key: string;
  readonly rank: number;
}

/** Merges the first results of all segments step by step. */
function inOrder(
  segments: readonly SearchSegment[],
  found: readonly SegmentMatches[],
  needed: number,
): Ranked[] {
  const steps = new Set(found.flatMap((each) => [...each.steps.keys()]));
  const items: Ranked[] = [];
  for (const step of [...steps].sort((a, b) => a - b)) {
    if (items.length >= needed) break;
    const lists = found.map((each, index) => {
      const segment = segments[index];
      const ids = each.steps.get(step) ?? [];
      return segment ? ids.map((id) => ({ key: segment.keyOf(id), rank: segment.rankOf(id) })) : [];
    });
    const [only = [], ...others] = lists.filter((list) => list.length > 0);
    const byRank = (a: Ranked, b: Ranked) => a.rank - b.rank || compareText(a.key, b.key);
    const all = others.length === 0 ? only : lists.flat().sort(byRank);
    for (const item of all) items.push(item);
  }
  return items;
}

function keysOf(items: readonly Ranked[]): string[] {
  return items.map(({ key }) => key);
}
