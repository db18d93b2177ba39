/** Slices stay within their limits. */
// @runs SQLite, PostgreSQL: publishes with the store
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { publishSettings } from '../../../test/support/publish-settings.ts';
import { openWorld } from '../../../test/support/stored-world.ts';
import { hourMs } from '../../kernel/time.ts';
import { makePublisher } from '../../publish/publisher.work.ts';
import type { ItemInputs } from '../published/publishing.ts';
import { sliceItems } from './slices.work.ts';

const rowsOf = (slices: readonly (readonly { readonly rows: number }[])[]) =>
  slices.map((slice) => slice.map(({ rows }) => rows));
const itemsOf = (rows: readonly number[]) => rows.map((count) => ({ rows: count }));

test.each([
  ['nothing', [], []],
  ['few rows', [1, 2, 3], [[1, 2, 3]]],
  ['as many rows as may be', [4, 6], [[4, 6]]],
  ['one row more', [4, 7], [[4], [7]]],
  ['as many items as may be', [0, 0, 0, 0], [[0, 0, 0], [0]]],
  ['an item that is too large alone', [1, 11, 1], [[1], [11], [1]]],
])('slices have at most so many items and rows: %s', (_, rows, slices) => {
  expect(rowsOf(sliceItems(itemsOf(rows), { items: 3, rows: 10 }))).toEqual(slices);
});

test('no slice exceeds the limits, nothing is missing, and the order stays', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), fc.integer({ min: 1, max: 5 }), (rows, items) => {
      const slices = rowsOf(sliceItems(itemsOf(rows), { items, rows: 12 }));
      expect(slices.flat()).toEqual(rows);
      for (const slice of slices) {
        expect(slice.length).toBeWithin(1, items + 1);
        if (slice.length > 1) expect(slice.reduce((a, b) => a + b)).toBeLessThanOrEqual(12);
      }
    }),
    { seed: 24, numRuns: 200 },
  );
});

test('sets with many observations are published a few at a time, each once', async () => {
  const world = await openWorld();
  try {
    const numbers = ['1', '2', '3', '4', '5'];
    const set = { kind: 'set', title: 'Hut', theme: 'Huts' };
    const offer = { kind: 'offer', retailer: 'retailer_a', price: 10, in_stock: true };
    const offers = (set_number: string, count: number) =>
      Array.from({ length: count }, (_, hour) => ({
        ...offer,
        // Observations that find the same are stored, and read, as one row.
        price: 10 + (hour % 2),
        set_number,
        observed_at: new Date(world.now - (hour + 1) * hourMs).toISOString(),
      }));
    await world.ingest(numbers.map((set_number) => ({ ...set, set_number })));
    await world.ingest(numbers.flatMap((number) => offers(number, number === '3' ? 2_100 : 900)));
    const read: { ids: readonly number[]; rows: number }[] = [];
    const { market } = world.store;
    const watched: typeof market = {
      ...market,
      listDue: async () => [1, 2, 3, 4, 5],
      loadInputs: async (ids, options) => {
        const inputs = await market.loadInputs(ids, options);
        read.push({ ids, rows: inputs.reduce((sum, item) => sum + countOffers(item), 0) });
        return inputs;
      },
    };
    const settings = { engine: plainEngine, ...publishSettings };
    await makePublisher(watched, settings, () => world.now).publishDue(5);
    expect(read).toEqual([
      { ids: [1, 2], rows: 1_800 },
      { ids: [3], rows: 2_100 },
      { ids: [4, 5], rows: 1_800 },
    ]);
    expect(await market.countStale()).toBe(0);
  } finally {
    await world.close();
  }
});

function countOffers({ retail }: ItemInputs): number {
  return retail.retailer_a.offers.length + retail.retailer_b.offers.length;
}
