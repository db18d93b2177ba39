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
  expect(learned.of(0, 0)).toBe(affinityMax);
  expect(learned.of(1_000, 0)).toBe(-affinityMax);
});
