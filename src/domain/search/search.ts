/** Search: which items match, and in which order they are shown. */

import { compareText } from '../catalog/numbers.ts';
import { type Found, type SearchSegment, typosFrom } from './search-segment.ts';
import { phrasesOf, type QueryWord, type SearchTerms } from './search-terms.ts';
import { typosAllowed } from './typos.ts';

export interface SearchRange {
  readonly limit: number;
  readonly offset: number;
}

/** The keys of the requested range, and the total number of matches. */
export interface SearchMatches {
  readonly keys: readonly string[];
  readonly total: number;
}

/** Words that people add although they may not be in the name. */
const fillerWords: ReadonlySet<string> = new Set([
  'lego',
  'set',
  'sets',
  'the',
  'and',
  'of',
  'with',
]);

/** The maximum number of alternatives for a misspelled word. */
const correctionsMax = 4;

/**
 * The matches in all segments, best first. Every word must occur in the number or in a name. If no
 * item has all of them, unknown words are corrected; if that finds nothing either, words may also
 * match themes.
 */
export function findMatches(
  segments: readonly SearchSegment[],
  terms: SearchTerms,
  range: SearchRange,
): SearchMatches {
  if (terms.words.length === 0) return { keys: [], total: 0 };
  const wanted = range.offset + range.limit;
  const gather = (find: (segment: SearchSegment) => Found) => {
    const found = segments.map(find);
    const total = found.reduce((sum, each) => sum + each.total, 0);
    return { keys: inOrder(segments, found, range), total };
  };
  const plain = gather((segment) => segment.find(terms, wanted));
  if (plain.total > 0) return plain;
  const corrections = correct(segments, terms);
  const corrected = gather((segment) => segment.find(corrections, wanted));
  if (corrected.total > 0) return corrected;
  return gather((segment) => segment.findByTheme(corrections, wanted));
}

/** Drops filler words and replaces misspelled ones. */
function correct(segments: readonly SearchSegment[], terms: SearchTerms): SearchTerms {
  const significant = terms.words.filter(({ forms }) => !fillerWords.has(forms[0] ?? ''));
  const kept = significant.length > 0 ? significant : terms.words;
  const words = kept.map((word) => correctWord(segments, word));
  return { key: null, number: '', name: '', words, phrases: phrasesOf(words) };
}

function correctWord(segments: readonly SearchSegment[], word: QueryWord): QueryWord {
  const [form = ''] = word.forms;
  const most = typosAllowed(form);
  if (most === 0 || segments.some((segment) => segment.has(word))) return word;
  const forms = typosFrom(segments, form, most).slice(0, correctionsMax);
  return forms.length === 0 ? word : { typed: '', number: '', forms };
}

/** Merges the results of all segments step by step. */
function inOrder(
  segments: readonly SearchSegment[],
  found: readonly Found[],
  { offset, limit }: SearchRange,
): string[] {
  const steps = Math.max(...found.map((each) => each.steps.length));
  const keys: string[] = [];
  for (let step = 0; step < steps && keys.length < offset + limit; step++) {
    const lists = found.map((each, index) => {
      const segment = segments[index];
      const ids = each.steps[step] ?? [];
      return segment ? ids.map((id) => ({ key: segment.keyOf(id), rank: segment.rankOf(id) })) : [];
    });
    const [only = [], ...others] = lists.filter((list) => list.length > 0);
    const all = others.length === 0 ? only : lists.flat().sort(byRank);
    for (const { key } of all) keys.push(key);
  }
  return keys.slice(offset, offset + limit);
}

interface Ranked {
  readonly key: string;
  readonly rank: number;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || compareText(a.key, b.key);
}
