/** Days, months and instants: strict parsing, in UTC, with months final on the 8th. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  dayMs,
  dayOf,
  formatDay,
  formatInstant,
  formatMonth,
  hourMs,
  lastDayOf,
  lastFinalMonth,
  minuteMs,
  monthCut,
  monthOf,
  monthStart,
  nextMidnight,
  nextMonthCut,
  nextMonthStart,
  parseDay,
  parseInstant,
  parseMonth,
  secondMs,
  weekOf,
  weekStart,
  yearsBetween,
} from './time.ts';

const year1990 = Date.UTC(1990, 0, 1);
const year2100 = Date.UTC(2100, 0, 1);
const anyInstant = fc.integer({ min: year1990, max: year2100 });
const fixed = { seed: 8, numRuns: 500 };

/** An instant from a literal. */
function at(text: string): number {
  return Date.parse(text);
}

function month(text: string): number {
  return parseMonth(text) ?? Number.NaN;
}

test.each([
  ['with Z', '2026-11-15T12:00:00Z', '2026-11-15T12:00:00.000Z'],
  ['with milliseconds', '2026-11-15T12:00:00.250Z', '2026-11-15T12:00:00.250Z'],
  ['without seconds', '2026-11-15T12:00Z', '2026-11-15T12:00:00.000Z'],
  ['in small letters', '2026-11-15t12:00:00z', '2026-11-15T12:00:00.000Z'],
  ['east of UTC', '2026-11-15T00:30:00+02:00', '2026-11-14T22:30:00.000Z'],
  ['west of UTC', '2026-12-31T20:00:00-05:00', '2027-01-01T01:00:00.000Z'],
  ['with an offset without colon', '2026-11-15T12:00:00+0530', '2026-11-15T06:30:00.000Z'],
  ['on a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
])('an instant %s is parsed', (_, text, instant) => {
  expect(parseInstant(text)).toBe(at(instant));
});

test.each([
  ['no offset', '2026-11-15T12:00:00'],
  ['only a day', '2026-11-15'],
  ['a space instead of T', '2026-11-15 12:00:00Z'],
  ['a day that does not exist', '2026-02-30T12:00:00Z'],
  ['29 February in a common year', '2026-02-29T12:00:00Z'],
  ['month 13', '2026-13-01T12:00:00Z'],
  ['hour 24', '2026-11-15T24:00:00Z'],
  ['minute 60', '2026-11-15T12:60:00Z'],
  ['second 60', '2026-11-15T12:00:60Z'],
  ['an offset of 24 hours', '2026-11-15T12:00:00+24:00'],
  ['a five-digit year', '12026-11-15T12:00:00Z'],
  ['a two-digit year', '26-11-15T12:00:00Z'],
  ['an English date', 'Nov 15, 2026 12:00 UTC'],
  ['a number', '1794744000000'],
  ['space around it', ' 2026-11-15T12:00:00Z '],
  ['a second line', '2026-11-15T12:00:00Z\n2026'],
  ['nothing', ''],
])('an instant with %s is rejected', (_, text) => {
  expect(parseInstant(text)).toBeNull();
});

test('a formatted instant is parsed unchanged', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      expect(parseInstant(formatInstant(instant))).toBe(instant);
    }),
    fixed,
  );
});

test.each([
  ['2026-11-15', at('2026-11-15T00:00:00Z')],
  ['2024-02-29', at('2024-02-29T00:00:00Z')],
  ['1999-12-31', at('1999-12-31T00:00:00Z')],
])('the day %s starts at midnight UTC', (text, instant) => {
  expect(parseDay(text)).toBe(instant);
  expect(formatDay(instant + dayMs - 1)).toBe(text);
});

test.each([
  '2026-02-29',
  '2026-04-31',
  '2026-00-10',
  '2026-13-01',
  '2026-1-5',
  '2026-11-15T00:00:00Z',
  '15.11.2026',
  // The form of years with five digits.
  '+010000-01',
  '',
])('%p is not a day', (text) => {
  expect(parseDay(text)).toBeNull();
});

test('the next midnight is in UTC, and always later', () => {
  expect(nextMidnight(at('2026-11-15T12:00:00Z'))).toBe(at('2026-11-16T00:00:00Z'));
  expect(nextMidnight(at('2026-11-15T23:59:59.999Z'))).toBe(at('2026-11-16T00:00:00Z'));
  expect(nextMidnight(at('2026-11-16T00:00:00Z'))).toBe(at('2026-11-17T00:00:00Z'));
  expect(nextMidnight(at('2026-12-31T20:00:00Z'))).toBe(at('2027-01-01T00:00:00Z'));
});

