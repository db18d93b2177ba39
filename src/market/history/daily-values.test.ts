/** Daily values: the last known value, else the first later one, else none. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayOf, lastDayOf, parseMonth } from '../../kernel/time.ts';
import {
  fillDailyValues,
  fillKnownValues,
  firstValueDay,
  type UnitHistory,
} from './daily-values.ts';

const day = (date: string) => dayOf(Date.parse(date));
const dates = ['2026-10-01', '2026-10-10', '2026-10-20', '2026-10-31', '2026-11-08', '2026-11-15'];

function values(line: UnitHistory): (number | null)[] {
  const filled = new Float64Array(dates.length);
  fillDailyValues(filled, line, Int32Array.from(dates, day));
  return [...filled].map((cents) => (Number.isNaN(cents) ? null : cents));
}

const early = [
  { day: day('2026-10-10'), cents: 100_00 },
  { day: day('2026-10-30'), cents: 200_00 },
];

test('a published value holds until the next one, and there is none before the first', () => {
  const line = { early, months: null, liveCents: 200_00 };
  expect(values(line)).toEqual([null, 100_00, 100_00, 200_00, 200_00, 200_00]);
});

test('a value holds from the day of its publication on', () => {
  const later = [...early.slice(0, 1), { day: day('2026-10-20'), cents: 150_00 }];
  const line = { early: later, months: null, liveCents: 200_00 };
  expect(values(line)).toEqual([null, 100_00, 150_00, 150_00, 150_00, 200_00]);
});

test('a value holds regardless of how long ago it was published', () => {
  const line = { early: [{ day: 0, cents: 50_00 }], months: null, liveCents: 60_00 };
  expect(values(line)).toEqual([50_00, 50_00, 50_00, 50_00, 50_00, 60_00]);
});

test('from the end of the first month with a value on, month ends count', () => {
  const october = { firstMonth: parseMonth('2026-10') ?? 0, valueCents: [100_00] };
  // Fifteen days from 31 October to today: after eight of them, the tenfold growth is 10^(8/15).
  const line = { early: early.slice(0, 1), months: october, liveCents: 1000_00 };
  expect(values(line)).toEqual([null, 100_00, 100_00, 100_00, 341_45, 1000_00]);
});

test('the first day with a value is that of a publication, the end of a month, or today', () => {
  const today = day('2026-11-15');
  const months = { firstMonth: parseMonth('2026-09') ?? 0, valueCents: [null, 100_00] };
  const first = (line: UnitHistory) => firstValueDay(line, today);
  expect(first({ early, months, liveCents: 1 })).toBe(day('2026-10-10'));
  expect(first({ early: [], months, liveCents: 1 })).toBe(day('2026-10-31'));
  expect(first({ months, liveCents: null })).toBe(day('2026-10-31'));
  expect(first({ months: null, liveCents: 1 })).toBe(today);
  expect(first({ months: null, liveCents: null })).toBe(Number.POSITIVE_INFINITY);
  // A month that has not ended says nothing yet.
  const running = { firstMonth: parseMonth('2026-11') ?? 0, valueCents: [100_00] };
  expect(first({ months: running, liveCents: null })).toBe(Number.POSITIVE_INFINITY);
});

test('today is unknown without a live value', () => {
  expect(values({ early, months: null, liveCents: null }).at(-1)).toBeNull();
});

test('known values are those from the first month end on', () => {
  const october = { firstMonth: parseMonth('2026-10') ?? 0, valueCents: [100_00] };
  const grid = Int32Array.of(day('2026-10-31'), day('2026-11-15'));
  const filled = new Float64Array(2);
  fillKnownValues(filled, { months: october, liveCents: 120_00 }, grid);
  expect([...filled]).toEqual([100_00, 120_00]);
});

test('values grow geometrically between month ends, and linearly from or to 0', () => {
  const september = parseMonth('2026-09') ?? 0;
  const amount = fc.option(fc.nat(500_00), { freq: 4 });
  const days = fc.uniqueArray(fc.integer({ min: day('2026-07-01'), max: day('2026-11-14') }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 4 }), amount, days, (ends, liveCents, drawn) => {
      const grid = Int32Array.of(...drawn.sort((a, b) => a - b), day('2026-11-15'));
      const firstMonth = september - 1;
      const filled = new Float64Array(grid.length);
      fillDailyValues(filled, { months: { firstMonth, valueCents: ends }, liveCents }, grid);
      const wanted = plainValues(ends, { firstMonth, liveCents }, [...grid]);
      for (const [index, cents] of wanted.entries()) {
        if (cents === null) expect(filled[index]).toBeNaN();
        else expect(Math.abs((filled[index] ?? 0) - cents)).toBeLessThanOrEqual(1);
      }
    }),
    { seed: 41, numRuns: 500 },
  );
});

/** A simple reference implementation; the last day is today. */
function plainValues(
  ends: readonly (number | null)[],
  known: { readonly firstMonth: number; readonly liveCents: number | null },
  grid: readonly number[],
): (number | null)[] {
  const today = grid.at(-1) ?? 0;
  const points = ends
    .map((cents, index) => ({ at: lastDayOf(known.firstMonth + index), cents }))
    .filter(({ at }) => at < today)
    .concat({ at: today, cents: known.liveCents })
    .flatMap(({ at, cents }) => (cents === null ? [] : [{ at, cents }]));
  return grid.map((at) => {
    if (at === today) return known.liveCents;
    const before = points.findLast((point) => point.at <= at);
    const after = points.find((point) => point.at > at);
    if (!before) return null;
    if (!after || before.at === at) return before.cents;
    const share = (at - before.at) / (after.at - before.at);
    return before.cents > 0 && after.cents > 0
      ? before.cents * (after.cents / before.cents) ** share
      : before.cents + (after.cents - before.cents) * share;
  });
}
