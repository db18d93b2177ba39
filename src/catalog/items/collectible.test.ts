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

test('a box that repeats one number, or whose minifigs are unknown, is not', () => {
  expect(isOne({ minifigs: ['col368', 'col368'] })).toBe(false);
  expect(isOne({ minifigs: [] })).toBe(false);
  expect(isOne({ minifigs: null })).toBe(false);
});

test('a set of which any source counts another number is not', () => {
  expect(isOne({ minifigsCount: 1 }, { minifigsCount: 1 })).toBe(true);
  expect(isOne({ minifigsCount: 1 }, { minifigsCount: 2 })).toBe(false);
  expect(isOne({ minifigsCount: null }, { minifigsCount: 0 })).toBe(false);
});

test.each([
  'LEGO Minifigures - Series 20 {Random bag}',
  'LEGO Minifigures - Series 20 - Sealed Box',
  'LEGO Minifigures - Series 10 - Complete (except Mr. Gold)',
  'Minifigure, Series 18 (Complete Series of 17 Complete Minifigure Sets)',
  'Minifigure, Series 2 (Box of 60)',
  'Musicians Minifigure Collection',
])('%s is not, even if only one minifig is listed', (title) => {
  expect(isOne({ title })).toBe(false);
});

test.each([
  'Tournament Knight',
  'Tournament Knight, Series 20 (Complete Set with Stand and Accessories)',
])('%s is one', (title) => {
  expect(isOne({ title })).toBe(true);
});
