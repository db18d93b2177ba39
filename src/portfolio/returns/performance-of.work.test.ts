/** Performance from given lots and sales. */
import { describe, expect, test } from 'bun:test';
import { wholeShare } from '../../market/grades/grades.ts';
import type { PositionGroup } from './analytics.work.ts';
import { firstPurchase, performanceOf, withMonths } from './performance.work.ts';
import type { PortfolioData } from './portfolio-data.work.ts';
import type { Position } from './value-history.ts';

const today = 20_000;

const lotOf = (facts: Partial<Position> = {}): Position => ({
  key: '1',
  condition: 'sealed',
  boughtOn: today - 100,
  quantity: 1,
  priceCents: 10_00,
  isEstimated: false,
  isDated: true,
  exits: [],
  ...facts,
});

/** A set that was worth 20 until two days ago, and is worth 30 now. */
const groupOf = (positions: readonly Position[]): PositionGroup => ({
  kind: 'set',
  key: '1',
  condition: 'sealed',
  grade: null,
  share: wholeShare,
  history: {
    early: [
      { day: today - 500, cents: 20_00 },
      { day: today - 1, cents: 25_00 },
    ],
    months: null,
    liveCents: 30_00,
  },
  positions,
});

const days = [today - 2, today - 1, today];
const read = (
  groups: readonly PositionGroup[],
  sales: Parameters<typeof performanceOf>[1] = [],
  range: Parameters<typeof performanceOf>[2]['range'] = '30d',
) => performanceOf(groups, sales, { range, span: { days } as never });

/** Counts turns of the event loop. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}

test('the first purchase is the earliest known one', () => {
  const lots = [5, 3, 4, 6].map((boughtOn) => lotOf({ boughtOn, isDated: boughtOn !== 3 }));
  expect(firstPurchase([groupOf(lots.slice(0, 1)), groupOf(lots.slice(1))])).toBe(4);
  expect(firstPurchase([groupOf(lots.slice(1, 2))])).toBe(Number.POSITIVE_INFINITY);
  expect(firstPurchase([])).toBe(Number.POSITIVE_INFINITY);
});

describe('older months', () => {
  const months = { firstMonth: 600 as never, valueCents: [1, 2] };
  const portfolioOf = (found: readonly (typeof months | null)[]) => {
    let asked = 0;
    const findMonthValues = async () => {
      asked++;
      return found;
    };
    const portfolio = { market: { findMonthValues } } as unknown as PortfolioData;
    return { portfolio, asked: () => asked };
  };

  test.each([
    [[0], 0],
    [[1_000, 1_366], 0],
    [[1_000, 1_001, 1_367], 1],
    [[1_000, 1_367], 1],
  ])('are read for a range of more than a year: %j', async (days, times) => {
    const { portfolio, asked } = portfolioOf([months]);
    const groups = [groupOf([lotOf()])];
    const [group] = await withMonths(portfolio, groups, { days } as never);
    expect(asked()).toBe(times);
    expect(group?.history.months).toEqual(times === 1 ? months : null);
  });

  test('are not replaced if there are none', async () => {
    const { portfolio } = portfolioOf([null, months]);
    const known = { ...groupOf([]), history: { ...groupOf([]).history, months } };
    const groups = [known, groupOf([])];
    const span = { days: [0, 1_000] } as never;
    const found = await withMonths(portfolio, groups, span);
    expect(found.map(({ history }) => history.months)).toEqual([months, months]);
    expect(await turnsOf(() => withMonths(portfolio, groups, span))).toBe(1);
  });
});

describe('the performance', () => {
  test('counts gains from the first day of the range', async () => {
    const result = await read([groupOf([lotOf({ quantity: 2 })])]);
    expect(result.sums).toEqual([
      { day: today - 2, valueCents: 40_00, costCents: 20_00, atCostCents: 0 },
      { day: today - 1, valueCents: 50_00, costCents: 20_00, atCostCents: 0 },
      { day: today, valueCents: 60_00, costCents: 20_00, atCostCents: 0 },
    ]);
    expect(result).toMatchObject({
      timeWeightedReturn: 0.5,
      unrealizedChangeCents: 20_00,
      unrealizedGainCents: 40_00,
      undatedLots: 0,
    });
  });

  test('has undated lots only in its sums, and counts those with units left', async () => {
    const exits = [{ day: today - 1, quantity: 1, netCents: 5_00 }];
    const undated = [lotOf({ isDated: false }), lotOf({ isDated: false, exits })];
    const result = await read([groupOf([lotOf(), ...undated]), groupOf(undated.slice(0, 1))]);
    expect(result.sums.map(({ valueCents }) => valueCents)).toEqual([80_00, 75_00, 90_00]);
    expect(result).toMatchObject({ undatedLots: 2, unrealizedChangeCents: 10_00 });
    expect(result.timeWeightedReturn).toBeCloseTo(0.5, 12);
  });

  test('has no change if no date is known, or if nothing is held', async () => {
    const undated = await read([groupOf([lotOf({ isDated: false })])]);
    expect(undated.unrealizedChangeCents).toBeNull();
    expect(await read([])).toMatchObject({
      unrealizedChangeCents: 0,
      unrealizedGainCents: 0,
      timeWeightedReturn: null,
      undatedLots: 0,
    });
  });

  test.each([
    ['30d', 7_00],
    ['all', 107_00],
  ] as const)('over %s has the profit of sales after its first day', async (range, cents) => {
    const sales = [
      { day: today - 2, profitCents: 100_00 },
      { day: today - 1, profitCents: 5_00 },
      { day: today, profitCents: 2_00 },
    ];
    const rows = sales as unknown as Parameters<typeof performanceOf>[1];
    expect((await read([], rows, range)).realizedGainCents).toBe(cents);
  });

  test.each([
    [0, 3],
    [500, 4],
    [1_000, 5],
  ])('of %i sets yields %i times', async (count, turns) => {
    const groups = Array.from({ length: count }, () => groupOf([lotOf()]));
    expect(await turnsOf(() => read(groups))).toBe(turns);
    expect((await read(groups)).sums.at(-1)?.valueCents).toBe(count * 30_00);
  });
});
