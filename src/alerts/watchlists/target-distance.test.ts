/** The distance of a price to its target, and the order of watched items. */
import { expect, test } from 'bun:test';
import {
  compareRanks,
  targetDistance,
  type WatchOrder,
  type WatchRank,
} from './target-distance.ts';

test('a distance is in cents and in percent of the target, negative below it', () => {
  expect(targetDistance(110_00, 100_00)).toEqual({ cents: 10_00, percent: 10 });
  expect(targetDistance(75_00, 100_00)).toEqual({ cents: -25_00, percent: -25 });
  expect(targetDistance(50_00, 50_00)).toEqual({ cents: 0, percent: 0 });
  expect(targetDistance(5, 0)).toEqual({ cents: 5, percent: null });
  expect([targetDistance(null, 1), targetDistance(1, null)]).toEqual([null, null]);
});

const rank = (id: number, facts: Partial<WatchRank> = {}): WatchRank => ({
  id,
  distance: null,
  name: '',
  ...facts,
});

const order = (by: WatchOrder, ...ranks: WatchRank[]) =>
  ranks.sort((a, b) => compareRanks(by, a, b)).map(({ id }) => id);

test('by distance, the furthest below its target is first, and items without one are last', () => {
  const far = (id: number, price: number, target: number) =>
    rank(id, { distance: targetDistance(price, target) });
  expect(
    order('distance', rank(1), rank(2), far(3, 1, 0), far(4, 120, 100), far(5, 90, 100)),
  ).toEqual([5, 4, 3, 2, 1]);
  expect(order('distance', far(1, 0, 0), far(2, 101, 100), far(3, 99, 100))).toEqual([3, 1, 2]);
  expect(order('distance', far(1, 110, 100), far(2, 220, 200))).toEqual([2, 1]);
});

test('by name, or by latest addition, which also orders equal names', () => {
  const ranks = [rank(1, { name: 'b' }), rank(2, { name: 'a' }), rank(3, { name: 'b' })];
  expect(order('name', ...ranks)).toEqual([2, 3, 1]);
  expect(order('added', ...ranks)).toEqual([3, 2, 1]);
});
