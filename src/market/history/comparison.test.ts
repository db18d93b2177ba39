/** Comparing values: indexes of 100 at a common start. */
import { expect, test } from 'bun:test';
import { lastDayOf, monthOf } from '../../kernel/time.ts';
import { comparableItem, comparableTheme } from './comparison.ts';

const today = Date.UTC(2026, 10, 16) / 86_400_000;
const november = monthOf(Date.UTC(2026, 10, 16));
/** The end of a month that many months ago. */
const end = (ago: number) => lastDayOf(november - ago);
/** Ends with the month before this one. */
const months = (...valueCents: (number | null)[]) => {
  return { firstMonth: november - valueCents.length, valueCents };
};

test('an item is 100 at its value in force on the first day', () => {
  const item = comparableItem(
    { months: months(null, 10, 12, 15), early: [], liveCents: 20 },
    today,
  );
  expect(item.firstDay).toBe(end(3));
  expect(item.indexFrom(end(3) + 5)).toEqual([
    { day: end(3) + 5, index: 100 },
    { day: end(2), index: 120 },
    { day: end(1), index: 150 },
    { day: today, index: 200 },
  ]);
  expect(item.indexFrom(end(4))).toEqual([]);
});

test('an item without final months has its published values', () => {
  const early = [
    { day: today - 9, cents: 10 },
    { day: today - 3, cents: 11 },
  ];
  const item = comparableItem({ months: null, early, liveCents: null }, today);
  expect(item.indexFrom(today - 9).map(({ index }) => Math.round(index))).toEqual([100, 110]);
  expect(comparableItem({ months: null, early: [], liveCents: null }, today).firstDay).toBeNull();
});

test('a theme is the median of the sets that had a value on the first day', () => {
  const set = (live: number | null, ...values: (number | null)[]) => {
    return { months: months(...values), early: [], liveCents: live };
  };
  const sets = [
    set(40, 10, 10, 20),
    set(10, null, 10, 11),
    set(12, null, 10, 12),
    // Not yet sold on the first day.
    set(999, null, null, 1),
    { months: null, early: [], liveCents: 5 },
  ];
  const theme = comparableTheme(sets, today);
  expect(theme.firstDay).toBe(end(2));
  expect(theme.indexFrom(end(2))).toEqual([
    { day: end(2), index: 100 },
    { day: end(1), index: 120 },
    { day: today, index: 120 },
  ]);
});

test('a theme of fewer than three sets with values has no index', () => {
  const sets = [10, 11].map((cents) => ({ months: months(cents), early: [], liveCents: cents }));
  const theme = comparableTheme(sets, today);
  expect(theme.firstDay).toBeNull();
  expect(theme.indexFrom(today - 9)).toEqual([]);
});
