/** Days by how busy their month is. */
import { describe, expect, test } from 'bun:test';
import { dayMs } from '../../kernel/time.ts';
import { calendarDays, seasonalDays } from './season.ts';

/** December is twice as busy as usual; January half. */
const season = [0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2];
const christmas = Date.UTC(2026, 11, 25);

describe('days', () => {
  test('count by month', () => {
    expect(seasonalDays(season, christmas, christmas + 7 * dayMs)).toBe(14);
    expect(seasonalDays(season, christmas, christmas + 17 * dayMs)).toBe(14 + 5);
    expect(seasonalDays(season, christmas, christmas)).toBe(0);
  });

  test('take longer in quiet months', () => {
    expect(calendarDays(season, christmas, 14)).toBe(7);
    expect(calendarDays(season, christmas, 19)).toBe(17);
    expect(calendarDays(season, christmas, 0)).toBe(0);
  });

  test('of whole years are the same', () => {
    const even = new Array<number>(12).fill(1);
    expect(calendarDays(even, christmas, 1_000)).toBeCloseTo(1_000, 6);
    expect(calendarDays(season, christmas, 100 * 365.25 + 14)).toBeCloseTo(100 * 365.25 + 7, 6);
  });
});
