/** Interest: items that are traded and wanted more come first among equal matches. */
import { describe, expect, test } from 'bun:test';
import {
  countedInterest,
  type InterestCounts,
  lookUpsOn,
  minifigInterest,
  noInterest,
  onDay,
  setInterest,
  withHolders,
  withLookUps,
} from './interest.ts';

const unknown = { sold: 0, msrpCents: null, pieces: null, year: null };

describe('the interest in a set', () => {
  test('increases with price, size and year, each independently', () => {
    const plain = { sold: 0, msrpCents: 50_00, pieces: 500, year: 2010 };
    for (const more of [{ msrpCents: 60_00 }, { pieces: 600 }, { year: 2012 }]) {
      expect(setInterest({ ...plain, ...more })).toBeGreaterThan(setInterest(plain));
    }
    expect(setInterest({ ...unknown, pieces: 300 })).toBeGreaterThan(setInterest(unknown));
  });

  test('is higher for one sale than for the best proxy', () => {
    const best = { sold: 0, msrpCents: 99_999_99, pieces: 99_999, year: 2099 };
    expect(setInterest({ ...unknown, sold: 1 })).toBeGreaterThan(setInterest(best));
    expect(setInterest({ ...unknown, sold: 9 })).toBeGreaterThan(setInterest({ ...best, sold: 3 }));
  });

  test('is 0 without any data, and never negative', () => {
    expect(setInterest(unknown)).toBe(0);
    expect(setInterest({ ...unknown, pieces: 0, year: 1900 })).toBe(0);
  });
});

test('the proxy is half price, a third size and the rest age, each limited', () => {
  const ofSet = (facts: Partial<Parameters<typeof setInterest>[0]>) =>
    setInterest({ ...unknown, ...facts });
  // Logarithmic: 1,023 dollars are ten doublings, 16,383 pieces fourteen.
  expect([0, 31_00, 1_023_00, 9_999_00].map((msrpCents) => ofSet({ msrpCents }))).toEqual([
    0, 250, 500, 500,
  ]);
  const sized = (pieces: number) => ofSet({ pieces, msrpCents: 0 });
  expect([0, 127, 16_383, 99_999].map(sized)).toEqual([0, 175, 350, 350]);
  expect([1900, 1950, 2000, 2050, 2099].map((year) => ofSet({ year }))).toEqual([
    0, 0, 70, 140, 140,
  ]);
  // Without a price, eight pieces count as a dollar.
  expect(ofSet({ pieces: 8 * 31 })).toBe(Math.round(250 + (350 * Math.log2(249)) / 14));
  expect([1, 3, 7].map((sold) => ofSet({ sold }))).toEqual([1_000, 2_000, 3_000]);
  const none = { sold: 0, valueCents: null, sets: 0, year: null };
  const ofMinifig = (facts: Partial<Parameters<typeof minifigInterest>[0]>) =>
    minifigInterest({ ...none, ...facts });
  expect([31_00, 1_023_00, 9_999_00].map((valueCents) => ofMinifig({ valueCents }))).toEqual([
    250, 500, 500,
  ]);
  expect([15, 255, 999].map((sets) => ofMinifig({ sets }))).toEqual([175, 350, 350]);
  expect([ofMinifig({ year: 2000 }), ofMinifig({ sold: 3 })]).toEqual([70, 2_000]);
});

test('the interest in a minifig depends on value, sets and year', () => {
  const plain = { sold: 0, valueCents: 4_00, sets: 2, year: 2010 };
  for (const more of [{ valueCents: 9_00 }, { sets: 3 }, { year: 2020 }, { sold: 1 }]) {
    expect(minifigInterest({ ...plain, ...more })).toBeGreaterThan(minifigInterest(plain));
  }
  expect(minifigInterest({ sold: 0, valueCents: null, sets: 0, year: null })).toBe(0);
});

describe('counts over all accounts', () => {
  const today = 20_000;

  test('are 0 at first', () => {
    const none = { lookedUp: 0, lookedUpBefore: 0, held: 0, heldBefore: 0, units: 0 };
    expect(noInterest(today)).toEqual({ day: today, ...none });
  });

  test('affect searches from the next day on', () => {
    const held = withHolders(noInterest(today), today, { held: 3, units: 9 });
    const both = withLookUps(held, today, 24);
    expect(countedInterest(both, today)).toBe(0);
    // log2(1 + 3) and, almost, log2(1 + 24 ÷ 8).
    expect(countedInterest(both, today + 1)).toBeCloseTo(4_000, -2);
  });

  test('add up lookups of several processes and times', () => {
    const once = withLookUps(withLookUps(noInterest(today), today, 2), today, 5);
    expect(once).toEqual(withLookUps(noInterest(today), today, 7));
  });

  test('halve lookups in 30 days, with or without updates in between', () => {
    const counted = withLookUps(noInterest(today), today, 100);
    expect(onDay(counted, today + 30).lookedUpBefore).toBeCloseTo(50);
    const detour = onDay(onDay(onDay(counted, today + 3), today + 17), today + 30);
    expect(detour.lookedUpBefore).toBeCloseTo(50);
  });

  test('include the lookups of the day where the order of searches does not depend on them', () => {
    const counted = withLookUps(withLookUps(noInterest(today), today, 8), today + 30, 3);
    expect(lookUpsOn(counted, today + 30)).toBeCloseTo(7);
    expect(lookUpsOn(counted, today + 60)).toBeCloseTo(3.5);
  });

  test('replace the number of holders instead of adding to it', () => {
    const before: InterestCounts = withHolders(noInterest(today), today, { held: 8, units: 9 });
    const after = withHolders(before, today + 1, { held: 2, units: 5 });
    expect(after).toMatchObject({ held: 2, heldBefore: 8, units: 5 });
    expect(countedInterest(after, today + 1)).toBeGreaterThan(countedInterest(after, today + 2));
  });

  test('are not affected by a clock that is behind', () => {
    const counted = withLookUps(noInterest(today), today, 1);
    expect(withLookUps(counted, today - 1, 2)).toEqual({ ...counted, lookedUp: 3 });
  });
});
