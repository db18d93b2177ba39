/** Histograms have the same ranks as sorting, up to the size of a bin. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Histogram, MonthlyHistograms } from './histogram.ts';

const bins = { min: -2, max: 2, step: 0.01 };
const numbers = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
});

function histogramOf(list: readonly number[]): Histogram {
  const histogram = new Histogram(bins);
  for (const number of list) histogram.add(number);
  return histogram;
}

const half = bins.step / 2 + 1e-9;

describe('a histogram', () => {
  test('has the same ranks as sorting', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const histogram = histogramOf(list);
        expect(histogram.count).toBe(list.length);
        const sorted = [...list].sort((a, b) => a - b);
        for (const [index, number] of sorted.entries()) {
          expect(Math.abs(histogram.atRank(index + 1) - number)).toBeLessThanOrEqual(half);
        }
      }),
      { seed: 221 },
    );
  });

  test('clamps ranks', () => {
    const histogram = histogramOf([0.5, -0.5, 1]);
    expect(histogram.atRank(0)).toBeCloseTo(-0.5, 9);
    expect(histogram.atRank(9)).toBeCloseTo(1, 9);
  });

  test('has the mean of the two middle values as median', () => {
    expect(histogramOf([0.1, 0.5, 0.2]).median()).toBeCloseTo(0.2, 9);
    expect(histogramOf([0.1, 0.5, 0.2, 0.4]).median()).toBeCloseTo(0.3, 9);
  });

  test('clamps values to its bounds', () => {
    const histogram = histogramOf([-9, 9, 0]);
    expect([1, 2, 3].map((rank) => histogram.atRank(rank))).toEqual([-2, 0, 2]);
  });

  test('has no ranks if empty', () => {
    expect(new Histogram(bins).atRank(1)).toBeNaN();
    expect(new Histogram(bins).median()).toBeNaN();
  });

  test('does not depend on the order of values or on merging', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const whole = histogramOf([...b, ...a]);
        const parts = histogramOf(a);
        parts.addAll(histogramOf(b));
        expect(parts.count).toBe(whole.count);
        for (let rank = 1; rank <= whole.count; rank++) {
          expect(parts.atRank(rank)).toBe(whole.atRank(rank));
        }
      }),
      { seed: 222 },
    );
  });
});

test('histograms of months in [from, before) are merged by name', () => {
  const months = new MonthlyHistograms(bins);
  for (const month of [1, 2, 2, 3, 4]) months.add(month, 'a', month / 10);
  months.add(2, 'b', 1);
  const ranks = (name: string, from: number, before: number) => {
    const { count } = months.between(name, from, before);
    const histogram = months.between(name, from, before);
    return Array.from({ length: count }, (_, i) => Math.round(histogram.atRank(i + 1) * 10));
  };
  expect(ranks('a', 2, 4)).toEqual([2, 2, 3]);
  expect(ranks('a', -99, 99)).toEqual([1, 2, 2, 3, 4]);
  expect(ranks('b', 2, 3)).toEqual([10]);
  expect(ranks('c', 0, 9)).toEqual([]);
});
