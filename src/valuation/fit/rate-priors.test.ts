/** What is learned of how often things sell is what made them sell. */
import { describe, expect, test } from 'bun:test';
import { dayMs } from '../../domain/kernel/time.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { Random } from '../../simulate/random.ts';
import { RateCounts } from './rate-priors.ts';

const until = Date.UTC(2026, 0, 1);
const since = until - 720 * dayMs;

/** Sales at a rate per day, over two years. */
function timesAt(random: Random, perDay: number): number[] {
  const times: number[] = [];
  for (let at = since; ; times.push(at)) {
    at += random.exponential(1 / perDay) * dayMs;
    if (at >= until) return times;
  }
}

const item = (times: readonly number[], condition: Condition = 'used') => ({
  kind: 'set' as const,
  condition,
  releasedAt: null,
  times,
});

/** What is learned from items that were all sold before, in some condition. */
function learned(all: readonly (readonly number[])[], firstSoldAt = since): RateCounts {
  const counts = new RateCounts(until);
  for (const times of all) counts.add(item(times), firstSoldAt, since);
  return counts;
}

describe('a prior', () => {
  const random = new Random(1, 'rates');
  const draw = (rate: () => number) => Array.from({ length: 2_000 }, () => timesAt(random, rate()));

  test('has the mean and the shape of the rates that sales were drawn with', () => {
    // A Gamma distribution of shape 2 is the sum of two exponential ones.
    const gamma = () => random.exponential(0.01) + random.exponential(0.01);
    const { sales = 0, days = 1 } = learned(draw(gamma)).priors()['set used'] ?? {};
    expect(sales).toBeWithin(1.6, 2.4);
    expect(sales / days).toBeWithin(0.018, 0.022);
  });

  test('is narrow where all items sell alike', () => {
    const { sales = 0, days = 1 } = learned(draw(() => 0.02)).priors()['set used'] ?? {};
    expect(sales).toBeGreaterThan(6);
    expect(sales / days).toBeWithin(0.019, 0.021);
  });

  test('is learned for those that sold alike, and for all', () => {
    const priors = learned(draw(() => random.pick([0.001, 0.02, 0.1]))).priors();
    expect(Object.keys(priors)).toEqual([
      'set used',
      'set used 0',
      'set used 1-2',
      'set used 10+',
      'set used 3-9',
      'set used long ago',
      'set used never',
    ]);
    const { sales = 0, days = 1 } = priors['set used never'] ?? {};
    // One in a thousand days, after 180 days without any.
    expect(sales / (days + 180)).toBeWithin(0.0007, 0.0013);
  });
});

test('two hundred looks at items make a prior, each of them at four instants, and fewer do not', () => {
  const isLearned = (items: number, firstSoldAt?: number) =>
    'set used' in learned(Array<number[]>(items).fill([]), firstSoldAt).priors();
  expect([49, 50].map((items) => isLearned(items))).toEqual([false, true]);
  // Of what was first sold within half a year, one look in four is left.
  const lately = until - 100 * dayMs;
  expect([199, 200].map((items) => isLearned(items, lately))).toEqual([false, true]);
  expect(isLearned(500, until - 80 * dayMs)).toBe(false);
});

test('nothing is learned from what sells so often that no prior matters', () => {
  const random = new Random(2, 'rates');
  const often = Array.from({ length: 200 }, () => timesAt(random, 1));
  expect(learned(often).priors()).toEqual({});
});
