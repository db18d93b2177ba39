/** Early values: each change is written down once, until months tell. */
import { expect, test } from 'bun:test';
import { type EarlyValue, nextEarlyValues } from './early-values.ts';

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
