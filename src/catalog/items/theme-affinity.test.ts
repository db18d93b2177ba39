/** Affinity between themes is learned from pairs, and applies to others. */
import { expect, test } from 'bun:test';
import { affinityMax, type IndexPair, ThemeAffinity } from './theme-affinity.ts';

/** Twenty items per theme, consecutive in both catalogs. */
const many = (...themes: readonly string[]) =>
  themes.flatMap((theme) => Array.from({ length: 20 }, () => [theme]));
const themes = {
  left: many('Town / City / Police', 'Town / City / Fire', 'Space', 'Duplo'),
  right: many('City / Police', 'City / Fire', 'Space'),
};
const [police, fire, space, duplo] = [0, 20, 40, 60];

/** All but the Duplo items are in both catalogs. */
const pairs = Array.from({ length: 60 }, (_, index): IndexPair => [index, index]);
const affinity = new ThemeAffinity(themes, pairs);

test('paired themes have a positive affinity, the higher the narrower they match', () => {
  expect(affinity.of(space, space)).toBeGreaterThan(0);
  expect(affinity.of(police, police)).toBeGreaterThan(affinity.of(police, fire));
  expect(affinity.of(police, fire)).toBeGreaterThan(affinity.of(police, space));
  expect(affinity.of(police, space)).toBeLessThan(0);
});

test('a category without any pairs has a negative affinity to all themes', () => {
  for (const right of [police, fire, space]) expect(affinity.of(duplo, right)).toBeLessThan(-1);
});

test('the best of several themes counts, and without themes the affinity is 0', () => {
  const several = { ...themes, right: [...themes.right, ['City / Fire', 'Space'], []] };
  const learned = new ThemeAffinity(several, pairs);
  expect(learned.of(space, 60)).toBe(learned.of(space, space));
  expect(learned.of(space, 61)).toBe(0);
});

test('affinity is limited, however many pairs there are', () => {
  const crowd = (length: number) => Array.from({ length }, () => ['Space']);
  const town = Array.from({ length: 20_000 }, () => ['Town']);
  const both = { left: [...crowd(1_000), ...town], right: crowd(1_000) };
  const learned = new ThemeAffinity(
    both,
    Array.from({ length: 1_000 }, (_, index): IndexPair => [index, index]),
  );
  expect(affinityMax).toBe(5);
  expect(learned.of(0, 0)).toBe(affinityMax);
  expect(learned.of(1_000, 0)).toBe(-affinityMax);
});

test('affinity is the observed over the expected frequency, at both levels', () => {
  // The first item on the left is half Town and half Space; its pair is the only known one.
  const small = {
    left: [['Town', 'Space'], ['Town'], ['Space'], ['Duplo / Farm']],
    right: [['City'], ['Stars']],
  };
  const learned = new ThemeAffinity(small, [[0, 0]]);
  const surplus = (count: number, expected: number) => Math.log((count + 1) / (expected + 1));
  // City occurs once. 1.5 of 4 items on the left are Town: 0.5 observed, 0.375 expected.
  const town = 2 * surplus(0.5, 0.375) + Math.min(0, surplus(0.5, 0.375));
  expect(learned.of(1, 0)).toBeCloseTo(town, 12);
  // A quarter is Duplo, and none of it was paired.
  expect(learned.of(3, 0)).toBeCloseTo(3 * surplus(0, 0.25), 12);
  // Stars never occur: only the category's lack of pairs counts.
  expect(learned.of(3, 1)).toBeCloseTo(surplus(0, 0.25), 12);
});

test('an item with several categories or themes counts in part for each of them', () => {
  const small = {
    left: [['Town', 'Space'], ['Town'], ['Space'], ['Duplo / Farm']],
    right: [['City', 'Fire'], ['Stars']],
  };
  const learned = new ThemeAffinity(small, [
    [0, 0],
    [1, 1],
  ]);
  const surplus = (count: number, expected: number) => Math.log((count + 1) / (expected + 1));
  // City is half of the first pair; a quarter of the left catalog, and of two pairs, is Duplo.
  expect(learned.of(3, 0)).toBeCloseTo(2 * surplus(0, 0.125) + surplus(0, 0.5), 12);
  // Of two pairs, 0.75 would be Space, and half a pair is.
  expect(learned.of(2, 1)).toBeCloseTo(2 * surplus(0, 0.375) + surplus(0.5, 0.75), 12);
});
