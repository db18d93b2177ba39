/**
 * Portfolio returns over a period: time-weighted (the performance of the items) and money-weighted
 * (the performance of the owner's deposits and withdrawals). Nothing is rounded here.
 */

import { at } from '../kernel/at.ts';
import { indexFrom } from './value-history.ts';

/** The value of all holdings at the end of a day. */
export interface DayValue {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly valueCents: number;
}

/**
 * A cash flow into (positive) or out of (negative) the portfolio. Items that leave without being
 * sold need a flow of their value, or they count as lost.
 */
export interface Flow {
  readonly day: number;
  readonly cents: number;
}

/** The range in which a rate is searched; rates beyond it are meaningless for a collection. */
const rateMin = -0.99;
const rateMax = 10;

/** The range is halved until it is this small, far below the displayed precision. */
const precision = 1e-13;

const yearDays = 365;

/**
 * Chain-linked return as a ratio (0.1 = 10 %). `values` are ordered from oldest to newest; the
 * first is the start of the period and includes all flows up to its end. Flows after the last value
 * are not in the period. A flow counts on the first of the days that is not before it, so days
 * further apart than one are linked as one.
 *
 * A day's link is (value + out) / (previous value + in): inflows count at the start of the day and
 * outflows at its end. With both at the start, selling everything would leave 0 over a small
 * remainder, and one good sale would wipe out the whole return.
 *
 * A day with nothing at stake is not linked: either the portfolio was empty, or it received items
 * for free, a gain without a finite ratio. Such items count from the next day on. Null if no day is
 * linked, or if the ratio overflows. After a total loss the return stays −1.
 */
export function timeWeightedReturn(
  values: readonly DayValue[],
  flows: readonly Flow[],
): number | null {
  return timeWeightedReturns(values, flows).at(-1) ?? null;
}

/** The time-weighted return from the start of the period to each of its days. */
export function timeWeightedReturns(
  values: readonly DayValue[],
  flows: readonly Flow[],
): (number | null)[] {
  const moves = sumMoves(values, flows);
  let growth = 1;
  let linked = false;
  return values.map(({ valueCents }, index) => {
    const before = values[index - 1];
    const { inCents, outCents } = at(moves, index);
    const stakeCents = before ? before.valueCents + inCents : 0;
    if (stakeCents > 0) {
      growth *= (valueCents + outCents) / stakeCents;
      linked = true;
    }
    return linked && Number.isFinite(growth) ? growth - 1 : null;
  });
}

/**
 * The annual rate at which the flows explain the final value (XIRR), or null. Takes the same values
 * and flows as the time-weighted return; years have 365 days.
 *
 * Only rates from −99 % to 1000 % are searched, so there is none for a total loss or a jump within
 * a few days, nor if money was withdrawn before any was deposited: that would be the rate of a
 * debt, with gains as losses. If several rates solve the equation, the result is deterministic.
 */
export function moneyWeightedReturn(
  values: readonly DayValue[],
  flows: readonly Flow[],
): number | null {
  const start = values[0];
  const end = values.at(-1);
  if (start === undefined || end === undefined) return null;
  const period = { start, end };
  const dated = asBoughtAndSold(period, flows);
  // A single day, or nothing held: every rate would solve the equation.
  if (dated.length === 0) return null;
  let low = rateMin;
  let high = rateMax;
  // The comparison is also false for NaN.
  const between = excess(period, dated, low) <= 0 && excess(period, dated, high) >= 0;
  if (!between) return null;
  while (high - low > precision) {
    const middle = (low + high) / 2;
    if (excess(period, dated, middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Inflows and outflows up to a day, both positive. */
interface Move {
  inCents: number;
  outCents: number;
}

/** Kept separate, because they count at different times of the day. */
function sumMoves(values: readonly DayValue[], flows: readonly Flow[]): readonly Move[] {
  const days = Int32Array.from(values, ({ day }) => day);
  const last = days[days.length - 1] ?? 0;
  const moves = values.map((): Move => ({ inCents: 0, outCents: 0 }));
  for (const { day, cents } of flows) {
    const move = day > last ? undefined : moves[indexFrom(days, day)];
    if (!move) continue;
    move.inCents += Math.max(cents, 0);
    move.outCents += Math.max(-cents, 0);
  }
  return moves;
}

interface Period {
  readonly start: DayValue;
  readonly end: DayValue;
}

/**
 * The period's flows, including a purchase of everything on the first day and a sale on the last:
 * one per day, without zeros, oldest first. Sums of cents are exact and fractions are always added
 * in this order, so neither the order nor the splitting of flows affects the result.
 */
function asBoughtAndSold({ start, end }: Period, flows: readonly Flow[]): readonly Flow[] {
  const inPeriod = flows.filter(({ day }) => day > start.day && day <= end.day);
  const bought: Flow = { day: start.day, cents: start.valueCents };
  const sold: Flow = { day: end.day, cents: -end.valueCents };
  const centsOn = new Map<number, number>();
  for (const { day, cents } of [bought, ...inPeriod, sold]) {
    centsOn.set(day, (centsOn.get(day) ?? 0) + cents);
  }
  return [...centsOn]
    .map(([day, cents]) => ({ day, cents }))
    .filter(({ cents }) => cents !== 0)
    .sort((a, b) => a.day - b.day);
}

/**
 * The negated net present value of the flows at a rate, which is 0 at the rate searched for. The
 * reference day is the first for positive and the last for negative rates, so that no power exceeds
 * 1 and none overflows.
 */
function excess({ start, end }: Period, dated: readonly Flow[], rate: number): number {
  const valuedOn = rate < 0 ? end.day : start.day;
  // exp of a shared logarithm is faster than a power for thousands of flows.
  const daily = Math.log1p(rate) / yearDays;
  let sum = 0;
  for (const { day, cents } of dated) sum += cents * Math.exp(daily * (valuedOn - day));
  return sum;
}
