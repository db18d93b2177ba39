/** A segment finds the same matches, in the same steps, as a linear scan of its entries. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  anyEntries,
  anyEntry,
  entryOf,
  entryWords,
  namesOf,
} from '../../../test/support/search-entries.ts';
import { compareText } from '../items/numbers.ts';
import type { SearchEntry } from './search-entry.ts';
import type { SearchSegment, SegmentMatches } from './search-segment.ts';
import { type QueryWord, type SearchTerms, searchTerms } from './search-terms.ts';
import { searchWords, spelledName } from './search-words.ts';
import { segmentOf } from './segment-builder.ts';

/** Suffixes of a name that start at a word. */
const ends = (words: readonly string[]) => words.map((_, start) => words.slice(start).join(''));

const ownEnds = (words: readonly string[]) =>
  words.flatMap((_, start) =>
    words.slice(start).map((__, length) => words.slice(start, start + length + 1).join('')),
  );

type Hit = 'word' | 'start' | 'inside' | 'year' | null;

/** How a word occurs in names and number; a year also as the release year. */
function hitOf(entry: SearchEntry, { forms, typed, number, year }: QueryWord): Hit {
  const names = namesOf(entry).map(({ list }) => list);
  const isWord = names.flatMap(ownEnds).some((joined) => forms.includes(joined));
  if (isWord || (typed !== '' && entry.key === number)) return 'word';
  if (year !== null && entry.year === year) return 'year';
  const isAtStart =
    names.flatMap(ends).some((end) => forms.some((form) => end.startsWith(form))) ||
    (typed !== '' && entry.key.startsWith(typed));
  if (isAtStart) return 'start';
  const isInside = names.flat().some((word) => forms.some((form) => word.includes(form)));
  return isInside || (typed !== '' && entry.key.includes(typed)) ? 'inside' : null;
}

/** The step of a plain match; null for none. */
function plainStep(entry: SearchEntry, terms: SearchTerms): number | null {
  if (entry.key === terms.number) return 0;
  const hits = terms.words.map((word) => hitOf(entry, word));
  if (hits.includes(null) || hits.every((hit) => hit === 'year')) return null;
  return (entry.ranksLast ? 16 : 0) + nameStep(entry, terms, hits);
}

function nameStep(entry: SearchEntry, terms: SearchTerms, hits: readonly Hit[]): number {
  const phrases = hits.includes('year') ? terms.phrasesWithoutYears : terms.phrases;
  const names = namesOf(entry).filter(({ list }) => list.length > 0);
  const wholes = (list: readonly string[]) => list.map((_, end) => list.slice(0, end + 1).join(''));
  const begins = (text: string) => phrases.some((phrase) => text.startsWith(phrase));
  if (names.some(({ list, isOwn }) => isOwn && phrases.includes(list.join('')))) {
    return spelledName(entry.name) === terms.name ? 1 : 2;
  }
  if (terms.number !== '' && entry.key.startsWith(terms.number)) return 3;
  if (names.some(({ list }) => wholes(list).some((text) => phrases.includes(text)))) return 4;
  const isWhole = names.some(({ list }) => ownEnds(list).some((text) => phrases.includes(text)));
  if (isWhole || hits.every((hit) => hit === 'word' || hit === 'year')) return 5;
  if (names.some(({ list }) => begins(list.join('')))) return 6;
  const isAtStarts =
    !hits.includes('inside') || names.flatMap(({ list }) => ends(list)).some(begins);
  return isAtStarts ? 7 : 8;
}

function isInTopic(text: string, { forms }: QueryWord): boolean {
  const words = searchWords(text);
  const initials = words.map((word) => word[0]).join('');
  return forms.some(
    (form) =>
      ends(words).some((end) => end.startsWith(form)) || (form.length > 2 && form === initials),
  );
}

/** The penalty of a word in a loose match; null for none. */
function penaltyOf(entry: SearchEntry, word: QueryWord): number | null {
  if (word.year !== null) return entry.year === word.year ? 0 : null;
  const hit = hitOf(entry, word);
  if (hit !== null) return { word: 0, year: 0, start: 1, inside: 256 }[hit];
  if (entry.subthemes.some((text) => isInTopic(text, word))) return 512;
  return entry.themes.some((text) => isInTopic(text, word)) ? 768 : null;
}

