/** Accuracy of a few predictions that can be checked by hand. */
import { expect, test } from 'bun:test';
import { Bootstrap, intervalOf } from './bootstrap.ts';
import { accuracyOf, noiseFloor, saleWeighted } from './metrics.ts';
import type { Score } from './score.ts';
import { slicesOf } from './slices.ts';

/** A predicted and a sold price in dollars, for a true value of 100. */
function score(predicted: number | null, sold: number, facts: Partial<Score> = {}): Score {
  const log = (dollars: number) => Math.log(dollars * 100);
  const range =
    predicted === null ? null : { low: log(predicted * 0.9), high: log(predicted * 1.2) };
  const prediction = predicted === null ? null : { log: log(predicted), range, tier: null };
  return {
    item: '1',
    condition: 'sealed',
    support: '10+',
    isFirst: false,
    tier: 'high',
    isAroundRetirement: false,
    monthSales: 1,
    nextLog: null,
    soldLog: log(sold),
    trueLog: log(100),
    predictions: [prediction],
    ...facts,
  };
}

test('errors, shares, bias and coverage cover only scores with a prediction', () => {
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
  expect(accuracy.range?.coverage).toBeCloseTo(3 / 5, 9);
  expect(accuracy.range?.width).toBeCloseTo(1.2 / 0.9, 9);
  // The width ln(1.2 ÷ 0.9), and ten times ln(125 ÷ 120) and ln(135 ÷ 100) for two in five.
  const missed = 10 * (Math.log(125 / 120) + Math.log(1.35));
  expect(accuracy.range?.winkler).toBeCloseTo(Math.log(1.2 / 0.9) + missed / 5, 9);
});

test('the next 30 days count if they are known', () => {
  const scores = [score(100, 90, { nextLog: Math.log(80_00) }), score(100, 90)];
  expect(accuracyOf(scores, 0)).toMatchObject({ nextCount: 1 });
  expect(accuracyOf(scores, 0).nextError).toBeCloseTo(0.25, 9);
});

test('weighted by sales, a month counts by its number of sales', () => {
  const scores = [
    score(110, 100, { monthSales: 1 }),
    score(130, 100, { monthSales: 5 }),
    score(105, 100, { monthSales: 2 }),
  ];
  const weighted = saleWeighted(scores, 0);
  expect(weighted.saleError).toBeCloseTo(0.3, 9);
  expect(weighted.trueError).toBeCloseTo(0.3, 9);
  // 130 has a range from 117 on.
  expect(weighted.coverage).toBeCloseTo(3 / 8, 9);
});

test('the noise floor is the error of the true value', () => {
  // 100 against 100, 125 and 80: 0, 0.2 and 0.25.
  expect(noiseFloor([score(1, 100), score(1, 125), score(1, 80)])).toBeCloseTo(0.2, 9);
});

test('without scores, metrics are NaN or null', () => {
  expect(accuracyOf([], 0)).toMatchObject({
    count: 0,
    saleError: Number.NaN,
    within10: Number.NaN,
    range: null,
  });
  expect(accuracyOf([score(null, 100)], 0)).toMatchObject({ count: 0, range: null });
});

test('slices divide the scores by support, tier, price and retirement', () => {
  const scores = [
    score(100, 100),
    score(120, 100, { condition: 'used', support: '1-2', tier: 'low', isAroundRetirement: true }),
  ];
  const slices = slicesOf(scores, { engine: 0, simple: 0 });
  expect(slices.map(({ part, engine }) => [part, engine.count])).toEqual([
    ['sealed, 10+', 1],
    ['used, 1-2', 1],
    ['high', 1],
    ['low', 1],
    ['100 to 300 $', 2],
    ['-3 to +12 months', 1],
    ['else', 1],
  ]);
  expect(slices[1]?.engine.saleError).toBeCloseTo(0.2, 9);
});

test('whole items are resampled, so the interval of one item is a point', () => {
  const one = [score(110, 100), score(130, 100), score(150, 100)];
  let drawn = 0;
  const alone = new Bootstrap(one, { resamples: 5, nextIndex: (count) => drawn++ % count });
  for (const median of alone.medians(0, 'soldLog')) expect(median).toBeCloseTo(0.3, 9);
  // Two items, drawn as the first twice, then the second twice, and so on; then one of each.
  const two = [...one, score(200, 100, { item: '2' })];
  const turns = [0, 0, 1, 1, 0, 1];
  let turn = 0;
  const both = new Bootstrap(two, { resamples: 3, nextIndex: () => turns[turn++] ?? 0 });
  // The first item twice; the second twice; 0.1, 0.3, 0.5 and 1.
  const medians = both.medians(0, 'soldLog');
  for (const [place, wanted] of [0.3, 1, 0.4].entries()) {
    expect(medians[place]).toBeCloseTo(wanted, 9);
  }
  // From 0.3, 0.4 and 1: a tenth of the way from the ends to the middle.
  expect(intervalOf(medians).low).toBeCloseTo(0.31, 9);
  expect(intervalOf(medians).high).toBeCloseTo(0.94, 9);
});

test('bands include their lower bound', () => {
  const worth = (dollars: number) => score(1, 1, { trueLog: Math.log(dollars * 100) });
  const bandOf = (dollars: number) =>
    slicesOf([worth(dollars)], { engine: 0, simple: 0 })
      .filter(({ by }) => by === 'true value')
      .map(({ part }) => part);
  for (const [band, from, to] of [
    ['below 25 $', 0.5, 24.99],
    ['25 to 100 $', 25, 99.99],
    ['100 to 300 $', 100, 299.99],
    ['300 $ and above', 300, 9_000],
  ] as const) {
    expect([bandOf(from), bandOf(to)]).toEqual([[band], [band]]);
  }
});

test('most scores are not around retirement', () => {
  const scores = [score(1, 1), score(1, 1), score(1, 1, { isAroundRetirement: true })];
  const slices = slicesOf(scores, { engine: 0, simple: 0 }).slice(-2);
  expect(slices.map(({ part, engine }) => [part, engine.count])).toEqual([
    ['-3 to +12 months', 1],
    ['else', 2],
  ]);
});

test('ranges include their ends', () => {
  const end = score(100, 90, { soldLog: Math.log(90 * 100) });
  expect(saleWeighted([end], 0).coverage).toBe(1);
  expect(saleWeighted([score(null, 100)], 0).coverage).toBeNull();
  const plain = { ...score(100, 100), predictions: [{ log: 9, range: null, tier: null }] };
  expect(saleWeighted([plain], 0).coverage).toBeNull();
});

test('the error against the next 30 days is a median, and shares within 10% and 20% are exact', () => {
  const scores = [80, 90, 100].map((dollars) =>
    score(100, 100, { nextLog: Math.log(dollars * 100), soldLog: 0, trueLog: 0 }),
  );
  expect(accuracyOf(scores, 0).nextError).toBeCloseTo(1 / 9, 9);
  const exact = score(null, 100, { soldLog: 0, trueLog: 0 });
  const off = (error: number) => ({
    ...exact,
    predictions: [{ log: Math.log1p(error), range: null, tier: null }],
  });
  const { within10, within20 } = accuracyOf([off(0.09), off(0.11), off(0.19), off(0.21)], 0);
  expect([within10, within20]).toEqual([1 / 4, 3 / 4]);
});
