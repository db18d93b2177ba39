/** The sample of items to learn from: pseudo-random, and independent of later sales. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { monthStart, parseMonth } from '../../kernel/time.ts';
import { type Candidate, LearnedItems, sampleRank } from './learned-items.ts';

const june = parseMonth('2026-06') ?? 0;

const candidate = (key: string, firstSoldAt = monthStart(june) - 1): Candidate => ({
  rank: sampleRank(key),
  firstSoldAt,
});

const keys = Array.from({ length: 50 }, (_, index) => `${1000 + index}`);

test('ranks never change, so that samples can be reproduced', () => {
  expect(['', '75192-1', 'sw0001'].map(sampleRank)).toEqual([536000084, 2569576560, 1949179361]);
});

test('if there are few items, all that were sold before the month are in the sample', () => {
  const items = [candidate('a'), candidate('b', monthStart(june))];
  const learned = new LearnedItems(items, 10);
  expect(items.map((item) => learned.has(item, june))).toEqual([true, false]);
  expect(items.map((item) => learned.has(item, june + 1))).toEqual([true, true]);
});

test('if there are many items, those with the lowest ranks are in the sample', () => {
  const items = keys.map((key) => candidate(key));
  const learned = new LearnedItems(items, 10);
  const chosen = items.filter((item) => learned.has(item, june));
  const lowest = items.map(({ rank }) => rank).sort((a, b) => a - b)[9] ?? 0;
  expect(chosen).toHaveLength(10);
  expect(chosen.every(({ rank }) => rank <= lowest)).toBe(true);
});

test('later first sales and the order of items do not change the sample', () => {
  const some = fc.array(
    fc.record({ key: fc.string(), daysBefore: fc.integer({ min: -60, max: 60 }) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 20 }), (drawn, max) => {
      const items = drawn.map(({ key, daysBefore }) =>
        candidate(key, monthStart(june) - daysBefore * 86_400_000),
      );
      const known = items.filter(({ firstSoldAt }) => firstSoldAt < monthStart(june));
      const all = new LearnedItems([...items].reverse(), max);
      const early = new LearnedItems(known, max);
      for (const item of items) expect(all.has(item, june)).toBe(early.has(item, june));
    }),
    { seed: 31, numRuns: 300 },
  );
});

test('items outside the sample do not affect it', () => {
  const items = keys.map((key) => candidate(key));
  const all = new LearnedItems(items, 10);
  const chosen = items.filter((item) => all.has(item, june));
  const again = new LearnedItems(chosen, 10);
  expect(chosen.every((item) => again.has(item, june))).toBe(true);
});

test('ranks are independent of keys: low and high numbers are about equally likely', () => {
  const items = Array.from({ length: 10_000 }, (_, index) => candidate(`${10_000 + index}-1`));
  const learned = new LearnedItems(items, 1_000);
  const low = items.slice(0, 5_000).filter((item) => learned.has(item, june)).length;
  expect(low).toBeWithin(430, 570);
});
