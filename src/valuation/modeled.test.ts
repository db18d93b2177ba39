/** The modeled value: retail price and age alone, with an honest range. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ValuationFacts } from '../domain/estimator.ts';
import { dayMs } from '../domain/time.ts';
import { modeledValue, usedOverNew } from './modeled.ts';

const now = Date.UTC(2026, 10, 15, 12);
const unknown: ValuationFacts = {
  msrpCents: null,
  pieces: null,
  releasedAt: null,
  retiredAt: null,
};

function yearsAgo(years: number): number {
  return now - years * 365.25 * dayMs;
}

function dollars(facts: Partial<ValuationFacts>): number | null {
  const value = modeledValue({ ...unknown, ...facts }, now);
  return value && value.valueCents / 100;
}

test.each([
  ['of which no dates are known', {}, 88],
  ['to be released', { releasedAt: now + dayMs }, 88],
  ['released last year', { releasedAt: yearsAgo(1) }, 88],
  ['retiring tomorrow, after many years', { releasedAt: yearsAgo(9), retiredAt: now + dayMs }, 88],
  ['retired just now', { retiredAt: now }, 95],
  ['retired nine months ago', { retiredAt: yearsAgo(0.75) }, 103],
  ['retired a year and a half ago', { retiredAt: yearsAgo(1.5) }, 116],
  ['retired four years ago', { retiredAt: yearsAgo(4) }, 152],
  // Halfway between the two, as a ratio.
  ['retired between four and six and a half years ago', { retiredAt: yearsAgo(5.25) }, 166.78],
  ['retired six and a half years ago', { retiredAt: yearsAgo(6.5) }, 183],
  ['retired ten years ago', { retiredAt: yearsAgo(10) }, 295],
  ['retired fifteen years ago', { retiredAt: yearsAgo(15) }, 542],
  ['retired forty years ago', { retiredAt: yearsAgo(40) }, 542],
  // Sets usually stay two years.
  ['released two years ago less a day', { releasedAt: now - 729 * dayMs }, 88],
  ['released two years ago', { releasedAt: now - 730 * dayMs }, 95],
])('a $100 set %s has its value', (_, facts, expected) => {
  const given = { msrpCents: 100_00, ...facts };
  expect(dollars(given)).toBe(expected);
});

test('without a retail price the number of pieces stands in for it', () => {
  expect(dollars({ pieces: 1000 })).toBe(96.8);
  expect(dollars({ pieces: 1000, msrpCents: 100_00 })).toBe(88);
});

test.each([
  ['nothing is known', {}],
  ['only dates are known', { releasedAt: yearsAgo(3), retiredAt: yearsAgo(1) }],
  ['it has no pieces', { pieces: 0 }],
])('when %s there is no value', (_, facts) => {
  expect(modeledValue({ ...unknown, ...facts }, now)).toBeNull();
});

test('the range is 80 % wide for sets of that age, and wider when the price is estimated', () => {
  expect(modeledValue({ ...unknown, msrpCents: 100_00 }, now)).toEqual({
    valueCents: 88_00,
    lowCents: 70_77,
    highCents: 109_42,
  });
  const byPieces = modeledValue({ ...unknown, pieces: 1000 }, now);
  expect((byPieces?.lowCents ?? 0) / 96_80).toBeCloseTo(0.643, 3);
  expect((byPieces?.highCents ?? 0) / 96_80).toBeCloseTo(1.556, 3);
});

test('low ≤ value ≤ high, and a set never loses value with the years since its retirement', () => {
  const facts = fc.record({
    msrpCents: fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: null }),
    pieces: fc.integer({ min: 1, max: 20_000 }),
    years: fc.double({ min: 0, max: 40, noNaN: true }),
    more: fc.double({ min: 0, max: 10, noNaN: true }),
  });
  fc.assert(
    fc.property(facts, ({ msrpCents, pieces, years, more }) => {
      const retired = (since: number) =>
        modeledValue({ msrpCents, pieces, releasedAt: null, retiredAt: yearsAgo(since) }, now);
      const { lowCents = 0, valueCents = 0, highCents = 0 } = retired(years) ?? {};
      expect(lowCents).toBeGreaterThanOrEqual(1);
      expect(valueCents).toBeGreaterThanOrEqual(lowCents);
      expect(highCents).toBeGreaterThanOrEqual(valueCents);
      expect(retired(years + more)?.valueCents).toBeGreaterThanOrEqual(valueCents);
    }),
    { seed: 15, numRuns: 300 },
  );
});

test.each([
  ['to be released', now + 400 * dayMs, 0.79],
  ['released today', now, 0.79],
  ['released ten years ago', yearsAgo(10), 0.53],
  ['released at an unknown time, taken for five years', null, 0.65],
])('a used set %s is worth its share of a new one', (_, releasedAt, share) => {
  expect(Math.exp(usedOverNew({ ...unknown, releasedAt }, now))).toBeCloseTo(share, 2);
});
