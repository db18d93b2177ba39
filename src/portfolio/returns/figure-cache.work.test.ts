/** Figures are cached until their data changes. */
import { expect, test } from 'bun:test';
import { FigureCache } from './figure-cache.work.ts';

function keeper() {
  const state = { version: 1, stamp: 1, made: 0 };
  const figures = new FigureCache<number>(
    {
      accounts: { findPrivateVersion: async () => state.version },
      market: { publishStamp: () => state.stamp },
    },
    () => 1,
  );
  const find = (day = 1, accountId = 1, name = '30d') =>
    figures.find({ accountId, name, day }, async () => ++state.made);
  return { state, figures, find };
}

test('figures are computed once, also for concurrent callers', async () => {
  const { find } = keeper();
  expect(await Promise.all([find(), find()])).toEqual([1, 1]);
  expect(await find()).toBe(1);
});

test('they are computed again after a change, a publication, and on another day', async () => {
  const { state, find } = keeper();
  await find();
  state.version++;
  expect(await find()).toBe(2);
  state.stamp++;
  expect(await find()).toBe(3);
  expect(await find(2)).toBe(4);
  expect(await find(2)).toBe(4);
});

test('each account and each range has its own', async () => {
  const { find } = keeper();
  expect([await find(), await find(1, 2), await find(1, 1, '1y')]).toEqual([1, 2, 3]);
  expect([await find(), await find(1, 2), await find(1, 1, '1y')]).toEqual([1, 2, 3]);
});

test('a failed computation is retried', async () => {
  const { figures, find } = keeper();
  const failing = async (): Promise<number> => {
    throw new Error('The store is gone.');
  };
  const asked = { accountId: 1, name: '30d', day: 1 };
  expect(figures.find(asked, failing)).rejects.toThrow('The store is gone.');
  expect(await find()).toBe(1);
});
