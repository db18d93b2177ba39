/**
 * Value and cost of what was held, day by day. A lot counts from its purchase until it is sold, so
 * that buying and selling step value and cost alike; nothing is projected back before the purchase.
 */
import type { Condition } from './market.ts';
import type { RecentMonths } from './set-values.ts';
import { dayMs, type Month, monthStart } from './time.ts';

/** A lot with the days on which units of it were sold. Days are counted from 1970. */
export interface Position {
  readonly setKey: string;
  readonly condition: Condition;
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

/** What everything was worth on some days, oldest first; the last one is today. */
export function sumDays(
  holdings: Iterable<{ readonly line: ValueLine; readonly positions: readonly Position[] }>,
  days: readonly number[],
): DaySum[] {
  const zeros = () => new Float64Array(days.length);
  const [value, cost] = [zeros(), zeros()];
  // Used again for each line: making them anew took longer than filling them.
  const [unit, steps] = [zeros(), { units: zeros(), cost: zeros() }];
  for (const { line, positions } of holdings) {
    fillUnitValues(unit, line, days);
    fillSteps(steps, positions, days);
    addLine(unit, steps, { value, cost });
  }
  return days.map((day, index) => ({
    day,
    valueCents: value[index] ?? 0,
    costCents: cost[index] ?? 0,
  }));
}

/** By how much the units held, and what they cost, change on each day. */
interface Steps {
  readonly units: Float64Array;
  readonly cost: Float64Array;
}

function fillSteps(
  { units, cost }: Steps,
  positions: readonly Position[],
  days: readonly number[],
): void {
  for (const { boughtOn, quantity, priceCents, exits } of positions) {
    const from = indexOf(days, boughtOn);
    add(units, from, quantity);
    add(cost, from, quantity * priceCents);
    for (const exit of exits) {
      const at = Math.max(from, indexOf(days, exit.day));
      add(units, at, -exit.quantity);
      add(cost, at, -exit.quantity * priceCents);
    }
  }
}

/** The first day on or after another. What is dated after today counts today: it is done. */
function indexOf(days: readonly number[], day: number): number {
  let [low, high] = [0, days.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function add(sums: Float64Array, index: number, amount: number): void {
  sums[index] = (sums[index] ?? 0) + amount;
}

/** Where the value of a unit is not known, units are worth what they cost. */
function addLine(
  unit: Float64Array,
  steps: Steps,
  sums: { readonly value: Float64Array; readonly cost: Float64Array },
): void {
  let [units, cost] = [0, 0];
  for (let index = 0; index < unit.length; index++) {
    units += steps.units[index] ?? 0;
    cost += steps.cost[index] ?? 0;
    // Ready for the next line.
    steps.units[index] = 0;
    steps.cost[index] = 0;
    const cents = unit[index] ?? Number.NaN;
    add(sums.value, index, Number.isNaN(cents) ? cost : units * cents);
    add(sums.cost, index, cost);
  }
}

/**
 * The value of one unit on each day, in cents: between the ends of months it moves by the same
 * percentage each day, and after the last one towards the value of today. Not a number before the
 * first of them. A large collection has a quarter of a million of these.
 */
export function unitValues(line: ValueLine, days: readonly number[]): Float64Array {
  const values = new Float64Array(days.length);
  fillUnitValues(values, line, days);
  return values;
}

function fillUnitValues(
  values: Float64Array,
  { months, liveCents }: ValueLine,
  days: readonly number[],
): void {
  const today = days.at(-1) ?? 0;
  const ends = months?.valueCents ?? [];
  let index = 0;
  let fromDay = 0;
  let fromCents = Number.NaN;
  // After the last of the months comes today.
  for (let place = 0; place <= ends.length; place++) {
    const isToday = place === ends.length;
    const toDay = isToday ? today : lastDayOf((months?.firstMonth ?? 0) + place);
    const toCents = isToday ? liveCents : (ends[place] ?? null);
    if (toCents === null || (toDay >= today && !isToday)) continue;
    if (index < days.length && (days[index] ?? 0) < toDay) {
      // A value of nothing has no percentage to move by.
      const isLinear = !(fromCents > 0 && toCents > 0);
      const whole = isLinear ? toCents - fromCents : Math.log(toCents / fromCents);
      const step = whole / (toDay - fromDay);
      for (; index < days.length; index++) {
        const day = days[index] ?? 0;
        if (day >= toDay) break;
        const move = step * (day - fromDay);
        values[index] = Math.round(isLinear ? fromCents + move : fromCents * Math.exp(move));
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

/** Months have few ends, and they are asked for again and again. */
const lastDays = new Map<Month, number>();

function lastDayOf(month: Month): number {
  const known = lastDays.get(month);
  if (known !== undefined) return known;
  const day = monthStart(month + 1) / dayMs - 1;
  lastDays.set(month, day);
  return day;
}
