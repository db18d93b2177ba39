/** What typed numbers mean is looked up in as few questions as possible. */
import { expect, test } from 'bun:test';
import { findMeant, type NumberLookups } from './typed-items.ts';

test('all barcodes are looked up at once', async () => {
  const asked: (readonly string[])[] = [];
  const market: NumberLookups = {
    findListedSets: async () => new Map(),
    findResaleRecords: async () => new Map(),
    findBarcodeSets: async (codes) => {
      asked.push(codes);
      return new Map([['0673419000017', ['300']]]);
    },
  };
  const typed = ['673419000017', '673419000024', '0673419000017', 'cas001'].map((number) => {
    return { line: 1, number, quantity: 1, condition: null };
  });
  const { items } = await findMeant(market, typed, 'sealed');
  expect(asked).toEqual([['0673419000017', '0673419000024']]);
  expect(items.map(({ number }) => number)).toEqual(['300', '673419000024', '300', 'cas001']);
});
