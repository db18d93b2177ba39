/** How long an answer with changes may become. */
import { expect, test } from 'bun:test';
import type { BulkChange, BulkPosition } from '../../domain/market/bulk.ts';
import { readChanges } from './bulk.ts';

/** A store with so many changes of so many characters each; what it was asked for. */
function storeOf(count: number, characters: number) {
  const asked: number[] = [];
  const all = Array.from(
    { length: count },
    (_, index): BulkChange => ({
      position: { stamp: 5, place: index + 1 },
      type: 'sets',
      number: String(index + 1),
      content: JSON.stringify('x'.repeat(characters - 2)),
    }),
  );
  return {
    asked,
    findBulkBounds: async () => ({ stamp: 5, lost: null }),
    listBulkChanges: async ({ place }: BulkPosition, _: unknown, limit: number) => {
      asked.push(limit);
      return all.filter((change) => change.position.place > place).slice(0, limit);
    },
  };
}

const read = async (store: ReturnType<typeof storeOf>, limit: number) => {
  const text = await readChanges(store, { after: '5-0', types: ['sets'], limit });
  const { changes, next, has_more } = JSON.parse(text);
  return { count: changes.length, next, has_more };
};

test('an answer has as many as asked for, and says whether there are more', async () => {
  const store = storeOf(50, 10);
  expect(await read(store, 49)).toEqual({ count: 49, next: '5-49', has_more: true });
  expect(Math.max(...store.asked)).toBe(20);
  expect(await read(store, 50)).toEqual({ count: 50, next: '5-50', has_more: false });
  expect(await read(store, 51)).toEqual({ count: 50, next: '5-50', has_more: false });
});

test('an answer of a million characters ends there, and the rest is in the next one', async () => {
  const store = storeOf(100, 30_000);
  expect(await read(store, 1000)).toEqual({ count: 40, next: '5-40', has_more: true });
});
