/** Waits that are not over count for as long as they lasted. */
import { expect, test } from 'bun:test';
import { medianWait } from './kaplan-meier.ts';

const ended = (...days: number[]) => days.map((each) => ({ days: each, hasEnded: true }));
const open = (...days: number[]) => days.map((each) => ({ days: each, hasEnded: false }));

test('where all waits are over it is the time after which half of them were', () => {
  expect(medianWait(ended(5, 1, 3, 9, 4))).toBe(4);
  expect(medianWait(ended(2, 1))).toBe(1);
});

test('a wait that is not over leaves the others as many as they are among those who wait on', () => {
  // After 1: 4/5; after 3: × 2/3 = 0.53; after 8: × 1/2.
  expect(medianWait([...ended(1, 3, 8), ...open(2, 9)])).toBe(8);
  // One that ends just when another is looked at last was still among those who waited.
  expect(medianWait([...open(1), ...ended(1)])).toBe(1);
});

test('it is not known where fewer than half are known to end', () => {
  expect(medianWait([...ended(1), ...open(2, 3)])).toBe(Number.POSITIVE_INFINITY);
  expect(medianWait([])).toBe(Number.POSITIVE_INFINITY);
});
