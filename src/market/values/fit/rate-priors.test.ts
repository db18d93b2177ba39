/** Learned rate priors recover the simulated rates. */
import { describe, expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import { RateCounts } from './rate-priors.ts';

const until = Date.UTC(2026, 0, 1);
const since = until - 720 * dayMs;

/** Simulated sales at a rate per day, over two years. */
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
  channels: new Map(),
});

/** Priors learned from items with an earlier sale in any condition. */
function learned(all: readonly (readonly number[])[], firstSoldAt = since): RateCounts {
  const counts = new RateCounts(until);
  for (const times of all) counts.add(item(times), firstSoldAt, since);
  return counts;
}

describe('a prior', () => {
  const random = new Random(1, 'rates');
  const draw = (rate: () => number) => Array.from({ length: 2_000 }, () => timesAt(random, rate()));

  test('recovers mean and shape of the simulated rates', () => {
    // The sum of two exponential variables has a Gamma distribution of shape 2.
    const gamma = () => random.exponential(0.01) + random.exponential(0.01);
    const { sales = 0, days = 1 } = learned(draw(gamma)).priors()['set used'] ?? {};
    expect(sales).toBeWithin(1.6, 2.4);
    expect(sales / days).toBeWithin(0.018, 0.022);
  });

  test('is narrow if all items have the same rate', () => {
    const { sales = 0, days = 1 } = learned(draw(() => 0.02)).priors()['set used'] ?? {};
    expect(sales).toBeGreaterThan(6);
    expect(sales / days).toBeWithin(0.019, 0.021);
  });

  test('is learned by group, and for all items', () => {
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
    // One sale in a thousand days, after 180 days without any.
    expect(sales / (days + 180)).toBeWithin(0.0007, 0.0013);
  });
});

test('a prior needs two hundred observations, up to four per item', () => {
  const isLearned = (items: number, firstSoldAt?: number) =>
    'set used' in learned(Array<number[]>(items).fill([]), firstSoldAt).priors();
  expect([49, 50].map((items) => isLearned(items))).toEqual([false, true]);
  // Items first sold 100 days before have one observation instead of four.
  const lately = until - 100 * dayMs;
  expect([199, 200].map((items) => isLearned(items, lately))).toEqual([false, true]);
  expect(isLearned(500, until - 80 * dayMs)).toBe(false);
});

test('items with many sales are ignored', () => {
  const random = new Random(2, 'rates');
  const often = Array.from({ length: 200 }, () => timesAt(random, 1));
  expect(learned(often).priors()).toEqual({});
});
