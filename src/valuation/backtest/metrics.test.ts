/** Accuracy on a handful of predictions that can be checked by hand. */
import { expect, test } from 'bun:test';
import { accuracyOf, bootstrap, noiseFloor } from './metrics.ts';
import type { Score } from './run.ts';

/** A prediction of so many dollars for something worth 100 that sold at so many. */
function score(predicted: number | null, sold: number, facts: Partial<Score> = {}): Score {
  const log = Math.log;
  const range =
    predicted === null ? null : { low: log(predicted * 0.9), high: log(predicted * 1.2) };
  const prediction = predicted === null ? null : { log: log(predicted), range };
  return {
    ...{ item: '1', condition: 'sealed', bucket: '10+', isFirst: false, ...facts },
    ...{ soldLog: log(sold), trueLog: log(100), predictions: [prediction] },
  };
}

test('errors, shares, bias and coverage are those of the predictions that were made', () => {
  const scores = [
    score(100, 100), // exact, inside 90 to 120
    score(110, 100), // 10 % above, inside 99 to 132
    score(100, 125), // 20 % below, outside 90 to 120
    score(150, 100), // 50 % above, outside 135 to 180
    score(100, 95), // 5.26 % above, inside
    score(null, 70),
  ];
  const accuracy = accuracyOf(scores, 0);
  expect(accuracy.count).toBe(5);
  // 0, 0.0526, 0.1, 0.2, 0.5
  expect(accuracy.saleError).toBeCloseTo(0.1, 9);
  expect(accuracy.within10).toBeCloseTo(3 / 5, 9);
  expect(accuracy.within20).toBeCloseTo(4 / 5, 9);
  // A tenth of the way back from 0.5 to 0.2, of four steps.
  expect(accuracy.saleErrorP90).toBeCloseTo(0.5 - 0.4 * 0.3, 9);
  // Predicted over sold: 0.8, 1, 1.0526, 1.1, 1.5
  expect(accuracy.bias).toBeCloseTo(100 / 95 - 1, 9);
  // Against 100: 0, 0.1, 0, 0.5, 0
  expect(accuracy.trueError).toBeCloseTo(0, 9);
  expect(accuracy.trueWithin10).toBeCloseTo(4 / 5, 9);
  expect(accuracy.coverage).toBeCloseTo(3 / 5, 9);
  expect(accuracy.rangeWidth).toBeCloseTo(1.2 / 0.9, 9);
});

test('the floor is the error of the true value itself', () => {
  // 100 against 100, 125 and 80: 0, 0.2 and 0.25.
  expect(noiseFloor([score(1, 100), score(1, 125), score(1, 80)])).toBeCloseTo(0.2, 9);
});

test('of nothing, nothing is told', () => {
  expect(accuracyOf([], 0)).toMatchObject({ count: 0, saleError: Number.NaN, coverage: null });
  expect(accuracyOf([score(null, 100)], 0)).toMatchObject({ count: 0, rangeWidth: null });
});

test('whole items are drawn again, so that one item has no interval', () => {
  const error = (scores: readonly Score[]) => accuracyOf(scores, 0).saleError;
  const one = [score(110, 100), score(130, 100), score(150, 100)];
  let drawn = 0;
  const nextIndex = (count: number) => drawn++ % count;
  const interval = bootstrap(one, error, { resamples: 5, nextIndex });
  expect(interval.low).toBeCloseTo(0.3, 9);
  expect(interval.high).toBeCloseTo(0.3, 9);
  // Two items, drawn as the first twice, then the second twice, and so on.
  const two = [...one, score(200, 100, { item: '2' })];
  let index = -1;
  const inTurn = bootstrap(two, error, {
    resamples: 100,
    nextIndex: () => (Math.floor(++index / 2) % 2 === 0 ? 0 : 1),
  });
  expect(inTurn.low).toBeCloseTo(0.3, 9);
  expect(inTurn.high).toBeCloseTo(1, 9);
});
