/** Formatted figures, at the limits where their wording changes. */
import { expect, spyOn, test } from 'bun:test';
import {
  agoText,
  dayText,
  durationText,
  gainText,
  momentText,
  monthText,
  nounText,
  percentText,
  rangeText,
  timeText,
  usdText,
  waitText,
} from './format.ts';
import { dayMs, hourMs, minuteMs } from './time.ts';

test('unknown amounts are a dash, and gains have a sign', () => {
  expect([usdText(null), usdText(1234.5)]).toEqual(['–', '$1,234.50']);
  expect([rangeText(null), rangeText({ low: 1, high: 2 })]).toEqual(['', '$1.00 to $2.00']);
  expect([gainText(1), gainText(0), gainText(-1)]).toEqual(['+$0.01', '$0.00', '-$0.01']);
});

test('percentages have one decimal and a sign, unless they round to 0', () => {
  const texts = [null, 12.34, 0.05, 0.04, 0, -0.04, -0.06].map(percentText);
  expect(texts).toEqual(['–', '+12.3%', '+0.1%', '0.0%', '0.0%', '0.0%', '-0.1%']);
});

test('waits are in days up to 90, then in months, up to five years', () => {
  const texts = [null, 0, 1.4, 1.5, 90, 90.1, 1_825, 1_825.1].map(waitText);
  expect(texts).toEqual([
    '–',
    '1 day',
    '1 day',
    '2 days',
    '90 days',
    '3 months',
    '60 months',
    'over 5 years',
  ]);
  // A month has 30.44 days.
  expect([waitText(45.5 * 30.44), waitText(45.4 * 30.44)]).toEqual(['46 months', '45 months']);
});

test('nouns are singular for exactly one', () => {
  const texts = [0, 1, 2, 1_000].map((count) => nounText(count, 'set'));
  expect(texts).toEqual(['0 sets', '1 set', '2 sets', '1,000 sets']);
});

test('durations are in the largest unit that fits, rounded down', () => {
  expect(durationText(minuteMs - 1)).toBe('less than a minute');
  expect(durationText(minuteMs)).toBe('1 minute');
  expect(durationText(hourMs - 1)).toBe('59 minutes');
  expect(durationText(hourMs)).toBe('1 hour');
  expect(durationText(dayMs - 1)).toBe('23 hours');
  expect(durationText(3 * dayMs - 1)).toBe('2 days');
  expect([agoText(minuteMs - 1), agoText(minuteMs)]).toEqual(['just now', '1 minute ago']);
});

test('moments are in UTC unless a time zone is given', () => {
  const at = Date.UTC(2026, 10, 16, 0, 5);
  expect(momentText(at)).toBe('Nov 16, 2026, 00:05 UTC');
  expect(momentText(at, 'America/New_York')).toBe('Nov 15, 2026, 19:05 EST');
  expect(timeText(at, 'America/New_York')).toBe('19:05');
});

test('days and months have the name of their month', () => {
  const days = ['2026-01-02', '2026-11-16', '2025-12-31'].map(dayText);
  expect(days).toEqual(['Jan 2, 2026', 'Nov 16, 2026', 'Dec 31, 2025']);
  expect(['2026-01', '2025-12'].map(monthText)).toEqual(['Jan 2026', 'Dec 2025']);
});

test('a formatter of moments is created once per time zone', () => {
  const created = spyOn(Intl, 'DateTimeFormat');
  try {
    // No other suite uses these zones: suites share a process, and so its formatters.
    for (const zone of ['Indian/Cocos', 'Pacific/Niue', 'Indian/Cocos']) timeText(0, zone);
    expect(created).toHaveBeenCalledTimes(2);
  } finally {
    created.mockRestore();
  }
});
