/** The range of a sum is narrower than its parts', but never narrower than what they share. */
import { expect, test } from 'bun:test';
import { type BoxItem, rangeOfSum, shapeOfSum } from './box-sum.ts';

const item: BoxItem = { quantity: 1, log: Math.log(100_00), valueSpread: 0.06, saleSpread: 0.08 };
const spreadOf = (items: readonly BoxItem[]) => shapeOfSum(items)?.spread ?? Number.NaN;

test('one unit has the range of its sales', () => {
  expect(spreadOf([item])).toBeCloseTo(0.1, 9);
  expect(rangeOfSum([item])).toEqual({ lowCents: 87_97, medianCents: 100_00, highCents: 113_67 });
});

test('units of an item are wrong by its value together, and scatter each on its own', () => {
  expect(spreadOf([{ ...item, quantity: 4 }])).toBeCloseTo(Math.hypot(0.06, 0.08 / 2), 3);
  expect(spreadOf([{ ...item, quantity: 400 }])).toBeCloseTo(Math.hypot(0.06, 0.08 / 20), 3);
});

test('different items even out, but for what all values are wrong by', () => {
  const spread = (count: number) => spreadOf(Array<BoxItem>(count).fill(item));
  expect(spread(2)).toBeCloseTo(Math.hypot(0.1 / Math.SQRT2, 0.02 * Math.sqrt(1 / 2)), 3);
  expect(spread(100)).toBeCloseTo(Math.hypot(0.01, 0.02 * Math.sqrt(99 / 100)), 3);
  expect(spread(100_000)).toBeCloseTo(0.02, 3);
});

test('there is no range of nothing', () => {
  expect(rangeOfSum([])).toBeNull();
});
