/** A sum varies less than its parts, but never less than the errors that they share. */
import { expect, test } from 'bun:test';
import { normalAbove } from '../../market/values/price.ts';
import { type BoxItem, rangeOfSum, shapeOfSum } from './box-sum.ts';

const item: BoxItem = {
  quantity: 1,
  log: Math.log(100_00),
  valueSpread: 0.06,
  saleSpread: 0.08,
  soldAbove: normalAbove,
  theme: null,
  waitDays: 0,
  growthPerYear: null,
};
const spreadOf = (items: readonly BoxItem[]) => shapeOfSum(items)?.spread ?? Number.NaN;
const many = (of: Partial<BoxItem>, count = 40) => Array<BoxItem>(count).fill({ ...item, ...of });

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

test('items of one theme also share the error of the theme', () => {
  expect(spreadOf(many({ theme: 'Space' }, 100_000))).toBeCloseTo(Math.hypot(0.02, 0.02), 3);
  const mixed = Array.from({ length: 40 }, (_, index) => ({ ...item, theme: String(index) }));
  expect(spreadOf(mixed)).toBeCloseTo(spreadOf(many({})), 9);
  expect(spreadOf(many({ theme: 'Space' }))).toBeGreaterThan(spreadOf(mixed));
});

test('the range widens with the wait, and more for items that move together', () => {
  const ratio = (of: Partial<BoxItem>) => {
    return spreadOf(many({ ...of, waitDays: 365.25 })) / spreadOf(many(of));
  };
  expect(spreadOf([{ ...item, waitDays: 365.25 }])).toBeCloseTo(
    Math.hypot(0.1, 0.05, 0.05, 0.15),
    9,
  );
  expect(spreadOf(many({ waitDays: 365.25 }, 100_000))).toBeCloseTo(Math.hypot(0.02, 0.05), 3);
  expect(ratio({ theme: 'Space' })).toBeGreaterThan(1.8);
});

test('values grow until they are sold, for at most two years', () => {
  const median = (waitDays: number) => rangeOfSum([{ ...item, waitDays }])?.medianCents;
  expect(median(365.25)).toBe(Math.round(100_00 * Math.exp(0.05)));
  expect(median(10_000)).toBe(median(2 * 365.25));
  const learned = rangeOfSum([{ ...item, waitDays: 365.25, growthPerYear: -0.1 }]);
  expect(learned?.medianCents).toBe(Math.round(100_00 * Math.exp(-0.1)));
});

test('sales with heavy tails make sums vary more', () => {
  const heavy = normalAbove.map((quantile) => 1.5 * quantile);
  expect(spreadOf([{ ...item, soldAbove: heavy }])).toBeCloseTo(0.15, 9);
});

test('an empty box has no range', () => {
  expect(rangeOfSum([])).toBeNull();
});
