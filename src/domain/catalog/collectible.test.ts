/** Sets that are one collectible minifig. */
import { expect, test } from 'bun:test';
import { aSet } from '../../../test/support/builders.ts';
import type { SetDescription } from './catalog.ts';
import { isCollectible } from './collectible.ts';

const isOne = (...facts: Partial<SetDescription>[]) =>
  isCollectible(
    facts.map((some, index) => ({
      source: ['brickset', 'rebrickable'][index] ?? 'feed',
      facts: aSet({ theme: 'Collectible Minifigures', minifigs: ['col368'], ...some }),
    })),
  );

test('a set of the theme with one minifig is a collectible minifig', () => {
  expect(isOne({})).toBe(true);
  expect(isOne({ minifigsCount: 1 })).toBe(true);
  expect(isOne({ theme: 'Series 20' }, { theme: 'Collectable Minifigures' })).toBe(true);
});

test('a set of several, or of another theme, is not', () => {
  expect(isOne({ minifigsCount: 16 })).toBe(false);
  expect(isOne({ theme: 'City' })).toBe(false);
  expect(isOne({ theme: null })).toBe(false);
  expect(isOne()).toBe(false);
});
