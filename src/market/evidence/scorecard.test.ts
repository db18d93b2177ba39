/** The scorecard: bins and their summaries, compared with cases computed by hand. */
import { expect, test } from 'bun:test';
import { binOf, inRangeTarget, makeScorecard, type ScoreCount, summarize } from './scorecard.ts';

const score = (bin: number, facts: Partial<ScoreCount> = {}): ScoreCount => ({
  week: 10,
  kind: 'set',
  condition: 'sealed',
  tier: 'high',
  bin,
  inRange: true,
  count: 1,
  ...facts,
});

test('ranges are meant to contain four in five sales', () => {
  expect(inRangeTarget).toBe(0.8);
});

test.each([
  ['the price itself', 100, 100, 0],
  ['ten per cent above', 110, 100, 10],
  ['ten per cent below', 90, 100, -11],
  ['a hair below', 99.7, 100, 0],
  ['a thousand times the price', 100_000, 100, 100],
  ['a thousandth of the price', 0.1, 100, -100],
])('a value of %s', (_, value, price, bin) => {
  // `toBe` distinguishes 0 from -0.
  expect(binOf(Math.log(value), Math.log(price))).toBe(bin);
});

test('the median of an odd number of sales is the middle one', () => {
  // Ratios 0.905, 1 and 1.221: the absolute errors are 0.095, 0 and 0.221.
  const summary = summarize([score(20), score(-10, { inRange: false }), score(0)]);
  expect(summary.sales).toBe(3);
  expect(summary.medianError).toBeCloseTo(1 - Math.exp(-0.1), 12);
  expect(summary.bias).toBe(0);
  expect(summary.inRange).toBeCloseTo(2 / 3, 12);
});

test('the median of an even number of sales is the mean of the middle two', () => {
  const summary = summarize([score(0), score(10), score(20), score(30)]);
  const expected = (Math.expm1(0.1) + Math.expm1(0.2)) / 2;
  expect(summary.medianError).toBeCloseTo(expected, 12);
  expect(summary.bias).toBeCloseTo(expected, 12);
});

test('a count equals that many single sales, in any order', () => {
  const counted = [score(30, { count: 2 }), score(-5, { count: 3 }), score(10, { count: 2 })];
  const single = [-5, 10, 30, -5, 30, 10, -5].map((bin) => score(bin));
  expect(summarize(counted)).toEqual(summarize(single));
  // In order: -5 -5 -5 10 10 30 30.
  expect(summarize(counted).bias).toBeCloseTo(Math.expm1(0.1), 12);
});

test('without sales there are no ratios', () => {
  const nothing = { sales: 0, medianError: null, bias: null, inRange: null };
  expect(summarize([])).toEqual(nothing);
  expect(makeScorecard([], 12)).toEqual({ weeks: [], groups: [], total: nothing });
});

test('weeks continue from the first sale to the requested week, including empty ones', () => {
  const { weeks, total } = makeScorecard([score(5, { week: 12 }), score(0), score(7)], 13);
  expect(weeks.map(({ week, sales }) => [week, sales])).toEqual([
    [10, 2],
    [11, 0],
    [12, 1],
    [13, 0],
  ]);
  expect(weeks[1]?.medianError).toBeNull();
  expect(total).toMatchObject({ sales: 3, inRange: 1 });
  expect(makeScorecard([score(5)], 8).weeks.map(({ week }) => week)).toEqual([10]);
});

test('only groups with sales are listed, best supported first', () => {
  const { groups } = makeScorecard(
    [
      score(0, { kind: 'minifig', condition: 'used' }),
      score(0, { condition: 'used', tier: 'low', inRange: false }),
      score(0, { tier: 'modeled', count: 4 }),
      score(0, { tier: 'medium' }),
      score(9, { tier: 'medium', week: 11 }),
    ],
    11,
  );
  const names = groups.map((group) => [group.kind, group.condition, group.tier, group.sales]);
  expect(names).toEqual([
    ['set', 'sealed', 'medium', 2],
    ['set', 'sealed', 'modeled', 4],
    ['set', 'used', 'low', 1],
    ['minifig', 'used', 'high', 1],
  ]);
  expect(groups[2]?.inRange).toBe(0);
});
