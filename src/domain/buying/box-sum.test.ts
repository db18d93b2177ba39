/** A sum varies less than its parts, but never less than the error that they share. */
import { expect, test } from 'bun:test';
import { type BoxItem, rangeOfSum, shapeOfSum } from './box-sum.ts';

const item: BoxItem = { quantity: 1, log: Math.log(100_00), valueSpread: 0.06, saleSpread: 0.08 };
const spreadOf = (items: readonly BoxItem[]) => shapeOfSum(items)?.spread ?? Number.NaN;

test('the range of one unit is that of its sales', () => {
  expect(spreadOf([item])).toBeCloseTo(0.1, 9);
  expect(rangeOfSum([item])).toEqual({ lowCents: 87_97, medianCents: 100_00, highCents: 113_67 });
});

test('units of an item share the error of its value and scatter independently', () => {
  expect(spreadOf([{ ...item, quantity: 4 }])).toBeCloseTo(Math.hypot(0.06, 0.08 / 2), 3);
  expect(spreadOf([{ ...item, quantity: 400 }])).toBeCloseTo(Math.hypot(0.06, 0.08 / 20), 3);
});

test('different items average out, except for the shared error', () => {
  const spread = (count: number) => spreadOf(Array<BoxItem>(count).fill(item));
  expect(spread(2)).toBeCloseTo(Math.hypot(0.1 / Math.SQRT2, 0.02 * Math.sqrt(1 / 2)), 3);
  expect(spread(100)).toBeCloseTo(Math.hypot(0.01, 0.02 * Math.sqrt(99 / 100)), 3);
  expect(spread(100_000)).toBeCloseTo(0.02, 3);
});

test('an empty box has no range', () => {
  expect(rangeOfSum([])).toBeNull();
});
