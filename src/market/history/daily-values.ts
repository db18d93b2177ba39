/** The daily value of one unit, interpolated between month-end values and today's value. */

import { dayMs, lastDayOf, type Month, monthOf } from '../../kernel/time.ts';
import { type GradeShare, gradedCents } from '../grades/grades.ts';
import type { EarlyValue, RecentMonths } from '../values/set-values.ts';

export interface UnitHistory {
  /** Values published before the first month that has a value, oldest first. */
  readonly early?: readonly EarlyValue[];
  readonly months: RecentMonths | null;
  /** Today's value; null if unknown. */
  readonly liveCents: number | null;
}

/** The values of a unit of a grade: at all times, its share of the condition's value. */
export function gradedHistory(history: UnitHistory, share: GradeShare): UnitHistory {
  if (share.share === 1) return history;
  return {
    early: (history.early ?? []).map(({ day, cents }) => ({
      day,
      cents: gradedCents(cents, share) ?? cents,
    })),
    months: gradedMonths(history.months, share),
    liveCents: gradedCents(history.liveCents, share),
  };
}

export function gradedMonths(months: RecentMonths | null, share: GradeShare): RecentMonths | null {
  if (months === null || share.share === 1) return months;
  return {
    firstMonth: months.firstMonth,
    valueCents: months.valueCents.map((cents) => gradedCents(cents, share)),
  };
}

/** The first day with a value: of a publication, at the end of a month, or today; else infinite. */
export function firstValueDay({ early, months, liveCents }: UnitHistory, today: number): number {
  const none = Number.POSITIVE_INFINITY;
  const position = months?.valueCents.findIndex((cents) => cents !== null) ?? -1;
  const monthEnd = months && position >= 0 ? lastDayOf(months.firstMonth + position) : none;
  const live = liveCents === null ? none : today;
  return Math.min(early?.[0]?.day ?? none, monthEnd < today ? monthEnd : none, live);
}

/**
 * Fills in the value of one unit in cents for each day from index `from` on; NaN before the first
 * day with a value. Typed arrays, because a large collection has a million values.
 */
export function fillDailyValues(
  values: Float64Array,
  history: UnitHistory,
  days: Int32Array,
  from = 0,
): void {
  fillKnownValues(values, history, days, from);
  if (history.early && Number.isNaN(values[from])) fillEarly(values, history.early, { days, from });
}

/**
 * Interpolates geometrically between month ends, and from the last one to today's value; NaN before
 * the first month end with a value.
 */
export function fillKnownValues(
  values: Float64Array,
  { months, liveCents }: UnitHistory,
  days: Int32Array,
  from = 0,
): void {
  const today = days[days.length - 1] ?? 0;
  const ends = months?.valueCents ?? [];
  const firstMonth = months?.firstMonth ?? 0;
  let index = from;
  let fromDay = 0;
  let fromCents = Number.NaN;
  // The position after the last month stands for today.
  for (let position = inForce(ends, firstMonth, days, from); position <= ends.length; position++) {
    const isToday = position === ends.length;
    const toDay = isToday ? today : lastDayOf(firstMonth + position);
    const toCents = isToday ? liveCents : (ends[position] ?? null);
    if (toCents === null || (toDay >= today && !isToday)) continue;
    if ((days[index] ?? 0) < toDay) {
      const stretch = { fromDay, fromCents, toDay, toCents };
      // Geometric growth needs positive values.
      const fill = fromCents > 0 && toCents > 0 ? fillGrowing : fillLinear;
      index = fill(values, stretch, days, index);
    }
    if (days[index] === toDay) values[index++] = toCents;
    fromDay = toDay;
    fromCents = toCents;
    // Only today is left, which needs none of the months in between.
    if (index >= days.length - 1) break;
  }
  // Without a value today, the last known one holds until yesterday.
  for (; index < days.length; index++) values[index] = fromCents;
  // A typed array ignores the index -1.
  values[days.length - 1] = liveCents ?? Number.NaN;
}

/** Two days with known values and none in between. */
interface Stretch {
  readonly fromDay: number;
  readonly fromCents: number;
  readonly toDay: number;
  readonly toCents: number;
}

/** Interpolates geometrically up to the day before `toDay`; returns the next index to fill. */
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
  // Days are usually equally spaced, so the factor is rarely recomputed.
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
    // Faster than `Math.round`, and equal to it for positive numbers.
    values[index] = Math.floor(cents + 0.5);
  }
  return index;
}

/** Interpolates linearly; yields NaN if `fromCents` is NaN. */
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
 * The position of the last month-end value at or before the first day to fill; 0 if there is none.
 */
function inForce(
  ends: readonly (number | null)[],
  firstMonth: Month,
  days: Int32Array,
  from: number,
): number {
  const ended = monthOf(((days[from] ?? 0) + 1) * dayMs) - 1;
  let position = Math.min(ended - firstMonth, ends.length - 1);
  while (position > 0 && (ends[position] ?? null) === null) position--;
  return Math.max(position, 0);
}

/** Before the first month-end value, each published value holds until the next one. */
function fillEarly(
  values: Float64Array,
  early: readonly EarlyValue[],
  { days, from }: { readonly days: Int32Array; readonly from: number },
): void {
  let cents = Number.NaN;
  let next = 0;
  // Today's value has been set already.
  for (let index = from; index < days.length - 1 && Number.isNaN(values[index]); index++) {
    for (; (early[next]?.day ?? Number.POSITIVE_INFINITY) <= (days[index] ?? 0); next++) {
      cents = early[next]?.cents ?? cents;
    }
    values[index] = cents;
  }
}
