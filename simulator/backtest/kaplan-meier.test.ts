/** Kaplan–Meier median with censored times. */
import { expect, test } from 'bun:test';
import { medianWait } from './kaplan-meier.ts';

const ended = (...days: number[]) => days.map((each) => ({ days: each, hasEnded: true }));
const open = (...days: number[]) => days.map((each) => ({ days: each, hasEnded: false }));

test('without censoring it is the median', () => {
  expect(medianWait(ended(5, 1, 3, 9, 4))).toBe(4);
  expect(medianWait(ended(2, 1))).toBe(1);
});

test('censored times reduce the number at risk', () => {
  // After 1: 4/5; after 3: × 2/3 = 0.53; after 8: × 1/2.
  expect(medianWait([...ended(1, 3, 8), ...open(2, 9)])).toBe(8);
  // An item censored at the time of an event is still at risk.
  expect(medianWait([...open(1), ...ended(1)])).toBe(1);
});

test('it is infinite if the survival curve stays above a half', () => {
  expect(medianWait([...ended(1), ...open(2, 3)])).toBe(Number.POSITIVE_INFINITY);
  expect(medianWait([])).toBe(Number.POSITIVE_INFINITY);
});
