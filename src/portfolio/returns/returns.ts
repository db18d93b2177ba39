/**
 * Portfolio returns over a period: time-weighted (the performance of the market alone) and
 * money-weighted (the performance of the owner's deposits and withdrawals). Nothing is rounded
 * here.
 */

import { at } from '../../kernel/at.ts';
import type { Trades } from './trades.ts';
import type { DaySum } from './value-history.ts';

/** The value of all holdings at the end of a day. */
type DayValue = Pick<DaySum, 'day' | 'valueCents'>;

/** A cash flow into (positive) or out of (negative) the portfolio. */
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
 * The chain-linked return from the start of the period to each of its days, as a ratio (0.1 =
 * 10 %). `sums` are ordered from oldest to newest. Units enter and leave at market value, so
 * neither a bargain nor a good sale counts: a day's link is the change in value of the units held
 * at a value both the day before and that day. Units without a value are left out.
 *
 * A day on which no units were kept is not linked. Null if no day is linked yet, or if the ratio
 * overflows. After a total loss the return stays −1.
 */
export function timeWeightedReturns(
  sums: readonly DaySum[],
  { enteredCents, leftCents }: Pick<Trades, 'enteredCents' | 'leftCents'>,
): (number | null)[] {
  let growth = 1;
  let linked = false;
  const valuedCents = (sum: DaySum) => sum.valueCents - sum.atCostCents;
  return sums.map((sum, index) => {
    const before = sums[index - 1];
    const keptCents = before ? valuedCents(before) - at(leftCents, index) : 0;
    if (keptCents > 0) {
      growth *= (valuedCents(sum) - at(enteredCents, index)) / keptCents;
      linked = true;
    }
    return linked && Number.isFinite(growth) ? growth - 1 : null;
  });
}

/**
 * The annual rate at which the flows explain the final value (XIRR), or null. Years have 365 days.
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
  // A date that is still in the future in UTC counts as the last day, as in the values.
  const inPeriod = flows
    .filter(({ day }) => day > start.day)
    .map(({ day, cents }) => ({ day: Math.min(day, end.day), cents }));
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
