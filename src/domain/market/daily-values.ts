/** The value of one unit over time, from the ends of months and today's value. */

import { dayMs, lastDayOf, type Month, monthOf } from '../kernel/time.ts';
import type { EarlyValue, RecentMonths } from './set-values.ts';

/** What is known of the value of one unit over time. */
export interface UnitHistory {
  /** What was published before the first of the months with a value, oldest first. */
  readonly early?: readonly EarlyValue[];
  readonly months: RecentMonths | null;
  /** The value today; null when it is not known. */
  readonly liveCents: number | null;
}

/**
 * Fills in the value of one unit on each day, in cents: the one in force then, else the first one
 * after it, so that nothing seems to gain all that it is worth on the day on which it was first
 * valued. Not a number where there is none. A large collection has a million of these, so that days
 * and values are of one type each.
 * Days before the first one that is asked for are left as they are.
 */
export function fillDailyValues(
  values: Float64Array,
  history: UnitHistory,
  days: Int32Array,
  from = 0,
): void {
  const firstCents = fillKnownValues(values, history, days, from);
  if (Number.isNaN(values[from])) {
    fillBefore(values, { early: history.early ?? [], firstCents, from }, days);
  }
}

/**
 * Between the ends of months the value moves by the same percentage each day, and after the last
 * one towards the value of today; not a number before the first of them, which is what it gives.
 */
export function fillKnownValues(
  values: Float64Array,
  { months, liveCents }: UnitHistory,
  days: Int32Array,
  from = 0,
): number {
  const today = days[days.length - 1] ?? 0;
  const ends = months?.valueCents ?? [];
  const firstMonth = months?.firstMonth ?? 0;
  let index = from;
  let fromDay = 0;
  let fromCents = Number.NaN;
  let firstCents = Number.NaN;
  // After the last of the months comes today.
  for (let position = inForce(ends, firstMonth, days, from); position <= ends.length; position++) {
    const isToday = position === ends.length;
    const toDay = isToday ? today : lastDayOf(firstMonth + position);
    const toCents = isToday ? liveCents : (ends[position] ?? null);
    if (toCents === null || (toDay >= today && !isToday)) continue;
    if (index < days.length && (days[index] ?? 0) < toDay) {
      const stretch = { fromDay, fromCents, toDay, toCents };
      // A value of nothing has no percentage to move by.
      const fill = fromCents > 0 && toCents > 0 ? fillGrowing : fillLinear;
      index = fill(values, stretch, days, index);
    }
    if (index < days.length && days[index] === toDay) values[index++] = toCents;
    fromDay = toDay;
    fromCents = toCents;
    if (Number.isNaN(firstCents)) firstCents = toCents;
    // What is left is today, which needs none of the months in between.
    if (index >= days.length - 1) break;
  }
  // Where only the past has a value, it stays until yesterday; today is what the summary says.
  for (; index < days.length; index++) values[index] = fromCents;
  if (days.length > 0) values[days.length - 1] = liveCents ?? Number.NaN;
  return firstCents;
}

/** Two days with a value, and nothing known in between. */
interface Stretch {
  readonly fromDay: number;
  readonly fromCents: number;
  readonly toDay: number;
  readonly toCents: number;
}

/** Fills in the days before the end of a stretch by one percentage; gives the first one after. */
function fillGrowing(
  values: Float64Array,
  { fromDay, fromCents, toDay, toCents }: Stretch,
  days: Int32Array,
  from: number,
): number {
  const step = Math.log(toCents / fromCents) / (toDay - fromDay);
  let index = from;
  let before = fromDay;
  let cents = fromCents;
  // Days lie equally far apart, so that the factor seldom has to be worked out.
  let gap = 0;
  let factor = 1;
  for (; index < days.length; index++) {
    const day = days[index] ?? 0;
    if (day >= toDay) break;
    if (day - before !== gap) {
      gap = day - before;
      factor = Math.exp(step * gap);
    }
    cents *= factor;
    before = day;
    // Faster than `Math.round`, and the same for what is not negative.
    values[index] = Math.floor(cents + 0.5);
  }
  return index;
}

/** The same by one amount; nothing is known where a stretch has no beginning. */
function fillLinear(
  values: Float64Array,
  { fromDay, fromCents, toDay, toCents }: Stretch,
  days: Int32Array,
  from: number,
): number {
  const step = (toCents - fromCents) / (toDay - fromDay);
  let index = from;
  let before = fromDay;
  let cents = fromCents;
  for (; index < days.length; index++) {
    const day = days[index] ?? 0;
    if (day >= toDay) break;
    cents += step * (day - before);
    before = day;
    values[index] = Math.round(cents);
  }
  return index;
}

/**
 * Where the value that is in force on the first day stands: what came before it counts no more.
 * The first of all where there is none.
 */
function inForce(
  ends: readonly (number | null)[],
  firstMonth: Month,
  days: Int32Array,
  from: number,
): number {
  // The last day that can decide it: the value of today is not that of a month.
  const day = Math.min(days[from] ?? 0, (days[days.length - 1] ?? 0) - 1);
  const ended = monthOf((day + 1) * dayMs) - 1;
  let position = Math.min(ended - firstMonth, ends.length - 1);
  while (position > 0 && (ends[position] ?? null) === null) position--;
  return Math.max(position, 0);
}

/**
 * Before the first month with a value, what was published stood until something else was; and
 * before that, the first value counts.
 */
function fillBefore(
  values: Float64Array,
  {
    early,
    firstCents,
    from,
  }: {
    readonly early: readonly EarlyValue[];
    readonly firstCents: number;
    readonly from: number;
  },
  days: Int32Array,
): void {
  let cents = early[0]?.cents ?? firstCents;
  let next = 0;
  // Today is what the summary says.
  for (let index = from; index < days.length - 1 && Number.isNaN(values[index]); index++) {
    for (; (early[next]?.day ?? Number.POSITIVE_INFINITY) <= (days[index] ?? 0); next++) {
      cents = early[next]?.cents ?? cents;
    }
    values[index] = cents;
  }
}
