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
    soldShare: 0.6,
    lots: 310,
    units: 1_200,
    areLotsGuessed: false,
    sources: 3,
  });
});

test.each([
  [100, null, 0.8],
  [110, null, 0.7],
  [250, null, 0.7],
  [500, null, 0.6],
  [510, null, 0.5],
  [500, 50, 0.7],
  [500, 49.9, 0.6],
  [500, 20, 0.6],
  [500, 19.9, 0.5],
])('of %p lots at a sell-through of %p, %p is sold', (lots, sellThrough, soldShare) => {
  const rows = [shown({ lots, units: 5_000 })];
  expect(estimateParts(rows, { ...set, sellThrough }, now)?.soldShare).toBe(soldShare);
});

test('lots that no source says are estimated from the pieces', () => {
  const bare = { lots: null, units: null };
  expect(estimateParts([shown(bare)], set, now)).toMatchObject({ lots: 300, areLotsGuessed: true });
  expect(estimateParts([shown(bare)], { ...set, pieces: 3 }, now)).toMatchObject({ lots: 3 });
});

test('there is none without a recent amount in dollars, or without any count of pieces', () => {
  expect(estimateParts([], set, now)).toBeNull();
  expect(estimateParts([shown({ amountCents: null })], set, now)).toBeNull();
  expect(estimateParts([shown({ observedAt: now - 180 * dayMs })], set, now)).not.toBeNull();
  expect(estimateParts([shown({ observedAt: now - 181 * dayMs })], set, now)).toBeNull();
  const uncounted = { ...set, pieces: null };
  expect(estimateParts([shown({ units: null })], uncounted, now)).toBeNull();
});
