/** The estimate of what the parts of a set sell for. */
import { expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import { estimateParts, type ShownParts } from './parts.ts';

const now = Date.UTC(2026, 10, 15);
const shown = (facts: Partial<ShownParts> = {}): ShownParts => ({
  observedAt: now - dayMs,
  amountCents: 400_00,
  lots: 312,
  units: 1_234,
  ...facts,
});
const set = { pieces: 1_000, sellThrough: null };

test('takes the median of the sources, the share that sells, and whole dollars', () => {
  const rows = [400_00, 300_40, 900_00].map((amountCents) => shown({ amountCents }));
  expect(estimateParts(rows, set, now)).toEqual({
    soldCents: 240_00,
    // Half of what the sources differ by.
    spread: (900_00 - 300_40) / 800_00,
    lots: 290,
    units: 1_000,
    areLotsGuessed: false,
  });
  expect(estimateParts([shown()], set, now)?.spread).toBe(0.3);
});

test.each([
  [100, null, 80],
  [120, null, 70],
  [250, null, 70],
  [500, null, 60],
  [570, null, 50],
  [500, 50, 70],
  [500, 49.9, 60],
  [500, 20, 60],
  [500, 19.9, 50],
])('of %p lots at a sell-through of %p, %p percent are sold', (lots, sellThrough, percent) => {
  const rows = [shown({ amountCents: 100_00, lots, units: 5_000 })];
  expect(estimateParts(rows, { ...set, sellThrough }, now)?.soldCents).toBe(100 * percent);
});

test('lots and units are in steps of a quarter, so that hours of work do not tell them', () => {
  const lotsOf = (lots: number) => estimateParts([shown({ lots })], set, now)?.lots;
  expect([1, 27, 29, 37, 90, 1_000].map(lotsOf)).toEqual([25, 25, 31, 39, 95, 1_100]);
  const uncounted = { ...set, pieces: 0 };
  expect(estimateParts([shown({ units: 1_234 })], uncounted, now)?.units).toBe(1_100);
});

test('lots that no source says are estimated from the pieces', () => {
  const bare = { lots: null, units: null };
  expect(estimateParts([shown(bare)], set, now)).toMatchObject({ lots: 290, areLotsGuessed: true });
  expect(estimateParts([shown(bare)], { ...set, pieces: 3 }, now)).toMatchObject({ lots: 25 });
});

test('there is none without a recent amount in dollars, or without any count of pieces', () => {
  expect(estimateParts([], set, now)).toBeNull();
  expect(estimateParts([shown({ amountCents: null })], set, now)).toBeNull();
  expect(estimateParts([shown({ observedAt: now - 180 * dayMs })], set, now)).not.toBeNull();
  expect(estimateParts([shown({ observedAt: now - 181 * dayMs })], set, now)).toBeNull();
  const uncounted = { ...set, pieces: null };
  expect(estimateParts([shown({ units: null })], uncounted, now)).toBeNull();
});
