/** Daily values: what was published at the end of each day, until its month is final. */
import { expect, test } from 'bun:test';
import { dayOf, formatDay, parseInstant } from '../../kernel/time.ts';
import {
  type DayValue,
  dayValuesBefore,
  firstOpenDay,
  listDailyValues,
  nextDayValues,
  packDayValues,
  unpackDayValues,
} from './day-values.ts';

const instant = (text: string) => parseInstant(`${text}Z`) ?? 0;
const noon = (day: string) => instant(`${day}T12:00:00`);

/** Publishes values on days, in order. */
function published(...values: readonly (readonly [string, number | null, number?])[]) {
  return values.reduce<readonly DayValue[]>(
    (known, [day, newCents, usedCents = null]) =>
      nextDayValues(known, { at: noon(day), newCents, usedCents }),
    [],
  );
}

const textOf = (values: readonly DayValue[]) =>
  values.map(({ day, newCents }) => `${formatDay(day * 86_400_000)} ${newCents}`);

test('a value is kept from the day it changes, and the last one of a day counts', () => {
  const values = published(
    ['2026-11-09', null],
    ['2026-11-10', 5],
    ['2026-11-10', 6],
    ['2026-11-12', 6],
    ['2026-11-13', 7],
    ['2026-11-13', 6],
    ['2026-11-14', 8],
    ['2026-11-01', 1],
  );
  expect(textOf(values)).toEqual(['2026-11-10 6', '2026-11-14 8']);
});

test('days of final months are dropped, except for the value that still holds', () => {
  const values = published(['2026-10-01', 1], ['2026-10-20', 2], ['2026-11-05', 3]);
  expect(textOf(values)).toEqual(['2026-10-01 1', '2026-10-20 2', '2026-11-05 3']);
  const later = nextDayValues(values, { at: noon('2026-11-08'), newCents: 4, usedCents: null });
  expect(textOf(later)).toEqual(['2026-10-20 2', '2026-11-05 3', '2026-11-08 4']);
  const next = nextDayValues(later, { at: noon('2026-12-08'), newCents: 4, usedCents: null });
  expect(textOf(next)).toEqual(['2026-11-08 4']);
});

test('the first open day follows the last final month', () => {
  const first = (text: string) => formatDay(firstOpenDay(instant(text)) * 86_400_000);
  expect(first('2026-11-07T23:59:59')).toBe('2026-10-01');
  expect(first('2026-11-08T00:00:00')).toBe('2026-11-01');
});

test('each day has the value that was in force at its end, and today the current one', () => {
  const values = published(['2026-11-02', 5, 50], ['2026-11-04', null, 40], ['2026-11-05', 6, 40]);
  const list = (condition: 'sealed' | 'used', at: string) =>
    listDailyValues(values, { newCents: 9, usedCents: 90 }, { condition, at: noon(at) }).map(
      ({ day, cents }) => `${day - dayOf(instant('2026-11-01T00:00:00')) + 1}: ${cents}`,
    );
  const sealed = ['2: 5', '3: 5', '4: null', '5: 6', '6: 6', '7: 6', '8: 9'];
  expect(list('sealed', '2026-11-08')).toEqual(sealed);
  expect(list('used', '2026-11-05')).toEqual(['2: 50', '3: 50', '4: 40', '5: 90']);
  expect(list('sealed', '2026-12-08')).toEqual([
    '31: 6',
    '32: 6',
    '33: 6',
    '34: 6',
    '35: 6',
    '36: 6',
    '37: 6',
    '38: 9',
  ]);
  const nothing = { newCents: null, usedCents: null };
  const asked = { condition: 'sealed', at: noon('2026-11-20') } as const;
  expect(listDailyValues([], nothing, asked)).toEqual([]);
});

test('values are unpacked as packed, and other layouts are empty', () => {
  const values = published(['2026-11-02', 5, 50], ['2026-11-04', null, 40]);
  expect(unpackDayValues(packDayValues(values))).toEqual(values);
  expect(unpackDayValues(packDayValues([]))).toEqual([]);
  expect(unpackDayValues(null)).toEqual([]);
  expect(unpackDayValues(new Uint8Array(16))).toEqual([]);
});

test('values from a day on are removed', () => {
  const values = published(['2026-11-02', 5], ['2026-11-04', 6]);
  expect(textOf(dayValuesBefore(values, dayOf(noon('2026-11-04'))) ?? [])).toEqual([
    '2026-11-02 5',
  ]);
  expect(dayValuesBefore(values, dayOf(noon('2026-11-05')))).toBeNull();
});
