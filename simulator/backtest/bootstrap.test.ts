/** Bootstrap: whole items are resampled. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { quantile } from '../../src/market/values/quantile.ts';
import { Bootstrap, intervalOf } from './bootstrap.ts';
import type { Score } from './score.ts';

/** A score of an item sold at 1 with a true value of 2, and one prediction or none. */
function score(item: string, predicted: number | null): Score {
  return {
    item,
    condition: 'sealed',
    support: '0',
    isFirst: false,
    isAroundRetirement: false,
    tier: null,
    monthSales: 1,
    soldLog: 0,
    trueLog: Math.log(2),
    nextLog: null,
    predictions: [
      predicted === null ? null : { log: Math.log(predicted), range: null, tier: null },
    ],
  };
}

/** Draws these indexes cyclically. */
function drawing(places: readonly number[], resamples = 1) {
  let turn = 0;
  return {
    resamples,
    nextIndex: (count: number) => (places[turn++ % places.length] ?? 0) % count,
  };
}

const rounded = (figures: readonly number[]) => figures.map((figure) => +figure.toFixed(9));

test('a drawn item counts with all its scores, for each draw', () => {
  const scores = [score('a', 1.1), score('b', 1.5), score('a', 1.3), score('c', 1.9)];
  const medians = (...places: number[]) =>
    rounded(new Bootstrap(scores, drawing(places)).medians(0, 'soldLog'));
  expect(medians(0, 1, 2)).toEqual([0.4]);
  expect(medians(0, 0, 1)).toEqual([0.3]);
  expect(medians(1, 2, 2)).toEqual([0.9]);
  expect(medians(1, 1, 1)).toEqual([0.5]);
});

test('resamples differ, and are the same for every target', () => {
  const scores = [score('a', 1.1), score('b', 1.5)];
  const bootstrap = new Bootstrap(scores, drawing([0, 0, 1, 1], 2));
  expect(rounded(bootstrap.medians(0, 'soldLog'))).toEqual([0.1, 0.5]);
  expect(rounded(bootstrap.medians(0, 'trueLog'))).toEqual([0.45, 0.25]);
});

test('the median of one score is itself, and of none is NaN', () => {
  const scores = [score('a', 1.1), score('b', null)];
  const medians = (...places: number[]) =>
    rounded(new Bootstrap(scores, drawing(places)).medians(0, 'soldLog'));
  expect(medians(0, 1)).toEqual([0.1]);
  expect(medians(1, 1)).toEqual([Number.NaN]);
});

test('the median equals that of the expanded sample', () => {
  const predicted = fc.array(
    fc.record({
      item: fc.constantFrom('a', 'b', 'c', 'd'),
      value: fc.double({ min: 1, max: 9, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(predicted, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), (list, places) => {
      const items = [...new Set(list.map(({ item }) => item))];
      const scores = list.map(({ item, value }) => score(item, value));
      const drawn = items.map((_, turn) => items[(places[turn] ?? 0) % items.length]);
      const errors = drawn.flatMap((name) =>
        list.filter(({ item }) => item === name).map(({ value }) => value - 1),
      );
      const [median] = new Bootstrap(scores, drawing(places)).medians(0, 'soldLog');
      expect(median).toBeCloseTo(quantile(errors, 0.5), 9);
    }),
    { seed: 210, numRuns: 200 },
  );
});

test('an interval contains nine in ten figures, ignoring NaN', () => {
  const figures = Array.from({ length: 101 }, (_, index) => index / 100);
  const { low, high } = intervalOf([Number.NaN, ...figures]);
  expect(low).toBeCloseTo(0.05, 9);
  expect(high).toBeCloseTo(0.95, 9);
});