/** The penalties of the words found; none if only the year was. */
function loosePenalties(entry: SearchEntry, { words }: SearchTerms): number[] {
  const found = words.map((word) => ({ word, penalty: penaltyOf(entry, word) }));
  const isAnyName = found.some(({ word, penalty }) => penalty !== null && word.year === null);
  return isAnyName ? found.flatMap(({ penalty }) => penalty ?? []) : [];
}

/** The reference implementation: the keys of each step, in order. */
function foundIn(
  entries: readonly SearchEntry[],
  stepOf: (entry: SearchEntry) => number | null,
): Map<number, string[]> {
  const inOrder = entries.toSorted(
    (a, b) =>
      Number(a.ranksLast) - Number(b.ranksLast) ||
      b.interest - a.interest ||
      compareText(a.key, b.key),
  );
  const steps = new Map<number, string[]>();
  for (const entry of inOrder) {
    const step = stepOf(entry);
    if (step !== null) steps.set(step, [...(steps.get(step) ?? []), entry.key]);
  }
  return steps;
}

const keysOf = (segment: SearchSegment, { steps }: SegmentMatches) =>
  new Map([...steps].map(([step, ids]) => [step, ids.map((id) => segment.keyOf(id))]));

const word = fc.constantFrom(
  ...entryWords,
  'cas',
  'bla',
  'xwing',
  'wars',
  'ucs',
  'us',
  '10',
  '75192-1',
);
const terms = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((list) => searchTerms('set', list.join(' ')));

describe('for any entries', () => {
  test('plain matches equal those of a linear scan, up to the limit per step', () => {
    fc.assert(
      fc.property(anyEntries, terms, fc.integer({ min: 1, max: 4 }), (entries, query, wanted) => {
        const segment = segmentOf(entries);
        const found = segment.find(query, wanted);
        const all = foundIn(entries, (each) => plainStep(each, query));
        expect(keysOf(segment, found)).toEqual(
          new Map([...all].map(([step, keys]) => [step, keys.slice(0, wanted)])),
        );
        expect(found.total).toBe([...all.values()].flat().length);
      }),
      { seed: 241, numRuns: 300 },
    );
  });

  test('loose matches equal those of a linear scan', () => {
    fc.assert(
      fc.property(anyEntries, terms, (entries, query) => {
        const segment = segmentOf(entries);
        const { most, collect } = segment.findLoosely(query.words);
        const counts = entries.map((each) => loosePenalties(each, query).length);
        expect(most).toBe(Math.max(0, ...counts));
        for (const count of [1, most].filter((some) => some > 0)) {
          const all = foundIn(entries, (each) => {
            const found = loosePenalties(each, query);
            if (found.length < count) return null;
            if (query.words.some(({ number }) => number === each.key)) return 0;
            return found.reduce((sum, some) => sum + some, each.ranksLast ? 2 ** 20 + 1 : 1);
          });
          expect(keysOf(segment, collect(count, 100))).toEqual(all);
        }
      }),
      { seed: 242, numRuns: 300 },
    );
  });

  test('a search does not affect later ones', () => {
    fc.assert(
      fc.property(anyEntries, fc.array(terms, { maxLength: 4 }), (entries, queries) => {
        const segment = segmentOf(entries);
        for (const query of queries) {
          const fresh = segmentOf(entries);
          expect(segment.find(query, 9)).toEqual(fresh.find(query, 9));
          const [found, expected] = [segment, fresh].map((each) => each.findLoosely(query.words));
          expect(found?.collect(1, 9)).toEqual(expected?.collect(1, 9));
        }
      }),
      { seed: 246, numRuns: 100 },
    );
  });

  test('a word counts the items that have it, or all of them if it is a theme', () => {
    fc.assert(
      fc.property(anyEntries, terms, (entries, { words: [word] }) => {
        if (!word) return;
        const topicsOf = (each: SearchEntry) => [...each.subthemes, ...each.themes];
        const isTheme = entries.flatMap(topicsOf).some((topic) => isInTopic(topic, word));
        const named = entries.filter((each) => hitOf(each, { ...word, year: null }) !== null);
        expect(segmentOf(entries).countItems(word)).toBe((isTheme ? entries : named).length);
      }),
      { seed: 243, numRuns: 150 },
    );
  });

  test('an entry is contained unless any part of it differs or it was removed', () => {
    fc.assert(
      fc.property(anyEntries, anyEntry, (entries, other) => {
        const segment = segmentOf(entries);
        for (const each of entries) {
          expect(segment.holds(each)).toBe(true);
          expect(segment.holds({ ...each, interest: each.interest + 1 })).toBe(false);
          expect(segment.holds({ ...each, ranksLast: !each.ranksLast })).toBe(false);
          expect(segment.holds({ ...each, year: 1958 })).toBe(false);
          expect(segment.holds({ ...each, name: `${each.name} more` })).toBe(false);
          expect(segment.holds({ ...each, name: `${each.name}!` })).toBe(false);
          expect(segment.holds({ ...each, otherNames: [...each.otherNames, 'more'] })).toBe(false);
          expect(segment.holds({ ...each, themes: [...each.themes, 'More'] })).toBe(false);
          expect(segment.holds({ ...each, subthemes: [...each.subthemes, 'More'] })).toBe(false);
        }
        const isThere = entries.some(({ key }) => key === other.key);
        if (!isThere) expect(segment.holds(other)).toBe(false);
        segment.remove(other.key);
        const left = entries.filter(({ key }) => key !== other.key);
        expect(entries.filter((each) => segment.holds(each))).toEqual(left);
        const query = searchTerms('set', 'castle');
        expect(segment.find(query, 100).total).toBe(
          left.filter((each) => plainStep(each, query) !== null).length,
        );
      }),
      { seed: 244, numRuns: 80 },
    );
  });
});

