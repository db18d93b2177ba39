/** The status of a set: it changes at exact instants, all of them announced. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, formatDay, formatInstant } from '../kernel/time.ts';
import { type SetDates, statusAt, statusChanges } from './status.ts';

const announced = 1;
const available = 2;
const retiringSoon = 3;
const retired = 4;

const castle: SetDates = { releaseDate: '2025-03-01', retireDate: '2026-12-31' };

test.each([
  ['long before its release', '2024-06-01T00:00:00Z', announced],
  ['the moment before its release', '2025-02-28T23:59:59.999Z', announced],
  ['at its release', '2025-03-01T00:00:00Z', available],
  ['a moment more than 90 days before it retires', '2026-10-02T23:59:59.999Z', available],
  ['90 days before it retires', '2026-10-03T00:00:00Z', retiringSoon],
  ['at the end of its last day', '2026-12-31T23:59:59.999Z', retiringSoon],
  ['when its last day has passed', '2027-01-01T00:00:00Z', retired],
] as const)('a set %s, at %s, has status %d', (_, instant, status) => {
  expect(statusAt(castle, Date.parse(instant))).toBe(status);
});

test.each([
  ['without dates', { releaseDate: null, retireDate: null }, available],
  [
    'of which only the release is known',
    { releaseDate: '2020-01-01', retireDate: null },
    available,
  ],
  ['to be released', { releaseDate: '2027-01-01', retireDate: null }, announced],
  ['that retired, of unknown release', { releaseDate: null, retireDate: '2020-01-01' }, retired],
  ['that retires next year', { releaseDate: null, retireDate: '2027-12-31' }, available],
  ['that retires next month', { releaseDate: null, retireDate: '2026-12-31' }, retiringSoon],
  [
    'that is announced although its end is near',
    { releaseDate: '2026-12-01', retireDate: '2026-12-31' },
    announced,
  ],
] as const)('a set %s has the status that follows', (_, dates, status) => {
  expect(statusAt(dates, Date.UTC(2026, 10, 15, 12))).toBe(status);
});

test('the instants of change are those at which the status changes', () => {
  expect(statusChanges(castle).map(formatInstant)).toEqual([
    '2025-03-01T00:00:00.000Z',
    '2026-10-03T00:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ]);
  expect(statusChanges({ releaseDate: null, retireDate: null })).toEqual([]);
});

test('between two announced changes the status stays', () => {
  const day = fc.option(
    fc.integer({ min: 18_000, max: 22_000 }).map((n) => formatDay(n * dayMs)),
    { nil: null },
  );
  const instant = fc.integer({ min: 18_000 * dayMs, max: 22_200 * dayMs });
  fc.assert(
    fc.property(day, day, instant, instant, (releaseDate, retireDate, a, b) => {
      const dates = { releaseDate, retireDate };
      const [from, to] = a < b ? [a, b] : [b, a];
      const changes = statusChanges(dates).some((change) => change > from && change <= to);
      if (!changes) expect(statusAt(dates, to)).toBe(statusAt(dates, from));
    }),
    { seed: 4, numRuns: 500 },
  );
});
