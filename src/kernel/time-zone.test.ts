/** Dates in time zones. */
import { expect, test } from 'bun:test';
import { canonicalTimeZone, dayIn, isTimeZone } from './time-zone.ts';

test('time zones are identified by name', () => {
  for (const name of [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Etc/GMT+5',
    'EST5EDT',
  ]) {
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  }
  for (const name of ['', '+02:00', 'Mars/Olympus', 'America/New York', '../UTC', 'U'.repeat(99)]) {
    expect([name, isTimeZone(name)]).toEqual([name, false]);
  }
});

test('a time zone has one spelling, whatever its case', () => {
  const spellings = ['america/los_angeles', 'AMERICA/LOS_ANGELES', 'America/Los_Angeles'];
  expect(new Set(spellings.map(canonicalTimeZone))).toEqual(new Set(['America/Los_Angeles']));
  expect([canonicalTimeZone('utc'), canonicalTimeZone('Mars')]).toEqual(['UTC', null]);
});

test('a date depends on the time zone', () => {
  const evening = Date.parse('2027-01-01T04:37:00Z');
  expect(dayIn('UTC', evening)).toBe('2027-01-01');
  expect(dayIn('America/Los_Angeles', evening)).toBe('2026-12-31');
  expect(dayIn('Pacific/Kiritimati', Date.parse('2026-12-31T10:00:00Z'))).toBe('2027-01-01');
});
