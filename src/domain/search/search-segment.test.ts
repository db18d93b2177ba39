/** A segment finds the same matches, in the same steps, as a linear scan of its entries. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareText } from '../catalog/numbers.ts';
import type { SearchEntry } from './search-entry.ts';
import { type Found, type SearchSegment, segmentOf, typosFrom } from './search-segment.ts';
import { type QueryWord, type SearchTerms, searchTerms } from './search-terms.ts';
import { americanWords, searchWords, spelledName } from './search-words.ts';
import { editDistance } from './typos.ts';

/** The names of an entry as lists of words, in both spellings. */
function namesOf({ name, otherNames }: SearchEntry) {
  return [name, ...otherNames].flatMap((text, index) => {
    const words = searchWords(text);
    return [words, [...americanWords(words)]].map((list) => ({ list, isOwn: index === 0 }));
  });
}

/** Suffixes of a name that start at a word. */
const ends = (words: readonly string[]) => words.map((_, start) => words.slice(start).join(''));

/** How a word occurs in names and number: at a start, inside, or not at all. */
function hitOf(entry: SearchEntry, { forms, typed, number }: QueryWord): 'start' | 'inside' | null {
  const names = namesOf(entry).map(({ list }) => list);
  const isInNumber = typed !== '' && entry.key.includes(typed);
  const isAtStart =
    names.flatMap(ends).some((end) => forms.some((form) => end.startsWith(form))) ||
    (typed !== '' && (entry.key.startsWith(typed) || entry.key === number));
  if (isAtStart) return 'start';
  const isInside = names.flat().some((word) => forms.some((form) => word.includes(form)));
  return isInside || isInNumber ? 'inside' : null;
}

/** The step of a plain match; null for none. */
function plainStep(entry: SearchEntry, terms: SearchTerms): number | null {
  if (entry.key === terms.number) return 0;
  const hits = terms.words.map((word) => hitOf(entry, word));
  if (hits.includes(null)) return null;
  const names = namesOf(entry);
  const begins = (text: string) => terms.phrases.some((phrase) => text.startsWith(phrase));
  const isWhole = names.some(
    ({ list, isOwn }) => isOwn && list.length > 0 && terms.phrases.includes(list.join('')),
  );
  if (isWhole) return spelledName(entry.name) === terms.name ? 1 : 2;
  if (terms.number !== '' && entry.key.startsWith(terms.number)) return 3;
  if (names.some(({ list }) => list.length > 0 && begins(list.join('')))) return 4;
  const isAtStarts =
    !hits.includes('inside') || names.flatMap(({ list }) => ends(list)).some(begins);
  return isAtStarts ? 5 : 6;
}

function isInTopic(text: string, { forms }: QueryWord): boolean {
  const words = searchWords(text);
  const initials = words.map((word) => word[0]).join('');
  return forms.some(
    (form) =>
      ends(words).some((end) => end.startsWith(form)) || (form.length > 2 && form === initials),
  );
}

/** The step of a match by theme; null for none. */
function themeStep(entry: SearchEntry, { words }: SearchTerms): number | null {
  const steps = words.map((word) => {
    const hit = hitOf(entry, word);
    if (hit !== null) return hit === 'start' ? 0 : 1;
    if (entry.subthemes.some((text) => isInTopic(text, word))) return 2;
    return entry.themes.some((text) => isInTopic(text, word)) ? 3 : null;
  });
  return steps.includes(null) ? null : steps.reduce<number>((sum, step) => sum + (step ?? 0), 0);
}

/** The reference implementation: the keys of each step, in order. */
function foundIn(
  entries: readonly SearchEntry[],
  stepOf: (entry: SearchEntry) => number | null,
): string[][] {
  const inOrder = entries.toSorted(
    (a, b) =>
      Number(a.ranksLast) - Number(b.ranksLast) ||
      b.interest - a.interest ||
      compareText(a.key, b.key),
  );
  const steps: string[][] = [];
  for (const entry of inOrder) {
    const step = stepOf(entry);
    if (step === null) continue;
    while (steps.length <= step) steps.push([]);
    steps[step]?.push(entry.key);
  }
  return steps;
}

