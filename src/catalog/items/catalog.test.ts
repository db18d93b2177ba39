/** Descriptions that name an item, and those that only supplement others. */
import { expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { isNaming } from './catalog.ts';

test('a set is named by its title and theme together, a minifig always', () => {
  expect(isNaming(aSet({ title: 'Castle', theme: 'Castles' }))).toBe(true);
  expect(isNaming(aSet({ title: null, theme: 'Castles' }))).toBe(false);
  expect(isNaming(aSet({ title: 'Castle', theme: null }))).toBe(false);
  expect(isNaming(aMinifig())).toBe(true);
});
