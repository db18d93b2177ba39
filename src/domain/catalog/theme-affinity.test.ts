/** What goes with what is learned from pairs, and counts for and against others. */
import { expect, test } from 'bun:test';
import { affinityMax, type PlacePair, ThemeAffinity } from './theme-affinity.ts';

/** Twenty of each kind; places of one kind follow each other in both catalogs. */
const many = (...themes: readonly string[]) =>
  themes.flatMap((theme) => Array.from({ length: 20 }, () => [theme]));
const themes = {
  left: many('Town / City / Police', 'Town / City / Fire', 'Space', 'Duplo'),
  right: many('City / Police', 'City / Fire', 'Space'),
};
const [police, fire, space, duplo] = [0, 20, 40, 60];

/** All but the Duplo figures are in both catalogs. */
const pairs = Array.from({ length: 60 }, (_, place): PlacePair => [place, place]);
const affinity = new ThemeAffinity(themes, pairs);

test('what was paired goes together, the narrower the better', () => {
  expect(affinity.of(space, space)).toBeGreaterThan(0);
  expect(affinity.of(police, police)).toBeGreaterThan(affinity.of(police, fire));
  expect(affinity.of(police, fire)).toBeGreaterThan(affinity.of(police, space));
  expect(affinity.of(police, space)).toBeLessThan(0);
});

test('a category of which nothing was ever paired goes with nothing', () => {
  for (const right of [police, fire, space]) expect(affinity.of(duplo, right)).toBeLessThan(-1);
});

test('the best of several themes counts, and without any nothing is known', () => {
  const several = { ...themes, right: [...themes.right, ['City / Fire', 'Space'], []] };
  const learned = new ThemeAffinity(several, pairs);
  expect(learned.of(space, 60)).toBe(learned.of(space, space));
  expect(learned.of(space, 61)).toBe(0);
});

test('however many were paired, other things count, too', () => {
  const crowd = (length: number) => Array.from({ length }, () => ['Space']);
  const town = Array.from({ length: 20_000 }, () => ['Town']);
  const both = { left: [...crowd(1_000), ...town], right: crowd(1_000) };
  const learned = new ThemeAffinity(
    both,
    Array.from({ length: 1_000 }, (_, place): PlacePair => [place, place]),
  );
  expect(affinityMax).toBe(5);
  expect(learned.of(0, 0)).toBe(affinityMax);
  expect(learned.of(1_000, 0)).toBe(-affinityMax);
});

test('how much more often two meet than by chance is worked out broadly and narrowly', () => {
  // Two items of the left are in Town and Space, half in each; one pair of them is known.
  const small = {
    left: [['Town', 'Space'], ['Town'], ['Space'], ['Duplo / Farm']],
    right: [['City'], ['Stars']],
  };
  const learned = new ThemeAffinity(small, [[0, 0]]);
  const surplus = (count: number, expected: number) => Math.log((count + 1) / (expected + 1));
  // City was met once. Of the left, 1.5 of 4 items are Town: half of the pair, and 0.375 expected.
  const town = 2 * surplus(0.5, 0.375) + Math.min(0, surplus(0.5, 0.375));
  expect(learned.of(1, 0)).toBeCloseTo(town, 12);
  // A quarter is Duplo, and none of it was found.
  expect(learned.of(3, 0)).toBeCloseTo(3 * surplus(0, 0.25), 12);
  // Stars were never met: only whether anything of the category was found tells.
  expect(learned.of(3, 1)).toBeCloseTo(surplus(0, 0.25), 12);
});
