/** A catalog stays searchable while entries change. */
import { expect, test } from 'bun:test';
import { findMatches } from './search.ts';
import { SearchCatalog } from './search-catalog.ts';
import type { SearchEntry } from './search-entry.ts';
import { searchTerms } from './search-terms.ts';
import { segmentOf } from './segment-builder.ts';

const entry = (key: string, name: string): SearchEntry => ({
  key,
  name,
  otherNames: [],
  subthemes: [],
  themes: [],
  year: null,
  interest: 0,
  ranksLast: false,
});

test('only entries whose searchable content changed move out of the base', () => {
  const catalog = new SearchCatalog(segmentOf([entry('1', 'Castle'), entry('2', 'Tower')]));
  const found = (term: string) =>
    findMatches(catalog.segments, searchTerms('set', term), { limit: 9, offset: 0 }).keys;

  catalog.change([entry('1', 'Castle'), entry('2', 'Tower')]);
  expect([catalog.changedCount, catalog.segments.length]).toEqual([0, 1]);

  catalog.change([entry('1', 'Castle'), entry('2', 'Harbor'), entry('3', 'Castle Gate')]);
  expect([catalog.changedCount, catalog.segments.length]).toEqual([2, 2]);
  expect([found('castle'), found('harbor'), found('tower')]).toEqual([['1', '3'], ['2'], []]);

  // An unchanged entry keeps the segment of changes; another change replaces its entry.
  const [, changes] = catalog.segments;
  catalog.change([entry('2', 'Harbor')]);
  expect(catalog.segments[1]).toBe(changes);
  catalog.change([entry('2', 'Tower')]);
  expect(catalog.changedCount).toBe(2);
  expect([found('harbor'), found('tower')]).toEqual([[], ['2']]);
});
