/** The value of one unit over time, from the ends of months and today's value. */
import type { EarlyValue } from './early-values.ts';
import type { RecentMonths } from './set-values.ts';
import { lastDayOf } from './time.ts';

/** What is known of the value of one unit over time. */
export interface ValueLine {
  /** What was published before the first of the months with a value, oldest first. */
  readonly early?: readonly EarlyValue[];
  readonly months: RecentMonths | null;
  /** The value today; null when it is not known. */
  readonly liveCents: number | null;
}

/** The value of one unit on each day; see `fillUnitValues`. */
export function unitValues(line: ValueLine, days: ArrayLike<number>): Float64Array {
  const values = new Float64Array(days.length);
  fillUnitValues(values, line, days);
  return values;
}

/**
 * Fills in the value of one unit on each day, in cents. Between the days on which it is known (the
 * ends of months, and what was published before the first of them) it moves by the same percentage
 * each day, and after the last one towards the value of today. Not a number before the first. A
 * large collection has a quarter of a million of these.
 */
export function fillUnitValues(
  values: Float64Array,
  { early = none, months, liveCents }: ValueLine,
  days: ArrayLike<number>,
): void {
  const today = days[days.length - 1] ?? 0;
  const ends = months?.valueCents ?? [];
  const firstMonth = months?.firstMonth ?? 0;
  let index = 0;
  let fromDay = 0;
  let fromCents = Number.NaN;
  // First come the early values, as -3, -2 and -1; after the last of the months comes today.
  for (let place = -early.length; place <= ends.length; place++) {
    const isToday = place === ends.length;
    let toDay = today;
    let toCents = liveCents;
    if (place < 0) {
      toDay = early[early.length + place]?.day ?? 0;
      toCents = early[early.length + place]?.cents ?? null;
    } else if (!isToday) {
      toDay = lastDayOf(firstMonth + place);
      toCents = ends[place] ?? null;
    }
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
  if (index < days.length) values.fill(fromCents, index);
  if (days.length > 0) values[days.length - 1] = liveCents ?? Number.NaN;
}

const none: readonly EarlyValue[] = [];
