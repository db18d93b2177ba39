/** Storage fees, computed by hand. */
import { describe, expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import { storageCents } from './fba-storage.ts';

/** A cubic foot, as a box of standard size and as one longer than 18 inches. */
const foot = { widthIn: 18, heightIn: 12, depthIn: 8, weightLbs: 3 };
const longFoot = { widthIn: 36, heightIn: 12, depthIn: 4, weightLbs: 3 };

const kept = (from: string, days: number, box = foot) =>
  storageCents(box, { at: Date.parse(from), days });

describe('a month', () => {
  test.each([
    ['2026-06-01', 30, 78, 56],
    ['2026-09-01', 30, 78, 56],
    ['2026-10-01', 31, 2_40, 1_40],
    ['2026-12-01', 31, 2_40, 1_40],
    ['2027-01-01', 31, 78, 56],
  ])('from %s on costs %d days × its rate', (from, days, standard, larger) => {
    expect([kept(from, days), kept(from, days, longFoot)]).toEqual([standard, larger]);
  });

  test('is charged by day, and the next month at its own rate', () => {
    // 10 of 30 days of September at 0.78, 10 of 31 of October at 2.40.
    expect(kept('2026-09-21', 20)).toBe(Math.round(26 + 77.42));
    expect(kept('2026-09-21T23:00:00Z', 19.6)).toBe(103);
    expect(kept('2026-09-21', 0)).toBe(0);
  });
});

describe('long storage', () => {
  /** The cost of the last day: 2 or 3 of the 78 cents of a month, and any surcharge. */
  const added = (from: string, days: number, more: number) =>
    expect((kept(from, days) ?? 0) - (kept(from, days - 1) ?? 0)).toBe(more);

  test('costs more on each 15th, from the 181st day on', () => {
    // March 18 is 181 days before September 15; March 19 is 180.
    added('2026-03-18', 182, 50 + 2);
    added('2026-03-19', 181, 3);
  });

  test('costs more with age, most after 15 months', () => {
    const stored = Date.parse('2026-03-18');
    const box = { widthIn: 120, heightIn: 120, depthIn: 12, weightLbs: 3 };
    const cubicFeet = 100;
    const cents = (days: number) => storageCents(box, { at: stored, days }) ?? 0;
    /** The surcharge of a cubic foot on the first 15th of a month from an age on. */
    const surcharge = (fromDay: number) => {
      const first = new Date(stored + fromDay * dayMs);
      const month = first.getUTCMonth() + (first.getUTCDate() > 15 ? 1 : 0);
      const days = (Date.UTC(first.getUTCFullYear(), month, 15) - stored) / dayMs;
      const usual = cents(days) - cents(days - 1);
      return Math.round((cents(days + 1) - cents(days) - usual) / cubicFeet);
    };
    const ages = [181, 211, 241, 271, 301, 331, 366, 456];
    expect(ages.map(surcharge)).toEqual([50, 1_00, 1_50, 5_45, 5_70, 5_90, 6_90, 7_90]);
  });

  test.each([
    [181, 0, 50],
    [211, 50, 1_00],
    [241, 1_00, 1_50],
    [271, 1_50, 5_45],
    [301, 5_45, 5_70],
    [331, 5_70, 5_90],
    [366, 5_90, 6_90],
    [456, 6_90, 7_90],
  ])('costs more from exactly %d days on: %d, then %d', (fromDay, before, from) => {
    const large = { widthIn: 120, heightIn: 120, depthIn: 12, weightLbs: 3 };
    const charged = Date.parse('2028-09-15');
    /** Per cubic foot, on the 15th at an age; the day itself costs 56 / 30 cents. */
    const surcharge = (age: number) => {
      const at = charged - age * dayMs;
      const cents = (days: number) => storageCents(large, { at, days }) ?? 0;
      return Math.floor((cents(age + 1) - cents(age)) / 100) - 1;
    };
    expect([surcharge(fromDay - 1), surcharge(fromDay)]).toEqual([before, from]);
  });

  test('has no minimum in the first year', () => {
    const tiny = { widthIn: 0.5, heightIn: 0.5, depthIn: 0.5, weightLbs: 0.1 };
    expect(storageCents(tiny, { at: Date.parse('2026-05-14'), days: 360 })).toBe(0);
  });

  test('has a minimum per unit after a year, however small the box', () => {
    const small = { widthIn: 1, heightIn: 1, depthIn: 1, weightLbs: 0.1 };
    const cents = (days: number) =>
      storageCents(small, { at: Date.parse('2026-05-14'), days }) ?? 0;
    expect(cents(367) - cents(366)).toBe(30);
    // The next 15th after 456 days is that of September.
    expect(cents(490) - cents(489)).toBe(35);
  });
});

test('the result is null without a size, and limited to ten years', () => {
  expect(storageCents({ ...foot, depthIn: null }, { at: 0, days: 30 })).toBeNull();
  expect(kept('2026-01-15', 1e9)).toBe(kept('2026-01-15', 3_650) ?? -1);
});
