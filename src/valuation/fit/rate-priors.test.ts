/** What is learned of how often things sell is what made them sell. */
import { describe, expect, test } from 'bun:test';
import { Random } from '../../simulate/random.ts';
import { RateCounts } from './rate-priors.ts';

/** Rates with a Gamma distribution of shape 2: the sum of two exponential ones. */
const drawRate = (random: Random, mean: number) =>
  random.exponential(mean / 2) + random.exponential(mean / 2);

describe('a prior', () => {
  const random = new Random(1, 'rates');
  const counts = new RateCounts();
  for (let item = 0; item < 4_000; item++) {
    // Half of the items were out for half of the time.
    const days = item % 2 === 0 ? 180 : 90;
    const often = random.poisson(drawRate(random, 0.05) * days);
    counts.add(['often', 'all'], { sales: often, days });
    counts.add(['seldom', 'all'], { sales: random.poisson(0.002 * days), days });
  }
  const { often, seldom, all } = counts.priors();

  test('is the distribution that rates were drawn from', () => {
    expect(often?.sales).toBeWithin(1.8, 2.2);
    expect((often?.sales ?? 0) / (often?.days ?? 1)).toBeWithin(0.048, 0.052);
  });

  test('is narrow where all items sell alike, and wide where they do not', () => {
    expect(seldom?.sales).toBeGreaterThan(3);
    expect((seldom?.sales ?? 0) / (seldom?.days ?? 1)).toBeWithin(0.0018, 0.0022);
    expect(all?.sales).toBeWithin(0.3, 0.8);
  });
});

test('a hundred items that were seen for a day make a prior, and fewer do not', () => {
  const priorOf = (items: number, days = 1) => {
    const counts = new RateCounts();
    for (let item = 0; item < items; item++) counts.add(['all'], { sales: item % 2, days });
    return counts.priors().all;
  };
  expect(priorOf(99)).toBeUndefined();
  expect(priorOf(100)).toBeDefined();
  expect(priorOf(100, 0)).toBeUndefined();
});

test('of items that never sold, the first will be sold some time', () => {
  const counts = new RateCounts();
  for (let item = 0; item < 100; item++) counts.add(['all'], { sales: 0, days: 180 });
  const { sales = 0, days = 0 } = counts.priors().all ?? {};
  expect(sales / days).toBeCloseTo(1 / 18_000, 6);
});
