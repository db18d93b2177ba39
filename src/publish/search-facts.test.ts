/** The search facts of an item. */
import { expect, test } from 'bun:test';
import { aMinifig, aSale, aSet } from '../../test/support/builders.ts';
import { minifigInterest, setInterest } from '../catalog/interest/interest.ts';
import type { MinifigFacts, SetDescription } from '../catalog/items/catalog.ts';
import { dayMs } from '../kernel/time.ts';
import type { StoredSale } from '../market/source-rows/source-rows.ts';
import type { LearningInputs } from '../market/values/learning-inputs.ts';
import { minifigSearchFacts, setSearchFacts } from './search-facts.ts';

const at = Date.UTC(2026, 10, 9);

const inputsOf = (
  facts: readonly (SetDescription | MinifigFacts)[],
  given: Partial<LearningInputs> = {},
): LearningInputs => ({
  id: 1,
  kind: 'set',
  key: '1',
  records: facts.map((each) => ({ source: 'feed', facts: each })),
  sales: [],
  related: [],
  retailWeeks: [],
  ...given,
});

const soldAgo = (days: number, retractedAt: number | null = null): StoredSale => ({
  ...aSale({ soldAt: at - days * dayMs }),
  ingestedAt: at,
  retractedAt,
  usdPerUnit: 1,
});

test('a set has every other name, theme and subtheme once, in its first spelling', () => {
  const merged = aSet({ title: 'Castle', theme: 'Castles', subtheme: 'Knights' });
  const records = [
    merged,
    { ...merged, title: 'CASTLE', theme: 'castles', subtheme: 'knights' },
    { ...merged, title: 'Château', theme: 'Forts', subtheme: null },
    { ...merged, title: 'chateau', theme: null, subtheme: 'Lions' },
    { ...merged, title: null, theme: '—', subtheme: '' },
  ];
  expect(setSearchFacts(inputsOf(records), merged, at)).toMatchObject({
    otherNames: ['Château'],
    themes: ['Castles', 'Forts'],
    subthemes: ['Knights', 'Lions'],
  });
});

test('a minifig has its other names, and its categories as subthemes', () => {
  const facts = aMinifig({ name: 'Knight', category: 'Castle' });
  const records = [facts, { ...facts, name: 'Lion Knight', category: 'Lions' }];
  const found = minifigSearchFacts(inputsOf(records), { facts, value: null, at });
  expect(found).toMatchObject({
    otherNames: ['Lion Knight'],
    subthemes: ['Castle', 'Lions'],
    themes: [],
  });
});

test('sales of the last year count, except retracted and future ones', () => {
  const sales = [
    soldAgo(365),
    soldAgo(365 - 1 / dayMs),
    soldAgo(10, at),
    soldAgo(0),
    soldAgo(-1 / dayMs),
  ];
  const facts = aSet({ msrpCents: 50_00, pieces: 300, year: 2020 });
  const standing = { msrpCents: 50_00, pieces: 300, year: 2020 };
  expect(setSearchFacts(inputsOf([facts], { sales }), facts, at).interest).toBe(
    setInterest({ ...standing, sold: 2 }),
  );
});

test('the interest in a minifig depends on its value, sets and year', () => {
  const facts = aMinifig({ yearReleased: 2015 });
  const inputs = inputsOf([facts], { related: ['1', '2', '3'], sales: [soldAgo(1)] });
  const value = { valueCents: 9_00, lowCents: 8_00, highCents: 10_00 };
  const interestOf = (given: typeof value | null) =>
    minifigSearchFacts(inputs, { facts, value: given, at }).interest;
  const standing = { sold: 1, sets: 3, year: 2015 };
  expect(interestOf(value)).toBe(minifigInterest({ ...standing, valueCents: 9_00 }));
  expect(interestOf(null)).toBe(minifigInterest({ ...standing, valueCents: null }));
});
