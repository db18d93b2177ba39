/** Early values: what was published before the first month with a value stood until the next. */
import { expect, test } from 'bun:test';
import { dayOf, parseMonth } from '../kernel/time.ts';
import { fillDailyValues, type UnitHistory } from './daily-values.ts';

const day = (date: string) => dayOf(Date.parse(date));
const dates = ['2026-10-01', '2026-10-10', '2026-10-20', '2026-10-31', '2026-11-08', '2026-11-15'];

function values(line: UnitHistory): (number | null)[] {
  const filled = new Float64Array(dates.length);
  fillDailyValues(filled, line, dates.map(day));
  return [...filled].map((cents) => (Number.isNaN(cents) ? null : cents));
}

const early = [
  { day: day('2026-10-10'), cents: 100_00 },
  { day: day('2026-10-30'), cents: 200_00 },
];

test('a value stands from the day on which it was published until the next was', () => {
  const line = { early, months: null, liveCents: 200_00 };
  expect(values(line)).toEqual([null, 100_00, 100_00, 200_00, 200_00, 200_00]);
});

test('it does not matter how long ago it was published', () => {
  const line = { early: [{ day: 0, cents: 50_00 }], months: null, liveCents: 60_00 };
  expect(values(line)).toEqual([50_00, 50_00, 50_00, 50_00, 50_00, 60_00]);
});

test('from the end of the first month with a value on, months tell', () => {
  const october = { firstMonth: parseMonth('2026-10') ?? 0, valueCents: [100_00] };
  // From 31 October it is fifteen days until today: eight of them make 10^(8/15) of tenfold.
  const line = { early: early.slice(0, 1), months: october, liveCents: 1000_00 };
  expect(values(line)).toEqual([null, 100_00, 100_00, 100_00, 341_45, 1000_00]);
});

test('today stays unknown where there is no live value', () => {
  expect(values({ early, months: null, liveCents: null }).at(-1)).toBeNull();
});
