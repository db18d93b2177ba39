/** The status of a set: it changes at exact instants, which are known in advance. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, formatDay, formatInstant } from '../../kernel/time.ts';
import {
  isEarlyRetirement,
  lifetimeOf,
  type SetDates,
  statusAt,
  statusChanges,
  statusName,
} from './status.ts';

const announced = 1;
const available = 2;
const retiringSoon = 3;
const retired = 4;

const unknown: SetDates = { releaseDate: null, retireDate: null, year: null };
const castle: SetDates = { ...unknown, releaseDate: '2025-03-01', retireDate: '2026-12-31' };
const now = Date.UTC(2026, 10, 15, 12);

const statusOf = (dates: SetDates, at: number, ownOfferAt: number | null = null) =>
  statusAt(lifetimeOf(dates, ownOfferAt), at);

test.each([
  ['long before its release', '2024-06-01T00:00:00Z', announced],
  ['the moment before its release', '2025-02-28T23:59:59.999Z', announced],
  ['at its release', '2025-03-01T00:00:00Z', available],
  ['a millisecond more than 90 days before it retires', '2026-10-02T23:59:59.999Z', available],
  ['90 days before it retires', '2026-10-03T00:00:00Z', retiringSoon],
  ['at the end of its last day', '2026-12-31T23:59:59.999Z', retiringSoon],
  ['when its last day has passed', '2027-01-01T00:00:00Z', retired],
] as const)('a set %s, at %s, has status %d', (_, instant, status) => {
  expect(statusOf(castle, Date.parse(instant))).toBe(status);
});

test.each([
  ['without dates', {}, available],
  ['to be released', { releaseDate: '2027-01-01' }, announced],
  ['of next year', { year: 2027 }, announced],
  ['of this year', { year: 2026 }, available],
  ['of last year', { year: 2025 }, available],
  ['of the year before', { year: 2024 }, retired],
  ['of 1984', { year: 1984 }, retired],
  ['of 2017 that a shop still has', { year: 2017, isOnSale: true }, available],
  ['of 2014 that a shop has listed for too long', { year: 2014, isOnSale: true }, retired],
  ['that retired, of unknown release', { retireDate: '2020-01-01' }, retired],
  ['that retires next year', { retireDate: '2027-12-31' }, available],
  ['that retires next month', { retireDate: '2026-12-31' }, retiringSoon],
  [
    'that is announced although its retirement is near',
    { releaseDate: '2026-12-01', retireDate: '2026-12-31' },
    announced,
  ],
] as const)('the status of a set %s', (_, dates, status) => {
  expect(statusOf({ ...unknown, ...dates }, now)).toBe(status);
});

test('statuses have names', () => {
  const names = ['Announced', 'Available', 'Retiring soon', 'Retired'];
  expect([0, 1, 2, 3, 4, 5].map(statusName)).toEqual([null, ...names, null]);
});

describe('without a known retirement', () => {
  const released = { ...unknown, releaseDate: '2024-03-01', year: 2023 };
  const twoYears = Date.UTC(2024, 2, 1) + 730 * dayMs;

  test('a set retires 730 days after its release, with an unknown last day', () => {
    expect(statusOf(released, twoYears - 1)).toBe(available);
    expect(statusOf(released, twoYears)).toBe(retired);
    expect(lifetimeOf(released, null).lastDay).toBeNull();
  });

  test("a shop's claim is trusted for 3650 days after the release", () => {
    const tenYears = Date.UTC(2024, 2, 1) + 3650 * dayMs;
    const claimed = { ...released, isOnSale: true } as const;
    expect(statusOf(claimed, tenYears - 1)).toBe(available);
    expect(statusOf(claimed, tenYears)).toBe(retired);
  });

  test("a retailer's own offer within 180 days keeps it on sale", () => {
    const seen = twoYears + 500 * dayMs;
    expect(statusOf(released, seen + 180 * dayMs - 1, seen)).toBe(available);
    expect(statusOf(released, seen + 180 * dayMs, seen)).toBe(retired);
    expect(statusChanges(lifetimeOf(released, seen))).toContain(seen + 180 * dayMs);
    // An early offer does not retire it sooner.
    expect(statusOf(released, twoYears - 1, twoYears - 400 * dayMs)).toBe(available);
  });
});

describe('a retirement within two years of the release', () => {
  const early = { ...unknown, releaseDate: '2024-01-01', retireDate: '2025-06-30' };
  const [ended, seen] = [Date.UTC(2025, 6, 1), Date.UTC(2026, 2, 5, 8)];

  test('yields to a later offer of a retailer', () => {
    expect(statusOf(early, seen)).toBe(retired);
    expect(statusOf(early, seen, ended - 1)).toBe(retired);
    expect(statusOf(early, seen + 180 * dayMs - 1, seen)).toBe(available);
    expect(statusOf(early, seen + 180 * dayMs, seen)).toBe(retired);
    expect(lifetimeOf(early, seen).lastDay).toBe('2026-03-05');
    expect(lifetimeOf(early, ended).lastDay).toBe('2025-07-01');
  });

  test('does so only if early', () => {
    const late = { ...early, retireDate: '2026-01-01' };
    expect(lifetimeOf(late, seen)).toMatchObject({ lastDay: '2026-01-01' });
    expect(statusOf(late, seen, seen)).toBe(retired);
  });

  test('is measured from the release, or the start of the year', () => {
    const isEarly = (dates: Partial<SetDates>) => isEarlyRetirement({ ...unknown, ...dates });
    expect(isEarly({ releaseDate: '2024-01-01', retireDate: '2025-12-31' })).toBe(true);
    expect(isEarly({ releaseDate: '2024-01-01', retireDate: '2026-01-01' })).toBe(false);
    expect(isEarly({ year: 2024, retireDate: '2025-12-31' })).toBe(true);
    expect(isEarly({ retireDate: '2025-12-31' })).toBe(false);
    expect(isEarly({ year: 2024 })).toBe(false);
  });
});

test('`statusChanges` returns the instants at which the status changes', () => {
  expect(statusChanges(lifetimeOf(castle, null)).map(formatInstant)).toEqual([
    '2025-03-01T00:00:00.000Z',
    '2026-10-03T00:00:00.000Z',
    '2027-01-01T00:00:00.000Z',
  ]);
  expect(statusChanges(lifetimeOf(unknown, null))).toEqual([]);
});

test('the status is constant between these instants', () => {
  const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
  const day = maybe(fc.integer({ min: 18_000, max: 22_000 }).map((n) => formatDay(n * dayMs)));
  const instant = fc.integer({ min: 18_000 * dayMs, max: 22_200 * dayMs });
  const year = maybe(fc.integer({ min: 2019, max: 2030 }));
  const dates = fc.record({ releaseDate: day, retireDate: day, year });
  fc.assert(
    fc.property(dates, maybe(instant), instant, instant, (some, ownOfferAt, a, b) => {
      const lifetime = lifetimeOf(some, ownOfferAt);
      const [from, to] = a < b ? [a, b] : [b, a];
      const changes = statusChanges(lifetime).some((change) => change > from && change <= to);
      if (!changes) expect(statusAt(lifetime, to)).toBe(statusAt(lifetime, from));
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('a set with only a known year is released at its start', () => {
  const dates = { ...unknown, year: 2026 };
  const start = Date.UTC(2026, 0, 1);
  expect([start - 1, start].map((at) => statusOf(dates, at))).toEqual([announced, available]);
  expect(lifetimeOf(dates, null).releasedAt).toBe(start);
});
