/** Quiet hours, digests and days in time zones with daylight saving time. */
import { expect, test } from 'bun:test';
import type { AlertSettings, Digest } from './alert-rule.ts';
import { dayStart, dueTime, instantOf, quietUntil } from './quiet-hours.ts';

const newYork = 'America/New_York';

/** An instant from local time with its offset. */
const at = (text: string) => Date.parse(text);
const hours = (from: number, until: number, timeZone = newYork): AlertSettings => ({
  timeZone,
  quiet: { from: from * 60, until: until * 60 },
});
const quiet = (settings: AlertSettings, text: string) => quietUntil(settings, at(text));
const due = (digest: Digest, settings: AlertSettings, text: string) => {
  const { dueAt, heldFor } = dueTime(settings, digest, at(text));
  return [new Date(dueAt).toISOString(), heldFor];
};

test('quiet hours may span midnight, and exclude their end', () => {
  const night = hours(22, 7);
  const morning = at('2026-11-16T07:00:00-05:00');
  expect(quiet(night, '2026-11-15T21:59:59.999-05:00')).toBeNull();
  expect(quiet(night, '2026-11-15T22:00:00-05:00')).toBe(morning);
  expect(quiet(night, '2026-11-16T00:30:00-05:00')).toBe(morning);
  expect(quiet(night, '2026-11-16T06:59:59.999-05:00')).toBe(morning);
  expect(quiet(night, '2026-11-16T07:00:00-05:00')).toBeNull();
});

test('quiet hours within a day, of length 0, and none', () => {
  const noon = hours(12, 13);
  expect(quiet(noon, '2026-11-16T12:30:00-05:00')).toBe(at('2026-11-16T13:00:00-05:00'));
  expect(quiet(noon, '2026-11-16T13:30:00-05:00')).toBeNull();
  expect(quiet(hours(9, 9), '2026-11-16T09:00:00-05:00')).toBeNull();
  expect(quiet({ timeZone: newYork, quiet: null }, '2026-11-16T03:00:00-05:00')).toBeNull();
});

test('a night with a clock set back is an hour longer, and quiet in both repeated hours', () => {
  // On 1 November 2026 one o'clock occurs twice.
  const night = hours(22, 7);
  expect(quiet(night, '2026-10-31T23:00:00-04:00')).toBe(at('2026-11-01T07:00:00-05:00'));
  const early = { timeZone: newYork, quiet: { from: 22 * 60, until: 90 } };
  const end = at('2026-11-01T01:30:00-05:00');
  expect(quiet(early, '2026-11-01T01:15:00-04:00')).toBe(end);
  expect(quiet(early, '2026-11-01T01:45:00-04:00')).toBe(end);
  expect(quiet(early, '2026-11-01T01:15:00-05:00')).toBe(end);
  expect(quiet(early, '2026-11-01T01:30:00-05:00')).toBeNull();
  // From the first of the two on.
  const late = { timeZone: newYork, quiet: { from: 90, until: 7 * 60 } };
  expect(quiet(late, '2026-11-01T01:29:00-04:00')).toBeNull();
  expect(quiet(late, '2026-11-01T01:10:00-05:00')).toBe(at('2026-11-01T07:00:00-05:00'));
});

test('a time skipped by a clock change is shifted by the change', () => {
  // On 8 March 2026 clocks go from two to three.
  const night = { timeZone: newYork, quiet: { from: 22 * 60, until: 2 * 60 + 30 } };
  expect(quiet(night, '2026-03-08T01:59:00-05:00')).toBe(at('2026-03-08T03:30:00-04:00'));
  expect(quiet(hours(22, 7), '2026-03-07T23:00:00-05:00')).toBe(at('2026-03-08T07:00:00-04:00'));
  const day = Date.UTC(2026, 2, 8) / 86_400_000;
  expect(instantOf(newYork, { day, minute: 150 })).toBe(at('2026-03-08T03:30:00-04:00'));
});

test('a day starts at midnight, or at its first existing local time', () => {
  expect(dayStart(newYork, at('2026-11-16T23:59:59-05:00'))).toBe(at('2026-11-16T00:00:00-05:00'));
  expect(dayStart('Asia/Kolkata', at('2026-11-15T18:30:00Z'))).toBe(at('2026-11-15T18:30:00Z'));
  expect(dayStart('Asia/Kolkata', at('2026-11-15T18:29:59Z'))).toBe(at('2026-11-14T18:30:00Z'));
  expect(dayStart('UTC', 5)).toBe(0);
  // In Beirut, clocks went from midnight to one.
  expect(dayStart('Asia/Beirut', at('2024-03-31T12:00:00+03:00'))).toBe(
    at('2024-03-31T01:00:00+03:00'),
  );
});

test('notifications are due at once, or at the end of quiet hours', () => {
  const night = hours(22, 7);
  expect(due('none', night, '2026-11-16T12:00:00-05:00')).toEqual([
    '2026-11-16T17:00:00.000Z',
    null,
  ]);
  expect(due('none', night, '2026-11-16T23:00:00-05:00')).toEqual([
    '2026-11-17T12:00:00.000Z',
    'quiet',
  ]);
});

test('digests are due at eight, on Mondays if weekly, and never in quiet hours', () => {
  const plain: AlertSettings = { timeZone: newYork, quiet: null };
  const eight = '2026-11-16T13:00:00.000Z';
  // 16 November 2026 is a Monday.
  expect(due('daily', plain, '2026-11-16T07:59:00-05:00')).toEqual([eight, 'digest']);
  expect(due('weekly', plain, '2026-11-16T07:59:00-05:00')).toEqual([eight, 'digest']);
  const later = '2026-11-16T08:00:00-05:00';
  expect(due('daily', plain, later)).toEqual(['2026-11-17T13:00:00.000Z', 'digest']);
  expect(due('weekly', plain, later)).toEqual(['2026-11-23T13:00:00.000Z', 'digest']);
  expect(due('daily', hours(22, 9), '2026-11-16T03:00:00-05:00')).toEqual([
    '2026-11-16T14:00:00.000Z',
    'digest',
  ]);
  // In summer eight o'clock is an hour earlier in UTC.
  expect(due('weekly', plain, '2026-10-31T12:00:00-04:00')[0]).toBe('2026-11-02T13:00:00.000Z');
  expect(due('weekly', plain, '2026-10-24T12:00:00-04:00')[0]).toBe('2026-10-26T12:00:00.000Z');
});
