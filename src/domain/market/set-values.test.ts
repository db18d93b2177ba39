/** The values of a set: what is packed comes out again, of the latest fourteen months. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { aSeries } from '../../../test/support/builders.ts';
import type { Series } from './history.ts';
import {
  type EarlyValue,
  nextEarlyValues,
  nextSetValues,
  packSetValues,
  unpackSetValues,
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

test('values and the latest fourteen months come out as they went in', () => {
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

test('a value of nothing is not the same as none', () => {
  const series = { sealed: null, used: null };
  const values = nextSetValues(null, { newCents: 0, usedCents: null, series, day: 1 });
  expect(unpackSetValues(packSetValues(values))).toMatchObject({ newCents: 0, usedCents: null });
});

test('what was published before a month had a value is kept until that month', () => {
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

test('what is packed takes four bytes for each number, and no more', () => {
  const series = { sealed: asSeries({ firstMonth: 24_000, values: [1, null, 3] }), used: null };
  const values = nextSetValues(null, { newCents: 1, usedCents: 2, series, day: 3 });
  // The layout, two values; for each condition a month, a count and a count of early values; three
  // months; and one early value with its day.
  expect(packSetValues(values).byteLength).toBe(4 * (1 + 2 + 2 * 3 + 3 + 2));
});

test('what was packed in another layout is not taken for something else', () => {
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

  test('a value is written down when it is new or has changed, and not again', () => {
    expect(publish([], 100, 50_00)).toEqual([first]);
    expect(publish([first], 105, 50_00)).toEqual([first]);
    expect(publish([first], 110, 55_00)).toEqual([first, second]);
  });

  test('of several values on one day the last one stays', () => {
    expect(publish([first], 100, 51_00)).toEqual([{ day: 100, cents: 51_00 }]);
    expect(publish([first, second], 110, 56_00)).toEqual([first, { day: 110, cents: 56_00 }]);
  });

  test('nothing is written down where no value is known, or about a day before the last one', () => {
    expect(publish([first], 110, null)).toEqual([first]);
    expect(publish([first, second], 105, 70_00)).toEqual([first, second]);
  });

  test('once a month has a value, only what was published before its end stays', () => {
    expect(publish([first, second], 120, 60_00, 110)).toEqual([first]);
    expect(publish([], 120, 60_00, 110)).toEqual([]);
  });

  test('a value that changes every day keeps its first and its latest days', () => {
    let known: readonly EarlyValue[] = [];
    for (let day = 0; day < 100; day++) known = publish(known, day, 1000 + day);
    expect(known).toHaveLength(16);
    expect([known[0]?.day, known[1]?.day, known.at(-1)?.day]).toEqual([0, 85, 99]);
  });
});