test('a week starts on Monday at midnight UTC', () => {
  const week = weekOf(at('2026-11-16T00:00:00Z'));
  expect(weekStart(week)).toBe(at('2026-11-16T00:00:00Z'));
  expect(weekOf(at('2026-11-15T23:59:59.999Z'))).toBe(week - 1);
  expect(weekOf(at('2026-11-22T23:59:59.999Z'))).toBe(week);
  expect(weekOf(at('1970-01-01T00:00:00Z'))).toBe(0);
});

test('the day changes exactly at the next midnight', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const reset = nextMidnight(instant);
      expect(dayOf(reset - 1)).toBe(dayOf(instant));
      expect(dayOf(reset)).toBe(dayOf(instant) + 1);
    }),
    fixed,
  );
});

test.each([
  ['2026-10', '2026-11-08T00:00:00.000Z'],
  ['2026-12', '2027-01-08T00:00:00.000Z'],
  ['2024-02', '2024-03-08T00:00:00.000Z'],
])('the month %s is final at %s', (text, cut) => {
  expect(formatInstant(monthCut(month(text)))).toBe(cut);
});

test.each([
  ['the middle of a month', '2026-11-15T12:00:00Z', '2026-10'],
  ['the moment before the cut', '2026-11-07T23:59:59.999Z', '2026-09'],
  ['the cut itself', '2026-11-08T00:00:00.000Z', '2026-10'],
  ['the first moment of a month', '2026-11-01T00:00:00.000Z', '2026-09'],
  ['the last moment of a month', '2026-11-30T23:59:59.999Z', '2026-10'],
  ['the moment before the cut in January', '2027-01-07T23:59:59.999Z', '2026-11'],
  ['the cut in January', '2027-01-08T00:00:00.000Z', '2026-12'],
])('the last final month at %s', (_, instant, final) => {
  expect(formatMonth(lastFinalMonth(at(instant)))).toBe(final);
});

test('the next cut is later and makes exactly one more month final', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const cut = nextMonthCut(instant);
      expect(cut).toBeGreaterThan(instant);
      expect(lastFinalMonth(cut - 1)).toBe(lastFinalMonth(instant));
      expect(lastFinalMonth(cut)).toBe(lastFinalMonth(instant) + 1);
    }),
    fixed,
  );
});

test('an instant is between the start of its month and that of the next', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const own = monthOf(instant);
      expect(monthStart(own)).toBeLessThanOrEqual(instant);
      expect(monthStart(own + 1)).toBeGreaterThan(instant);
      expect(parseMonth(formatMonth(own))).toBe(own);
    }),
    fixed,
  );
});

test.each(['2026-00', '2026-13', '2026-1', '2026', '2026-11-15', '26-11', ''])(
  '%p is not a month',
  (text) => {
    expect(parseMonth(text)).toBeNull();
  },
);

test('four years with a leap day are four years', () => {
  expect(yearsBetween(at('2020-01-01T00:00:00Z'), at('2024-01-01T00:00:00Z'))).toBe(4);
});

test.each([
  ['2026-11-15T12:00:00Z', '2026-12-01T00:00:00Z'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
  ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
])('the month after %s starts at %s', (instant, start) => {
  expect(nextMonthStart(at(instant))).toBe(at(start));
});

test('the month of an instant is that of its date, also centuries away', () => {
  const instant = fc.integer({ min: Date.UTC(1500, 0), max: Date.UTC(2600, 0) });
  const edge = fc.integer({ min: 1500 * 12, max: 2600 * 12 }).map((month) => monthStart(month));
  fc.assert(
    fc.property(fc.oneof(instant, edge), fc.constantFrom(-1, 0), (at, shift) => {
      const date = new Date(at + shift);
      expect(monthOf(at + shift)).toBe(date.getUTCFullYear() * 12 + date.getUTCMonth());
    }),
    { seed: 42, numRuns: 2_000 },
  );
});

test('lengths of time are consistent', () => {
  expect([secondMs, minuteMs, hourMs, dayMs]).toEqual([1_000, 60_000, 60 * 60_000, 24 * 3_600_000]);
});

test('the last day of a month is the day before the next one, in any century', () => {
  const days = ['1969-12', '1970-01', '2024-02', '2026-02', '2169-12', '2170-01', '2400-02'];
  const last = days.map((text) => formatDay(lastDayOf(month(text)) * dayMs).slice(-2));
  expect(last).toEqual(['31', '31', '29', '28', '31', '31', '29']);
  for (const text of days) {
    expect(lastDayOf(month(text)) + 1).toBe(dayOf(monthStart(month(text) + 1)));
  }
});
