/** Learning from sales what a grade does to a price. */
import { expect, test } from 'bun:test';
import { aStoredSale } from '../../../test/support/builders.ts';
import { dayMs } from '../../kernel/time.ts';
import type { StoredSale } from '../source-rows/source-rows.ts';
import { learnGradeEffects } from './grade-learning.ts';
import { assumedEffects } from './grades.ts';

const before = Date.UTC(2026, 10, 1);

const sale = (facts: Partial<StoredSale>): StoredSale =>
  aStoredSale({
    condition: 'sealed',
    priceCents: 100_00,
    shippingCents: 0,
    currency: 'USD',
    usdPerUnit: 1,
    quantity: 1,
    channel: 'fixed',
    seller: null,
    completeness: null,
    soldAt: before - 30 * dayMs,
    ingestedAt: before - 30 * dayMs,
    retractedAt: null,
    ...facts,
  });

/** Three ordinary sales at 100, and damaged boxes at 80 by different sellers. */
const damagedSet = (facts: Partial<StoredSale> = {}, count = 5): StoredSale[] => [
  ...[95_00, 100_00, 110_00].map((priceCents) => sale({ priceCents })),
  ...Array.from({ length: count }, (_, index) =>
    sale({ priceCents: 80_00, completeness: 'damaged_box', seller: `s${index}`, ...facts }),
  ),
];

const learn = (sets: readonly StoredSale[][], knownBefore: number | null = null) =>
  learnGradeEffects(sets, { before, knownBefore });

test('a share is learned from sales of enough sets, tempered by the assumption', () => {
  const sets = Array.from({ length: 20 }, () => damagedSet());
  const { damaged_box, complete } = learn(sets);
  // 100 sales at 0.80 and the weight of 30 at 0.90.
  const expected = Math.exp((100 * Math.log(0.8) + 30 * Math.log(0.9)) / 130);
  expect(damaged_box).toEqual({ share: Math.round(expected * 1e4) / 1e4, sales: 100 });
  expect(complete).toEqual(assumedEffects.complete);
});

test('used sets lack their box, instructions or parts', () => {
  const used = (completeness: StoredSale['completeness'], priceCents: number) =>
    Array.from({ length: 5 }, (_, index) =>
      sale({ condition: 'used', completeness, priceCents, seller: `${completeness} ${index}` }),
    );
  const sets = Array.from({ length: 40 }, () => [
    ...used('complete', 50_00),
    ...used('no_box', 40_00),
    ...used('incomplete', 20_00),
    // Not known to be complete.
    ...used('unknown', 10_00),
  ]);
  const { damaged_box, complete, incomplete } = learn(sets);
  expect(damaged_box).toEqual(assumedEffects.damaged_box);
  expect(complete.share).toBeGreaterThan(0.8);
  expect(complete.share).toBeLessThan(0.84);
  expect(incomplete.share).toBeGreaterThan(0.4);
  expect(incomplete.share).toBeLessThan(0.46);
  expect([complete.sales, incomplete.sales]).toEqual([200, 200]);
});

test.each([
  ['few sets', Array.from({ length: 9 }, () => damagedSet())],
  ['few sales', Array.from({ length: 29 }, () => damagedSet({}, 1))],
  ['one seller', Array.from({ length: 20 }, () => damagedSet({ seller: 'one' }))],
  ['another channel', Array.from({ length: 20 }, () => damagedSet({ channel: 'auction' }))],
  ['another time', Array.from({ length: 20 }, () => damagedSet({ soldAt: before - 100 * dayMs }))],
  ['the future', Array.from({ length: 20 }, () => damagedSet({ soldAt: before + dayMs }))],
  ['large lots', Array.from({ length: 20 }, () => damagedSet({ quantity: 3 }))],
  ['retracted sales', Array.from({ length: 20 }, () => damagedSet({ retractedAt: before }))],
  ['sales without a rate', Array.from({ length: 20 }, () => damagedSet({ usdPerUnit: 0 }))],
])('nothing is learned from %s', (_, sets) => {
  expect(learn(sets)).toEqual(assumedEffects);
});

test('only sales that were known count, and later retractions do not', () => {
  const knownBefore = before - 10 * dayMs;
  const late = Array.from({ length: 20 }, () => damagedSet({ ingestedAt: before - dayMs }));
  expect(learn(late, knownBefore)).toEqual(assumedEffects);
  const retracted = Array.from({ length: 20 }, () => damagedSet({ retractedAt: before - dayMs }));
  expect(learn(retracted, knownBefore).damaged_box.sales).toBe(100);
});

test('a share that would break the order of grades is limited', () => {
  const sets = Array.from({ length: 40 }, () => damagedSet({ priceCents: 400_00 }));
  expect(learn(sets).damaged_box).toEqual({ share: 1, sales: 200 });
});
