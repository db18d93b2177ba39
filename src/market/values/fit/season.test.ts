/** The season is learned from whole years, apart from growth. */
import { describe, expect, test } from 'bun:test';
import { dayMs, monthOf, monthStart } from '../../../kernel/time.ts';
import { SeasonCounts } from './season.ts';

const since = Date.UTC(2022, 11, 15);

/** Sales of each day by month of the year, growing by a share every year. */
function learned(perDay: readonly number[], { months = 24, growth = 0, scale = 100 } = {}) {
  const until = monthStart(monthOf(since) + 1 + months);
  const counts = new SeasonCounts(since, until);
  for (let day = since; day < until; day += dayMs) {
    const years = (day - since) / (365 * dayMs);
    const sales = scale * (perDay[monthOf(day) % 12] ?? 0) * (1 + growth) ** years;
    counts.add(new Array<number>(Math.round(sales)).fill(day));
  }
  return counts.season();
}

const even = new Array<number>(12).fill(1);
const toys = [0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1, 1.3, 1.5];

describe('a season', () => {
  test('is found in two years of sales', () => {
    const season = learned(toys) ?? [];
    for (const [month, index] of season.entries()) {
      expect(index).toBeWithin((toys[month] ?? 0) - 0.03, (toys[month] ?? 0) + 0.03);
    }
    expect(learned(even)).toEqual(even);
  });

  test('is not growth', () => {
    for (const index of learned(even, { months: 37, growth: 0.4 }) ?? [0]) {
      expect(index).toBeWithin(0.98, 1.02);
    }
  });

  test('is unknown before that', () => {
    expect(learned(toys, { months: 23 })).toBeUndefined();
    expect(new SeasonCounts(0, 0).season()).toBeUndefined();
  });

  test('is weak with few sales, and never extreme', () => {
    const few = learned(toys, { scale: 1 })?.[11] ?? 0;
    expect(few).toBeWithin(1.02, 1.2);
    const lone = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12];
    const found = learned(lone) ?? [];
    expect([found[0], found[11]]).toEqual([0.5, 2]);
  });
});