const keysOf = (segment: SearchSegment, { steps }: Found) =>
  steps.map((ids) => ids.map((id) => segment.keyOf(id)));

const words = ['castle', 'cast', 'black', 'x', 'wing', 'xw', 'grey', 'gray', '100', '5', 'tle'];
const text = fc
  .tuple(fc.array(fc.constantFrom(...words), { maxLength: 3 }), fc.constantFrom(' ', '-', ' / '))
  .map(([list, between]) => list.join(between));
const topics = fc.subarray(['Star Wars', 'Ultimate Collector Series', 'Castle Black', 'Grey']);
const entry: fc.Arbitrary<SearchEntry> = fc.record({
  key: fc.constantFrom('1', '10', '100', '1005', '5', '51', '75192', '75192-2', 'x100', 'castle'),
  name: text,
  otherNames: fc.array(text, { maxLength: 2 }),
  subthemes: topics,
  themes: topics,
  interest: fc.constantFrom(0, 1, 2, 900),
  ranksLast: fc.boolean(),
});
const catalog = fc.uniqueArray(entry, { selector: ({ key }) => key, maxLength: 8 });
const asked = fc.constantFrom(
  ...words,
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
  .array(asked, { minLength: 1, maxLength: 3 })
  .map((list) => searchTerms('set', list.join(' ')));

describe('for any entries', () => {
  test('plain matches equal those of a linear scan, up to the limit per step', () => {
    fc.assert(
      fc.property(catalog, terms, fc.integer({ min: 1, max: 4 }), (entries, query, wanted) => {
        const segment = segmentOf(entries);
        const found = segment.find(query, wanted);
        const all = foundIn(entries, (each) => plainStep(each, query));
        expect(keysOf(segment, found)).toEqual(all.map((keys) => keys.slice(0, wanted)));
        expect(found.total).toBe(all.flat().length);
      }),
      { seed: 241, numRuns: 300 },
    );
  });

  test('matches by theme equal those of a linear scan', () => {
    fc.assert(
      fc.property(catalog, terms, (entries, query) => {
        const segment = segmentOf(entries);
        const found = segment.findByTheme(query, 100);
        const all = foundIn(entries, (each) => themeStep(each, query));
        expect(keysOf(segment, found)).toEqual(all);
      }),
      { seed: 242, numRuns: 200 },
    );
  });

  test('a search does not affect later ones', () => {
    fc.assert(
      fc.property(catalog, fc.array(terms, { maxLength: 4 }), (entries, queries) => {
        const segment = segmentOf(entries);
        for (const query of queries) {
          expect(segment.find(query, 9)).toEqual(segmentOf(entries).find(query, 9));
          expect(segment.findByTheme(query, 9)).toEqual(segmentOf(entries).findByTheme(query, 9));
        }
      }),
      { seed: 246, numRuns: 100 },
    );
  });

  test('a word exists if a name, a number or a theme contains it', () => {
    fc.assert(
      fc.property(catalog, terms, (entries, { words: [word] }) => {
        if (!word) return;
        const isThere = entries.some(
          (each) =>
            hitOf(each, { ...word, number: '' }) !== null ||
            [...each.subthemes, ...each.themes].some((topic) => isInTopic(topic, word)),
        );
        expect(segmentOf(entries).has(word)).toBe(isThere);
      }),
      { seed: 243, numRuns: 150 },
    );
  });

  test('an entry is contained unless any part of it differs or it was removed', () => {
    fc.assert(
      fc.property(catalog, entry, (entries, other) => {
        const segment = segmentOf(entries);
        for (const each of entries) {
          expect(segment.holds(each)).toBe(true);
          expect(segment.holds({ ...each, interest: each.interest + 1 })).toBe(false);
          expect(segment.holds({ ...each, ranksLast: !each.ranksLast })).toBe(false);
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

  test('all words within the edit distance are found', () => {
    const form = fc.constantFrom('castle', 'cstle', 'casttle', 'black', 'blakc', 'graz', 'wimg');
    fc.assert(
      fc.property(catalog, form, fc.integer({ min: 1, max: 2 }), (entries, typed, most) => {
        const found = segmentOf(entries).typosOf(typed, most);
        const known = new Set(entries.flatMap((each) => namesOf(each).flatMap(({ list }) => list)));
        const expected = [...known]
          .map((word) => ({ word, mistakes: editDistance(typed, word, most) }))
          .filter(({ mistakes }) => mistakes <= most)
          .sort((a, b) => compareText(a.word, b.word));
        expect(found.map(({ word, mistakes }) => ({ word, mistakes }))).toEqual(expected);
      }),
      { seed: 245, numRuns: 150 },
    );
  });
});

const entryOf = (key: string, name: string, facts: Partial<SearchEntry> = {}): SearchEntry => ({
  key,
  name,
  otherNames: [],
  subthemes: [],
  themes: [],
  interest: 0,
  ranksLast: false,
  ...facts,
});

test('corrections are ordered by edit distance, then by number of items, then by name', () => {
  const segments = [
    segmentOf([entryOf('1', 'Castle'), entryOf('2', 'Cattle'), entryOf('3', 'Battle')]),
    segmentOf([entryOf('4', 'Cattle'), entryOf('5', 'Mantle')]),
  ];
  expect(typosFrom(segments, 'cattle', 2)).toEqual(['cattle', 'battle', 'castle', 'mantle']);
  expect(typosFrom(segments, 'catle', 2)).toEqual(['cattle', 'castle', 'battle', 'mantle']);
});

test('interest is rounded, and clamped at both ends', () => {
  const interests = [-5, 0, 0.4, 0.6, 1, 2 ** 24 - 1, 2 ** 24, 2 ** 30];
  const segment = segmentOf(
    interests.map((interest, index) => entryOf(`${index}`, 'Castle', { interest })),
  );
  const [found = []] = segment.find(searchTerms('set', 'castle'), 100).steps.slice(1);
  expect(found.map((id) => segment.keyOf(id))).toEqual(['5', '6', '7', '3', '4', '0', '1', '2']);
  const last = segmentOf([entryOf('1', 'Castle', { ranksLast: true, interest: 2 ** 30 })]);
  expect(last.rankOf(0)).toBeGreaterThan(segment.rankOf(found.at(-1) ?? 0));
});

test('the item that a query names by number comes first, whatever its name', () => {
  const segment = segmentOf([entryOf('1', 'Castle'), entryOf('2', 'Tower'), entryOf('3', 'Gate')]);
  const found = (key: string | null, term: string) =>
    keysOf(segment, segment.find({ ...searchTerms('set', term), key }, 9)).flat();
  expect(found('2', 'castle')).toEqual(['2', '1']);
  expect(found('404', 'castle')).toEqual(['1']);
  // Without a known key, the query itself is the number.
  expect([found('404', '3'), found(null, '3'), found(null, '9')]).toEqual([['3'], ['3'], []]);
});

test('an empty segment finds nothing', () => {
  const empty = segmentOf([]);
  expect(empty.find(searchTerms('set', 'castle'), 9)).toEqual({ steps: [], total: 0 });
  expect(empty.holds(entryOf('', 'Castle'))).toBe(false);
  expect(segmentOf([entryOf('1', 'Castle')]).holds(entryOf('', 'Castle'))).toBe(false);
});

test('a phrase begins a name only if all of its words do', () => {
  const segment = segmentOf([
    entryOf('1', 'Cattle Black Castle'),
    entryOf('2', 'Castle Blackwood'),
  ]);
  const { steps } = segment.find(searchTerms('set', 'castle black'), 9);
  expect(steps.map((ids) => ids.map((id) => segment.keyOf(id)))).toEqual([
    [],
    [],
    [],
    [],
    ['2'],
    ['1'],
  ]);
});

test('a word is found in a theme that all items have', () => {
  const segment = segmentOf([entryOf('1', 'Gate', { themes: ['Castle'] })]);
  expect(segment.findByTheme(searchTerms('set', 'castle'), 9).total).toBe(1);
});
