/** Periods: the number, distance and end of their points. */
import { describe, expect, test } from 'bun:test';
import { dayMs, dayOf, formatDay } from '../../kernel/time.ts';
import { atPoints, periods, pointDays, pointsMax, spanOf } from './periods.ts';

const today = dayOf(Date.parse('2026-11-15'));
const dates = (days: readonly number[]) => days.map((day) => formatDay(day * dayMs));

test('the periods are those of the contract, shortest first', () => {
  expect(periods).toEqual(['30d', '90d', '1y']);
  expect(pointsMax).toBe(91);
});

describe.each([
  // 30 and 90 days lie between the first point and the last; 52 weeks are 364 days.
  ['30d', { points: 31, step: 1, days: 31, from: '2026-10-16', second: '2026-10-17' }],
  ['90d', { points: 91, step: 1, days: 91, from: '2026-08-17', second: '2026-08-18' }],
  ['1y', { points: 53, step: 7, days: 365, from: '2025-11-16', second: '2025-11-23' }],
] as const)('%s', (period, shape) => {
  test('has equally spaced points, the last one today', () => {
    const points = pointDays(period, today);
    expect(points.length).toBe(shape.points);
    expect(dates(points).slice(0, 2)).toEqual([shape.from, shape.second]);
    expect(points.at(-1)).toBe(today);
    const steps = points.slice(1).map((day, index) => day - (points[index] ?? 0));
    expect(new Set(steps)).toEqual(new Set([shape.step]));
  });

  test('has every day from its first point to today', () => {
    const span = spanOf(period, today, 0);
    const { days } = span;
    expect(days.length).toBe(shape.days);
    expect(dates(days)[0]).toBe(shape.from);
    expect(days).toEqual(days.map((_, index) => today - shape.days + 1 + index));
    expect(atPoints(span, days)).toEqual(pointDays(period, today));
  });

  test('moves by a day when today does', () => {
    expect(pointDays(period, today + 1)).toEqual(pointDays(period, today).map((day) => day + 1));
  });
});

test('a year of points starts on the same day of the week, also across a leap day', () => {
  expect(dates(pointDays('1y', dayOf(Date.parse('2024-03-01'))))[0]).toBe('2023-03-03');
  expect(dates(pointDays('1y', dayOf(Date.parse('2025-03-01'))))[0]).toBe('2024-03-02');
});

test.each([
  // Every day since the one before the first purchase; beyond a year, spaced so that there are at
  // most 365.
  ['2026-11-15', 2, 1],
  ['2026-08-04', 105, 1],
  ['2026-08-03', 107, 2],
  ['2026-08-01', 109, 2],
  ['2025-11-17', 365, 4],
  ['2025-11-16', 185, 2],
  ['2016-11-15', 337, 4],
])('everything since %s is computed for %d days', (first, count, pointStep) => {
  const firstDay = dayOf(Date.parse(first));
  const span = spanOf('all', today, firstDay);
  expect([span.days.length, span.pointStep]).toEqual([count, pointStep]);
  expect(span.days[0]).toBeLessThan(firstDay);
  expect(span.days.at(-1)).toBe(today);
  expect(atPoints(span, span.days)[0]).toBe(span.days[0]);
  expect(atPoints(span, span.days).at(-1)).toBe(today);
  expect(atPoints(span, span.days).length).toBeLessThanOrEqual(105);
});

test.each([
  ['1d', '2026-11-14', 2],
  ['7d', '2026-11-08', 8],
  ['ytd', '2025-12-31', 320],
] as const)('%s starts on %s', (range, first, count) => {
  const span = spanOf(range, today, 0);
  expect([dates(span.days)[0], span.days.length]).toEqual([first, count]);
  const points = atPoints(span, span.days);
  expect([points[0], points.at(-1)]).toEqual([span.days[0], today]);
  expect(points.length).toBeLessThanOrEqual(106);
});

test('the year to date has two days on its first day', () => {
  const newYear = dayOf(Date.parse('2027-01-01'));
  expect(dates(spanOf('ytd', newYear, 0).days)).toEqual(['2026-12-31', '2027-01-01']);
});

test('everything since a day in the future is since yesterday', () => {
  expect(spanOf('all', today, today + 5)).toEqual({ days: [today - 1, today], pointStep: 1 });
});

test('without a first day, everything is a year', () => {
  const unknown = spanOf('all', today, Number.POSITIVE_INFINITY);
  expect(unknown).toEqual(spanOf('1y', today, 0));
});