test('interest is rounded, and clamped at both ends', () => {
  const interests = [-5, 0, 0.4, 0.6, 1, 2 ** 24 - 1, 2 ** 24, 2 ** 30];
  const segment = segmentOf(
    interests.map((interest, index) => entryOf(`${index}`, 'Castle', { interest })),
  );
  const found = segment.find(searchTerms('set', 'castle'), 100).steps.get(1) ?? [];
  expect(found.map((id) => segment.keyOf(id))).toEqual(['5', '6', '7', '3', '4', '0', '1', '2']);
  const last = segmentOf([entryOf('1', 'Castle', { ranksLast: true, interest: 2 ** 30 })]);
  expect(last.rankOf(0)).toBeGreaterThan(segment.rankOf(found.at(-1) ?? 0));
});

test('the item that a query names by number comes first, whatever its name', () => {
  const segment = segmentOf([entryOf('1', 'Castle'), entryOf('2', 'Tower'), entryOf('3', 'Gate')]);
  const found = (key: string | null, term: string) =>
    [...keysOf(segment, segment.find({ ...searchTerms('set', term), key }, 9))]
      .sort(([a], [b]) => a - b)
      .flatMap(([, keys]) => keys);
  expect(found('2', 'castle')).toEqual(['2', '1']);
  expect(found('404', 'castle')).toEqual(['1']);
  // Without a known key, the query itself is the number.
  expect([found('404', '3'), found(null, '3'), found(null, '9')]).toEqual([['3'], ['3'], []]);
});

test('an empty segment finds nothing', () => {
  const empty = segmentOf([]);
  expect(empty.find(searchTerms('set', 'castle'), 9)).toEqual({ steps: new Map(), total: 0 });
  expect(empty.holds(entryOf('', 'Castle'))).toBe(false);
  expect(segmentOf([entryOf('1', 'Castle')]).holds(entryOf('', 'Castle'))).toBe(false);
});

test('a phrase begins a name only if all of its words do', () => {
  const segment = segmentOf([
    entryOf('1', 'Cattle Black Castle'),
    entryOf('2', 'Castle Blackwood'),
  ]);
  const found = segment.find(searchTerms('set', 'castle black'), 9);
  expect(keysOf(segment, found)).toEqual(
    new Map([
      [5, ['1']],
      [6, ['2']],
    ]),
  );
});

test('a word is found in a theme that all items have', () => {
  const segment = segmentOf([entryOf('1', 'Gate', { themes: ['Castle'] })]);
  expect(segment.findLoosely(searchTerms('set', 'castle').words).most).toBe(1);
});
