/** The value of one unit over time, from the ends of months and today's value. */

import { lastDayOf } from '../kernel/time.ts';
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
 * Fills in the value of one unit on each day, in cents; not a number before it was first valued. A
 * large collection has a quarter of a million of these.
 */
export function fillDailyValues(
  values: Float64Array,
  history: UnitHistory,
  days: ArrayLike<number>,
): void {
  fillMonths(values, history, days);
  if (history.early) fillEarly(values, history.early, days);
}

/**
 * Between the ends of months the value moves by the same percentage each day, and after the last
 * one towards the value of today.
 */
function fillMonths(
  values: Float64Array,
  { months, liveCents }: UnitHistory,
  days: ArrayLike<number>,
): void {
  const today = days[days.length - 1] ?? 0;
  const ends = months?.valueCents ?? [];
  const firstMonth = months?.firstMonth ?? 0;
  let index = 0;
  let fromDay = 0;
  let fromCents = Number.NaN;
  // After the last of the months comes today.
  for (let position = 0; position <= ends.length; position++) {
    const isToday = position === ends.length;
    const toDay = isToday ? today : lastDayOf(firstMonth + position);
    const toCents = isToday ? liveCents : (ends[position] ?? null);
    if (toCents === null || (toDay >= today && !isToday)) continue;
    if (index < days.length && (days[index] ?? 0) < toDay) {
      // A value of nothing has no percentage to move by.
      const isLinear = !(fromCents > 0 && toCents > 0);
      const whole = isLinear ? toCents - fromCents : Math.log(toCents / fromCents);
      const step = whole / (toDay - fromDay);
      // Days lie equally far apart, so that the factor seldom has to be worked out.
      let before = fromDay;
      let gap = 0;
      let factor = 1;
      let cents = fromCents;
      for (; index < days.length; index++) {
        const day = days[index] ?? 0;
        if (day >= toDay) break;
        if (day - before !== gap) {
          gap = day - before;
          factor = isLinear ? step * gap : Math.exp(step * gap);
        }
        cents = isLinear ? cents + factor : cents * factor;
        before = day;
        values[index] = Math.round(cents);
      }
    }
    if (index < days.length && days[index] === toDay) values[index++] = toCents;
    fromDay = toDay;
    fromCents = toCents;
  }
  // Where only the past has a value, it stays until yesterday; today is what the summary says.
  values.fill(fromCents, index);
  if (days.length > 0) values[days.length - 1] = liveCents ?? Number.NaN;
}

/** Before the first month with a value, what was published stood until something else was. */
function fillEarly(
  values: Float64Array,
  early: readonly EarlyValue[],
  days: ArrayLike<number>,
): void {
  let position = -1;
  for (let index = 0; index < days.length - 1; index++) {
    while ((early[position + 1]?.day ?? Number.POSITIVE_INFINITY) <= (days[index] ?? 0)) position++;
    const published = early[position];
    if (published && Number.isNaN(values[index])) values[index] = published.cents;
  }
}
