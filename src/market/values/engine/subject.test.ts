/** Volatility after release and around retirement. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { minifigOf, noon, setOf, sold, unknownFacts } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import { InputHash } from './input-hash.ts';
import { minifigSubject, setSubject } from './subject.ts';

const yearDays = 365.25;

function restlessDays(
  dates: { readonly releasedAt?: number; readonly retiredAt?: number },
  from: number,
  to: number,
): number {
  const subject = setSubject(setOf([], { ...unknownFacts, ...dates }));
  return subject.volatileDays(noon + from * dayMs, noon + to * dayMs);
}

describe('days', () => {
  test('count four times for half a year from release on', () => {
    const releasedAt = noon;
    expect(restlessDays({ releasedAt }, -10, 0)).toBeCloseTo(10, 9);
    expect(restlessDays({ releasedAt }, 0, 180)).toBeCloseTo(720, 9);
    expect(restlessDays({ releasedAt }, 180, 190)).toBeCloseTo(10, 9);
    expect(restlessDays({ releasedAt }, -10, 200)).toBeCloseTo(10 + 720 + 20, 9);
  });

  test('count four times from 0.15 years before retirement to a year after it', () => {
    const retiredAt = noon;
    const before = 0.15 * yearDays;
    expect(restlessDays({ retiredAt }, -90, -before)).toBeCloseTo(90 - before, 9);
    expect(restlessDays({ retiredAt }, -before, yearDays)).toBeCloseTo(4 * 1.15 * yearDays, 9);
    expect(restlessDays({ retiredAt }, yearDays, 400)).toBeCloseTo(400 - yearDays, 9);
  });

  test('never count more than four times', () => {
    const dates = { releasedAt: noon, retiredAt: noon + 100 * dayMs };
    expect(restlessDays(dates, 0, 180)).toBeCloseTo(720, 9);
    expect(restlessDays(dates, 180, 300)).toBeCloseTo(480, 9);
    expect(restlessDays({ releasedAt: noon, retiredAt: noon - 900 * dayMs }, 0, 180)).toBe(720);
  });

  test('count once without dates, and always for minifigs', () => {
    expect(restlessDays({}, -1000, 1000)).toBe(2000);
    expect(minifigSubject(minifigOf([])).volatileDays(noon, noon + 9 * dayMs)).toBe(9);
  });

  test('are additive', () => {
    const day = fc.integer({ min: -900, max: 900 });
    const days = fc.tuple(day, day, day).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(days, day, day, ([a = 0, b = 0, c = 0], released, retired) => {
        const dates = { releasedAt: noon + released * dayMs, retiredAt: noon + retired * dayMs };
        const parts = restlessDays(dates, a, b) + restlessDays(dates, b, c);
        expect(parts).toBeCloseTo(restlessDays(dates, a, c), 6);
        expect(parts).toBeWithin(c - a - 1e-6, 4 * (c - a) + 1e-6);
      }),
      { seed: 217 },
    );
  });
});

test('monthly volatility is 4% for sets, 5% for minifigs and 1.5% for ratios', () => {
  const inMonth = (perDay: number) => Math.sqrt((perDay * yearDays) / 12);
  const set = setSubject(setOf([]));
  const minifig = minifigSubject(minifigOf([]));
  expect(inMonth(set.volatility)).toBeCloseTo(0.04, 4);
  expect(inMonth(set.ratioVolatility)).toBeCloseTo(0.015, 4);
  expect(inMonth(minifig.volatility)).toBeCloseTo(0.05, 4);
  expect(minifig.ratioVolatility).toBe(0);
});

test('the completeness of minifigs is ignored', () => {
  const [row] = minifigSubject(minifigOf([sold({ condition: 'used', completeness: null })])).rows;
  expect(row).toMatchObject({ noise: 1, caution: null });
});

test('every fact changes the hash', () => {
  const changes = [
    { msrpCents: 1 },
    { pieces: 1 },
    { minifigs: 1 },
    { theme: 'a' },
    { subtheme: 'a' },
    { releasedAt: 1 },
    { retiredAt: 1 },
    { weightLbs: 1 },
    { cubicInches: 1 },
    { itemClass: 'polybag' },
  ] as const;
  const hashes = [{}, ...changes].map((change) => {
    const hash = new InputHash();
    setSubject(setOf([], { ...unknownFacts, ...change })).addFacts(hash);
    return hash.value();
  });
  const minifig = { category: null, releasedAt: null, sets: 0 };
  const ofMinifigs = [{}, { category: 'a' }, { releasedAt: 1 }, { sets: 1 }].map((change) => {
    const hash = new InputHash();
    minifigSubject({ facts: { ...minifig, ...change }, sales: [] }).addFacts(hash);
    return hash.value();
  });
  expect(new Set([...hashes, ...ofMinifigs]).size).toBe(15);
});
