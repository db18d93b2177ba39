/** The tier: how many accepted sealed sales lie in its window, to the millisecond. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs } from '../domain/time.ts';
import { tierAt } from './tier.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Times of sales, given in days ago, oldest first. */
function daysAgo(...days: readonly number[]): number[] {
  return days.map((day) => now - day * dayMs);
}

/** A number of sales, all as long ago. */
function many(count: number, days: number): number[] {
  return Array.from({ length: count }, () => now - days * dayMs);
}

const moment = 1 / dayMs;

test.each([
  ['ten sales this week', many(10, 3), 'high', 87],
  ['ten sales, the oldest a moment less than 90 days ago', many(10, 90 - moment), 'high', moment],
  ['ten sales, the oldest 90 days ago', [...many(1, 90), ...many(9, 3)], 'medium', 177],
  ['ten sales of long ago and ten of this week', [...many(10, 900), ...many(10, 3)], 'high', 87],
  ['nine sales this week', many(9, 3), 'medium', 177],
  ['three sales this week', many(3, 3), 'medium', 177],
  [
    'three sales, the oldest a moment less than 180 days ago',
    many(3, 180 - moment),
    'medium',
    moment,
  ],
  ['three sales, the oldest 180 days ago', daysAgo(180, 5, 1), 'low', null],
  ['two sales this week', many(2, 3), 'low', null],
  ['thirty sales of last year', many(30, 365), 'low', null],
] as const)('%s: the tier is right, and so is how long it lasts', (_, sales, tier, days) => {
  const changesAt = days === null ? null : Math.round(now + days * dayMs);
  expect(tierAt(sales, { anySale: true, at: now })).toEqual({ tier, changesAt });
});

test('without sealed sales, any used sale makes it low, and none makes it modeled', () => {
  expect(tierAt([], { anySale: true, at: now })).toEqual({ tier: 'low', changesAt: null });
  expect(tierAt([], { anySale: false, at: now })).toEqual({ tier: 'modeled', changesAt: null });
});

test('the tier stays until it is said to change, and is another one from then on', () => {
  const sales = fc.array(fc.integer({ min: 0, max: 200 * dayMs }), { maxLength: 30 });
  fc.assert(
    fc.property(sales, (ages) => {
      const times = ages.map((age) => now - age).toSorted((a, b) => a - b);
      const facts = { anySale: times.length > 0, at: now };
      const { tier, changesAt } = tierAt(times, facts);
      const later = changesAt ?? now + 10_000 * dayMs;
      expect(later).toBeGreaterThan(now);
      expect(tierAt(times, { ...facts, at: later - 1 }).tier).toBe(tier);
      if (changesAt !== null) expect(tierAt(times, { ...facts, at: later }).tier).not.toBe(tier);
    }),
    { seed: 90, numRuns: 300 },
  );
});
