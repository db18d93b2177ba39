/** What keeping a box costs, by hand. */
import { describe, expect, test } from 'bun:test';
import { storageCents } from './fba-storage.ts';

/** A cubic foot, as a box of standard size and as one that is longer than 18 inches. */
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

  test('is charged by its days, and the next at its own rate', () => {
    // 10 of 30 days of September at 0.78, 10 of 31 of October at 2.40.
    expect(kept('2026-09-21', 20)).toBe(Math.round(26 + 77.42));
    expect(kept('2026-09-21T23:00:00Z', 19.6)).toBe(103);
    expect(kept('2026-09-21', 0)).toBe(0);
  });
});

describe('what stays for long', () => {
  /** What a day adds: 2 or 3 of the 78 cents of a month, and what else is due. */
  const added = (from: string, days: number, more: number) =>
    expect((kept(from, days) ?? 0) - (kept(from, days - 1) ?? 0)).toBe(more);

  test('costs more on each 15th, from its 181st day on', () => {
    // March 18 is 181 days before September 15; March 19 is 180.
    added('2026-03-18', 182, 50 + 2);
    added('2026-03-19', 181, 3);
  });

  test('costs most after 15 months', () => {
    // June 16, 2026 to September 15, 2027 are 456 days.
    added('2026-06-16', 457, 7_90 + 3);
  });

  test('costs at least so much for a unit after a year, however small', () => {
    const small = { widthIn: 1, heightIn: 1, depthIn: 1, weightLbs: 0.1 };
    const cents = (days: number) =>
      storageCents(small, { at: Date.parse('2026-05-14'), days }) ?? 0;
    expect(cents(367) - cents(366)).toBe(30);
  });
});

test('nothing is known of a box without its sizes, and nobody waits for ever', () => {
  expect(storageCents({ ...foot, depthIn: null }, { at: 0, days: 30 })).toBeNull();
  expect(kept('2026-01-15', 1e9)).toBe(kept('2026-01-15', 3_650) ?? -1);
});
