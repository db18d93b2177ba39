/** Dates and times of price lists in the shop's time zone. */
import { expect, test } from 'bun:test';
import { formatInstant } from '../../kernel/time.ts';
import { LocalTime } from './local-time.ts';

function read(
  text: string,
  timeZone = 'UTC',
  dateOrder: 'day first' | 'month first' | null = null,
) {
  const read = new LocalTime({ timeZone, dateOrder }).read(text);
  return 'at' in read ? formatInstant(read.at) : read.reason;
}

test.each([
  ['2026-11-15T12:00:00+01:00', 'Europe/Paris', '2026-11-15T11:00:00.000Z'],
  ['2026-11-15 13:36:19', 'UTC', '2026-11-15T13:36:19.000Z'],
  ['2026-01-15 13:36:19', 'Europe/Paris', '2026-01-15T12:36:19.000Z'],
  ['2026-07-15 13:36:19', 'Europe/Paris', '2026-07-15T11:36:19.000Z'],
  ['2026-07-15T01:30', 'Europe/Paris', '2026-07-14T23:30:00.000Z'],
  ['2026-07-15', 'America/New_York', '2026-07-15T04:00:00.000Z'],
  ['2026-07-15 9:05', 'America/New_York', '2026-07-15T13:05:00.000Z'],
  // An hour before and after each daylight saving change.
  ['2026-03-29 01:59:59', 'Europe/Paris', '2026-03-29T00:59:59.000Z'],
  ['2026-03-29 03:00:00', 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 01:59:59', 'Europe/Paris', '2026-10-24T23:59:59.000Z'],
  ['2026-10-25 03:00:00', 'Europe/Paris', '2026-10-25T02:00:00.000Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(read(text, zone)).toBe(instant);
});

test('dates with slashes are read in the given or implied order', () => {
  expect(read('03/07/2026 08:00', 'UTC', 'day first')).toBe('2026-07-03T08:00:00.000Z');
  expect(read('03/07/2026 08:00', 'UTC', 'month first')).toBe('2026-03-07T08:00:00.000Z');
  expect(read('23/07/2026', 'UTC')).toBe('2026-07-23T00:00:00.000Z');
  expect(read('03/07/2026', 'UTC')).toContain('may have the day or the month first');
});

test.each([['yesterday'], ['2026-02-30'], ['2026-11-15 25:00'], ['']])(
  '%p is not a date',
  (text) => {
    expect(read(text)).toContain('is not a date such as 2026-11-15');
  },
);
