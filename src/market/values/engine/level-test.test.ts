/** When outliers are a new price level. */
import { describe, expect, test } from 'bun:test';
import { noon, pricedSale, type SomeSale } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import { LevelTest } from './level-test.ts';

/** One sale a day, unless the test says otherwise. */
const daily = { expectedSales: (from: number, to: number) => (to - from) / dayMs, sellers: 3 };

interface OddSale extends SomeSale {
  readonly sign?: number;
}

/** The number of sales released after each outlier. */
const released = (levels: LevelTest, sales: readonly OddSale[], pace = daily) =>
  sales.map(({ sign = -1, ...sale }) => {
    const odd = { ...pricedSale(sale), noise: 1, sign };
    return levels.quarantine(odd, pace).length;
  });

const days = (...list: number[]) => list.map((day) => ({ day }));

describe('a level shift', () => {
  test('needs three agreeing outliers, and is applied once', () => {
    expect(released(new LevelTest(), days(0, 5, 10, 15))).toEqual([0, 0, 3, 0]);
  });

  test('needs the time in which four sales are expected', () => {
    expect(released(new LevelTest(), days(0, 1, 3, 3.9, 4))).toEqual([0, 0, 0, 0, 5]);
  });

  test('needs six sellers in a shorter time', () => {
    const burst = [0, 1, 2, 3, 4, 5].map((index) => ({ day: 0, log: 5 + index / 25 }));
    expect(released(new LevelTest(), burst)).toEqual([0, 0, 0, 0, 0, 6]);
  });

  test('needs outliers within a year', () => {
    expect(released(new LevelTest(), days(0, 30, 365))).toEqual([0, 0, 3]);
    expect(released(new LevelTest(), days(0, 30, 366))).toEqual([0, 0, 0]);
    expect(released(new LevelTest(), days(0, 30, 366, 367))).toEqual([0, 0, 0, 3]);
  });

  test('needs outliers in one direction, within 0.25 of their median', () => {
    const signs = [-1, 1, -1, 1, -1].map((sign, index) => ({ day: 3 * index, sign }));
    expect(released(new LevelTest(), signs)).toEqual([0, 0, 0, 0, 3]);
    const logs = (...list: number[]) => list.map((log, index) => ({ day: 3 * index, log }));
    expect(released(new LevelTest(), logs(5, 4.75, 5.25))).toEqual([0, 0, 3]);
    expect(released(new LevelTest(), logs(5, 4.74, 5.25))).toEqual([0, 0, 0]);
  });

  test('needs two sellers', () => {
    const by = (...sellers: string[]) => sellers.map((seller, day) => ({ day: 3 * day, seller }));
    expect(released(new LevelTest(), by('a', 'a', 'a', 'a'))).toEqual([0, 0, 0, 0]);
    expect(released(new LevelTest(), by('a', 'a', 'b'))).toEqual([0, 0, 3]);
  });

  test('is not applied while sales confirm the old level', () => {
    // The error of an ordinary sale after the second outlier, and whether it contradicts the shift.
    for (const [sign, error, isContrary] of [
      [-1, 0, true],
      [-1, -0.9, true],
      [-1, 2, true],
      [-1, -1, false],
      [-1, -1.1, false],
      [1, -2, true],
      [1, 0.9, true],
      [1, 1, false],
      [1, 1.1, false],
    ] as const) {
      const levels = new LevelTest();
      released(levels, [
        { day: 0, sign },
        { day: 3, sign },
      ]);
      levels.noteSale(noon + 4 * dayMs, error);
      expect(levels.agreement()).toEqual(isContrary ? null : expect.anything());
      expect(released(levels, [{ day: 6, sign }])).toEqual([isContrary ? 0 : 3]);
    }
  });

  test('is not prevented by an ordinary sale before the first outlier', () => {
    const levels = new LevelTest();
    levels.noteSale(noon - 1, 0);
    expect(released(levels, days(0, 3, 6))).toEqual([0, 0, 3]);
    const late = new LevelTest();
    released(late, days(0));
    late.noteSale(noon + 0.5 * dayMs, 0);
    // An earlier ordinary sale reported later does not change that.
    late.noteSale(noon - dayMs, 0);
    expect(released(late, days(3, 6))).toEqual([0, 0]);
  });
});

test('a return to the level before needs the same proof as any other level', () => {
  const levels = new LevelTest();
  expect(released(levels, days(0, 3, 6))).toEqual([0, 0, 3]);
  const back = [7, 8, 10, 12].map((day) => ({ day, log: 6, sign: 1 }));
  expect(released(levels, back)).toEqual([0, 0, 0, 4]);
});

describe('a source without seller names', () => {
  const by = (sellersMax: number) => [0, 3, 6, 9].map((day) => ({ day, seller: null, sellersMax }));

  test('is as many sellers as its usual pace allows, one a day', () => {
    expect(released(new LevelTest(), by(1.9))).toEqual([0, 0, 0, 0]);
    expect(released(new LevelTest(), by(2))).toEqual([0, 0, 3, 0]);
    const levels = new LevelTest();
    released(levels, by(Number.POSITIVE_INFINITY).slice(0, 2));
    expect(levels.agreement()?.sellers).toBe(2);
  });

  test('counts besides sellers with names', () => {
    const levels = new LevelTest();
    released(levels, [{ day: 0 }, ...by(1.5).slice(1, 3)]);
    expect(levels.agreement()).toBeNull();
    const doubted = new LevelTest();
    released(doubted, [{ day: 0 }, ...by(1.5).slice(1, 2)]);
    expect(doubted.agreement()?.sellers).toBe(2);
  });
});

test('outliers that prove nothing yet are known', () => {
  const levels = new LevelTest();
  expect(levels.agreement()).toBeNull();
  released(levels, days(0, 1));
  expect(levels.agreement()).toMatchObject({ sales: 2, sellers: 2, log: 5 });
});
