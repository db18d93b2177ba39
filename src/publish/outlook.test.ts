/** The facts about an item that sync planning uses. */
import { expect, test } from 'bun:test';
import { aMinifig, aSet, someEvidence } from '../../test/support/builders.ts';
import type { SetFacts } from '../catalog/items/catalog.ts';
import type { ItemClass } from '../catalog/items/item-class.ts';
import { usualRates } from '../market/values/uncertainty.ts';
import { minifigOutlook, setOutlook } from './outlook.ts';

const at = Date.UTC(2026, 10, 9);
const evidence = someEvidence();

const recordsOf = (...sources: readonly string[]) => ({
  records: sources.map((source) => ({ source, facts: aSet() })),
});
const outlookOf = (facts: Partial<SetFacts>, asin: string | null = null) =>
  setOutlook(recordsOf('feed'), { facts: aSet(facts), evidence, asin, at });

test('a set can be looked up at a retailer with any of its codes', () => {
  expect(outlookOf({}).hasBarcode).toBe(false);
  expect(outlookOf({ upc: '673419000017' }).hasBarcode).toBe(true);
  expect(outlookOf({ ean: '5702010000012' }).hasBarcode).toBe(true);
  expect(outlookOf({}, 'B0HARBOUR1').hasBarcode).toBe(true);
});

test.each<[ItemClass, readonly string[], boolean]>([
  ['set', ['feed'], true],
  ['gear', ['feed', 'rebrickable'], false],
  ['book', ['brickset'], false],
  ['gear', ['feed', 'bricklink'], true],
  ['gear', ['bricklink-catalog', 'feed'], true],
])('a %s of %p is traded at BrickLink: %p', (itemClass, sources, isTraded) => {
  const set = { facts: aSet({ itemClass }), evidence, asin: null, at };
  expect(setOutlook(recordsOf(...sources), set).isTraded).toBe(isTraded);
});

test('the expected sales rate depends on kind and age', () => {
  const releasedAt = Date.UTC(2022, 0, 1);
  const rates = (kind: 'set' | 'minifig') => usualRates({ kind, releasedAt }, at);
  expect(outlookOf({ year: 2022 }).sealed.usualRate).toBe(rates('set').sealed);
  const facts = aMinifig({ yearReleased: 2022 });
  const { used, hasBarcode } = minifigOutlook({ number: 'cas001' }, { facts, evidence, at });
  expect([used.usualRate, hasBarcode]).toEqual([rates('minifig').used, false]);
});

test.each<[string, readonly string[], boolean]>([
  ['cas001', [], true],
  ['fig-000001', [], false],
  ['FIG-000001', ['fig-000002'], false],
  ['fig-000001', ['fig-000002', 'cas001'], true],
  ['cas001', ['fig-000001'], true],
])('minifig %s, also %p, is traded at BrickLink: %p', (number, aliases, isTraded) => {
  const facts = aMinifig({ aliases });
  expect(minifigOutlook({ number }, { facts, evidence, at }).isTraded).toBe(isTraded);
});
