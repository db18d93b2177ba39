/** The values of a set: packing is lossless for the latest fourteen months. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { aSeries } from '../../../test/support/builders.ts';
import type { Series } from '../history/history.ts';
import {
  type EarlyValue,
  nextEarlyValues,
  nextSetValues,
  packSetValues,
  unpackSetValues,
  valuesBefore,
} from './set-values.ts';

const cents = fc.option(fc.integer({ min: 0, max: 100_000_000 }));

const series = fc.option(
  fc.record({
    firstMonth: fc.integer({ min: 23_000, max: 25_000 }),
    values: fc.array(cents, { maxLength: 30, size: 'max' }),
  }),
);

function asSeries(given: { firstMonth: number; values: (number | null)[] } | null): Series | null {
  if (given === null) return null;
  const point = { lowCents: null, highCents: null, salesCount: 0, event: null };
  const points = given.values.map((valueCents) => ({ ...point, valueCents }));
  return aSeries(given.firstMonth, points);
}

test('values and the latest fourteen months are unpacked unchanged', () => {
  fc.assert(
    fc.property(cents, cents, series, series, (newCents, usedCents, sealed, used) => {
      const series = { sealed: asSeries(sealed), used: asSeries(used) };
      const values = nextSetValues(null, { newCents, usedCents, series, day: 20_000 });
      const months = (given: typeof sealed) =>
        given === null || given.values.length === 0
          ? null
          : {
              firstMonth: given.firstMonth + Math.max(0, given.values.length - 14),
              valueCents: given.values.slice(-14),
            };
      const early = (given: typeof sealed, now: number | null) =>
        now === null || given?.values.some((value) => value !== null)
          ? []
          : [{ day: 20_000, cents: now }];
      expect(unpackSetValues(packSetValues(values))).toEqual({
        newCents,
        usedCents,
        months: { sealed: months(sealed), used: months(used) },
        early: { sealed: early(sealed, newCents), used: early(used, usedCents) },
      });
    }),
    { seed: 11 },
  );
});

test('a value of 0 differs from no value', () => {
  const series = { sealed: null, used: null };
  const values = nextSetValues(null, { newCents: 0, usedCents: null, series, day: 1 });
  expect(unpackSetValues(packSetValues(values))).toMatchObject({ newCents: 0, usedCents: null });
});

test('values published before the first month with a value are kept up to that month', () => {
  const none = { sealed: null, used: null };
  const day = (date: string) => Date.parse(date) / 86_400_000;
  const on = (date: string, newCents: number) => ({ newCents, usedCents: null, day: day(date) });
  const first = nextSetValues(null, { ...on('2026-09-03', 100), series: none });
  const second = nextSetValues(first, { ...on('2026-10-04', 120), series: none });
  const october = asSeries({ firstMonth: 2026 * 12 + 8, values: [null, 130] });
  const third = nextSetValues(second, {
    ...on('2026-11-09', 140),
    series: { sealed: october, used: null },
  });
  expect(third.early.sealed).toEqual([
    { day: day('2026-09-03'), cents: 100 },
    { day: day('2026-10-04'), cents: 120 },
  ]);
});

test('packed values take four bytes per number', () => {
  const series = { sealed: asSeries({ firstMonth: 24_000, values: [1, null, 3] }), used: null };
  const values = nextSetValues(null, { newCents: 1, usedCents: 2, series, day: 3 });
  // The format and two values; per condition a month, a count and a count of early values; three
  // months; and one early value with its day.
  expect(packSetValues(values).byteLength).toBe(4 * (1 + 2 + 2 * 3 + 3 + 2));
});

test('another format is not unpacked', () => {
  const series = { sealed: null, used: null };
  const packed = packSetValues(nextSetValues(null, { newCents: 1, usedCents: 2, series, day: 3 }));
  packed[0] = 99;
  expect(unpackSetValues(packed)).toBeNull();
});

describe('early values', () => {
  const first: EarlyValue = { day: 100, cents: 50_00 };
  const second: EarlyValue = { day: 110, cents: 55_00 };
  const publish = (
    known: readonly EarlyValue[],
    day: number,
    cents: number | null,
    monthsFrom: number | null = null,
  ) => nextEarlyValues(known, { day, cents, monthsFrom });

  test('a value is recorded only if it is new or has changed', () => {
    expect(publish([], 100, 50_00)).toEqual([first]);
    expect(publish([first], 105, 50_00)).toEqual([first]);
    expect(publish([first], 110, 55_00)).toEqual([first, second]);
  });

  test('the last of several values on one day is kept', () => {
    expect(publish([first], 100, 51_00)).toEqual([{ day: 100, cents: 51_00 }]);
    expect(publish([first, second], 110, 56_00)).toEqual([first, { day: 110, cents: 56_00 }]);
  });

  test('nothing is recorded without a value, or for a day before the last one', () => {
    expect(publish([first], 110, null)).toEqual([first]);
    expect(publish([first, second], 105, 70_00)).toEqual([first, second]);
  });

  test('once a month has a value, only earlier publications are kept', () => {
    expect(publish([first, second], 120, 60_00, 110)).toEqual([first]);
    expect(publish([], 120, 60_00, 110)).toEqual([]);
  });

  test('with daily changes, the first and the latest days are kept', () => {
    let known: readonly EarlyValue[] = [];
    for (let day = 0; day < 100; day++) known = publish(known, day, 1000 + day);
    expect(known).toHaveLength(16);
    expect([known[0]?.day, known[1]?.day, known.at(-1)?.day]).toEqual([0, 85, 99]);
  });
});

test('the packed form of values never changes', () => {
  const months = { sealed: { firstMonth: 5, valueCents: [7, null] }, used: null };
  const early = { sealed: [], used: [{ day: 8, cents: 9 }] };
  const packed = packSetValues({ newCents: 3, usedCents: null, months, early });
  const numbers = [1, 3, -1, 5, 2, 7, -1, 0, 0, 0, 1, 8, 9];
  expect([...new Int32Array(packed.buffer)]).toEqual(numbers);
});

test('early values can be removed from a day on, in either condition', () => {
  const value = (day: number) => ({ day, cents: 5 });
  const early = { sealed: [value(1), value(3)], used: [value(2)] };
  const values = { newCents: 3, usedCents: 4, months: { sealed: null, used: null }, early };
  const left = (day: number) => valuesBefore(values, day)?.early ?? null;
  expect(left(4)).toBeNull();
  expect(left(3)).toEqual({ sealed: [value(1)], used: [value(2)] });
  expect(left(1)).toEqual({ sealed: [], used: [] });
  expect(valuesBefore({ ...values, early: { ...early, sealed: [] } }, 2)?.early.used).toEqual([]);
  expect(valuesBefore(values, 3)).toMatchObject({ newCents: 3, usedCents: 4 });
});
