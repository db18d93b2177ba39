/**
 * Value and cost of what was held, day by day. A lot counts from its purchase until it is sold, so
 * that buying and selling step value and cost alike; nothing is projected back before the purchase.
 */
import type { RecentMonths, SetInCondition } from './market-store.ts';
import { dayMs, type Month, monthStart } from './time.ts';

/** A lot with the days on which units of it were sold. Days are counted from 1970. */
export interface Position extends SetInCondition {
  readonly boughtOn: number;
  /** Units as bought. */
  readonly quantity: number;
  readonly priceCents: number;
  readonly exits: readonly { readonly day: number; readonly quantity: number }[];
}

/** What is known of the value of one unit over time. */
export interface ValueLine {
  readonly months: RecentMonths | null;
  /** The value today; null when it is not known. */
  readonly liveCents: number | null;
}

/** Sums at the end of a day. */
export interface DaySum {
  readonly day: number;
  readonly valueCents: number;
  readonly costCents: number;
}

/** What everything on a line was worth on some days, oldest first; the last one is today. */
export function sumDays(
  holdings: Iterable<{ readonly line: ValueLine; readonly positions: readonly Position[] }>,
  days: readonly number[],
): DaySum[] {
  const value = new Float64Array(days.length);
  const cost = new Float64Array(days.length);
  for (const { line, positions } of holdings) {
    const unit = unitValues(line, days);
    for (const position of positions) addPosition(position, { days, unit, value, cost });
  }
  return days.map((day, index) => ({
    day,
    valueCents: value[index] ?? 0,
    costCents: cost[index] ?? 0,
  }));
}

interface Sums {
  readonly days: readonly number[];
  /** The value of one unit on each day; not a number where it is not known. */
  readonly unit: Float64Array;
  readonly value: Float64Array;
  readonly cost: Float64Array;
}

function addPosition(position: Position, { days, unit, value, cost }: Sums): void {
  const { boughtOn, priceCents, exits } = position;
  const last = days.length - 1;
  for (let index = last; index >= 0; index--) {
    // What is left today counts today, whatever days its owner wrote down.
    const day = index === last ? Number.POSITIVE_INFINITY : (days[index] ?? 0);
    if (day < boughtOn) return;
    let units = position.quantity;
    for (const exit of exits) if (exit.day <= day) units -= exit.quantity;
    const known = unit[index] ?? Number.NaN;
    value[index] = (value[index] ?? 0) + units * (Number.isNaN(known) ? priceCents : known);
    cost[index] = (cost[index] ?? 0) + units * priceCents;
  }
}

/**
 * The value of one unit on each day, in cents: between the ends of months it moves by the same
 * percentage each day, and after the last one towards the value of today.
 */
export function unitValues(
  { months, liveCents }: ValueLine,
  days: readonly number[],
): Float64Array {
  const values = new Float64Array(days.length).fill(Number.NaN);
  const today = days.at(-1) ?? 0;
  const anchors = anchorsOf(months, today, liveCents);
  let next = 0;
  days.forEach((day, index) => {
    while (next < anchors.length && (anchors[next]?.day ?? 0) < day) next++;
    values[index] = between(anchors[next - 1], anchors[next], day);
  });
  // Today is what the summary says, also where only the past has a value.
  if (days.length > 0) values[days.length - 1] = liveCents ?? Number.NaN;
  return values;
}

interface Anchor {
  readonly day: number;
  readonly cents: number;
}

/** The ends of months with a value, and today. */
function anchorsOf(months: RecentMonths | null, today: number, liveCents: number | null): Anchor[] {
  const anchors: Anchor[] = [];
  months?.valueCents.forEach((cents, index) => {
    const day = lastDayOf(months.firstMonth + index);
    if (cents !== null && day < today) anchors.push({ day, cents });
  });
  if (liveCents !== null) anchors.push({ day: today, cents: liveCents });
  return anchors;
}

function lastDayOf(month: Month): number {
  return monthStart(month + 1) / dayMs - 1;
}

/** Before the first anchor nothing is known; after the last one its value stays. */
function between(from: Anchor | undefined, to: Anchor | undefined, day: number): number {
  if (to?.day === day) return to.cents;
  if (from === undefined) return Number.NaN;
  if (to === undefined) return from.cents;
  const share = (day - from.day) / (to.day - from.day);
  // A value of nothing has no percentage to move by.
  if (from.cents <= 0 || to.cents <= 0) {
    return Math.round(from.cents + (to.cents - from.cents) * share);
  }
  return Math.round(from.cents * (to.cents / from.cents) ** share);
}
