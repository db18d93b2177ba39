/** Counts, pace and variance of sales. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fullCount, noon } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import { SaleTrack } from './sale-track.ts';

describe('counting', () => {
  const times = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });

  test('only sales after an instant are counted', () => {
    const track = new SaleTrack(0.15);
    for (const at of [10, 20, 20, 30]) track.accept(at, fullCount);
    expect([0, 10, 19, 20, 29, 30].map((after) => track.countSince(after))).toEqual([
      4, 3, 3, 1, 1, 0,
    ]);
  });

  test('sales are kept in order', () => {
    fc.assert(
      fc.property(times, (list) => {
        const track = new SaleTrack(0.15);
        for (const at of list) track.accept(at, fullCount);
        expect(track.times).toEqual([...list].sort((a, b) => a - b));
      }),
      { seed: 200 },
    );
  });

  test('support is 0, 1, 3 or 10, by the sales of half a year', () => {
    fc.assert(
      fc.property(times, (list) => {
        const track = new SaleTrack(0.15);
        for (const day of list) track.accept(noon - day * dayMs, fullCount);
        const count = list.filter((day) => day < 180).length;
        const wanted = [10, 3, 1].find((least) => count >= least) ?? 0;
        expect(track.supportAt(noon)).toBe(wanted);
      }),
      { seed: 201 },
    );
  });
});

describe('effective sales', () => {
  const track = new SaleTrack(0.15);
  for (const [at, share] of [
    [10, 1],
    [30, 0.5],
    [40, 1],
    [20, 0.25],
  ] as const) {
    track.accept(at, { ...fullCount, share });
  }

  test('are the sum of the shares after an instant', () => {
    expect([0, 10, 20, 30, 40].map((after) => track.effectiveSince(after))).toEqual([
      2.75, 1.75, 1.5, 1, 0,
    ]);
  });

  test('are reached by the latest sales', () => {
    expect([1, 1.1, 1.5, 1.75, 2.75].map((sales) => track.reachedAt(sales, 0))).toEqual([
      40, 30, 30, 20, 10,
    ]);
    expect(track.reachedAt(2.8, 0)).toBe(Number.NEGATIVE_INFINITY);
    expect(track.reachedAt(1.5, 30)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('scatter', () => {
  test('has a learning rate of 1/8 at the first sale', () => {
    const track = new SaleTrack(0.2);
    track.learnScatter(0.3, 0.02, 2);
    // 0.09 / 2, less half of the value's variance of 0.02, times 1.15.
    expect(track.variance).toBeCloseTo((7 / 8) * 0.04 + (1 / 8) * 1.15 * 0.035, 12);
  });

  test('has a falling learning rate, down to 1/48', () => {
    const track = new SaleTrack(0.2);
    for (let sale = 0; sale < 100; sale++) track.accept(sale, fullCount);
    track.learnScatter(0.3, 0, 1);
    expect(track.variance).toBeCloseTo((47 / 48) * 0.04 + (1 / 48) * 1.15 * 0.09, 12);
  });

  test('is bounded for outliers and from below', () => {
    const track = new SaleTrack(0.2);
    track.learnScatter(50, 0, 1);
    expect(track.variance).toBeCloseTo((7 / 8) * 0.04 + (1 / 8) * 1.15 * 6.25 * 0.04, 12);
    for (let sale = 0; sale < 500; sale++) track.learnScatter(0, 0, 1);
    expect(track.variance).toBeCloseTo(0.0025, 12);
  });
});

describe('the pace of sales', () => {
  const track = new SaleTrack(0.15);
  for (let month = 12; month >= 1; month--) track.accept(noon - month * 30 * dayMs, fullCount);

  test('is that of the year before', () => {
    expect(track.expectedSales(noon, noon + 60 * dayMs)).toBeCloseTo((12 / 360) * 60, 6);
    expect(track.expectedSales(noon - 180 * dayMs, noon)).toBeCloseTo((7 / 180) * 180, 6);
  });

  test('is that of rated sales', () => {
    const some = new SaleTrack(0.15);
    for (let month = 12; month >= 1; month--) {
      some.accept(noon - month * 30 * dayMs, { ...fullCount, isRated: month % 2 === 0 });
    }
    expect(some.expectedSales(noon, noon + 60 * dayMs)).toBeCloseTo((6 / 360) * 60, 6);
  });

  test('of a few days is not that of a quarter', () => {
    const young = new SaleTrack(0.15);
    for (const day of [3, 2, 1]) young.accept(noon - day * dayMs, fullCount);
    expect(young.expectedSales(noon, noon + 90 * dayMs)).toBeCloseTo(3, 6);
  });

  test('has no limit if nothing was sold in a year', () => {
    expect(new SaleTrack(0.15).expectedSales(noon, noon + 1)).toBe(Number.POSITIVE_INFINITY);
    const old = new SaleTrack(0.15);
    old.accept(noon - 365 * dayMs, fullCount);
    expect(old.expectedSales(noon, noon + 1)).toBe(Number.POSITIVE_INFINITY);
    old.accept(noon - 364 * dayMs, fullCount);
    expect(old.expectedSales(noon, noon + dayMs)).toBeCloseTo(1 / 365, 3);
  });

  test('makes sales in a burst noisier', () => {
    const burst = new SaleTrack(0.15);
    for (let month = 12; month >= 1; month--) burst.accept(noon - month * 30 * dayMs, fullCount);
    const factors = [0, 1, 2, 3].map(() => {
      const factor = burst.burstNoise(noon);
      burst.accept(noon, fullCount);
      return factor;
    });
    const usual = 1 + (2 * 7 * 12) / 353;
    expect(factors[0]).toBe(1);
    for (const [index, factor] of factors.slice(1).entries()) {
      expect(factor).toBeCloseTo((index + 2) / usual, 2);
    }
  });
});
