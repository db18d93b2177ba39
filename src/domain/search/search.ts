/** Search: which items match, and the order in which they are shown. */

import { compareText } from '../catalog/numbers.ts';
import { type Found, type SearchSegment, typosFrom } from './search-segment.ts';
import { phrasesOf, type QueryWord, type SearchTerms } from './search-terms.ts';
import { typosAllowed } from './typos.ts';

/** Which part of the matches is wanted. */
export interface SearchRange {
  readonly limit: number;
  readonly offset: number;
}

/** The keys of the matches in a range, and how many there are in all. */
export interface SearchMatches {
  readonly keys: readonly string[];
  readonly total: number;
}

/** Words that people add without meaning that they are in the name. */
const littleWords: ReadonlySet<string> = new Set([
  'lego',
  'set',
  'sets',
  'the',
  'and',
  'of',
  'with',
]);

/** More words than this are not tried in place of one with a mistake. */
const correctionsMax = 4;

/**
 * The matches in all segments, best first. Every word has to occur in the number or in a name. Only
 * when nothing has them all, words that occur nowhere are taken for others with a mistake in them;
 * and when that finds nothing either, words may be those of a theme.
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
  const meant = correct(segments, terms);
  const corrected = gather((segment) => segment.find(meant, wanted));
  if (corrected.total > 0) return corrected;
  return gather((segment) => segment.findByTheme(meant, wanted));
}

/** The words that were meant: without little ones, and with what wrong ones are taken for. */
function correct(segments: readonly SearchSegment[], terms: SearchTerms): SearchTerms {
  const large = terms.words.filter(({ forms }) => !littleWords.has(forms[0] ?? ''));
  const kept = large.length > 0 ? large : terms.words;
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

/** The keys of a range, from what each segment found in the same steps. */
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
