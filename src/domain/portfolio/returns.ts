/**
 * Returns of a portfolio over a period: what its things made (time-weighted) and what its owner
 * made with the money put in and taken out (money-weighted). Nothing is rounded here.
 */

import { indexFrom } from './value-history.ts';

/** The value of everything held at the end of a day. */
export interface DayValue {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly valueCents: number;
}

/**
 * Money that went into the portfolio (positive) or came out of it (negative) on a day. Things that
 * leave without being sold need a flow of their value, or they count as lost.
 */
export interface Flow {
  readonly day: number;
  readonly cents: number;
}

/** Rates outside of these say nothing about a collection, so none is searched for there. */
const rateMin = -0.99;
const rateMax = 10;

/** Halving the range of rates this often leaves 10⁻¹³ of it, far below what anyone is shown. */
const halvings = 48;

const yearDays = 365;

/**
 * Chain-linked: what a dollar that was there all along would have made. As a ratio (0.1 = 10 %).
 * `values` are of some days, oldest first. The first is where the period starts and holds all flows
 * up to its end; flows after the last value are not in the period. A flow counts on the first of
 * the days that is not before it: where they lie more than a day apart, days are linked together.
 *
 * A day's link is (value + out) / (value the day before + in): money comes in at the start of the
 * day and goes out at its end. With both at the start, selling everything would leave 0 over a
 * small remainder, and one good sale would wipe out the whole return; so it counts as what it is,
 * proceeds over value.
 *
 * A day with nothing at stake is not linked. Either the portfolio was empty, or it got things for
 * nothing, which is a gain of no finite ratio; they count from the next day on. Null when no day is
 * linked, or when the ratio is larger than a number can be. After a total loss it stays −1, since
 * nothing of that dollar is left to grow.
 */
export function timeWeightedReturn(
  values: readonly DayValue[],
  flows: readonly Flow[],
): number | null {
  return timeWeightedReturns(values, flows).at(-1) ?? null;
}

/** The same from the start of the period up to each of its days. */
export function timeWeightedReturns(
  values: readonly DayValue[],
  flows: readonly Flow[],
): (number | null)[] {
  const moves = sumMoves(values, flows);
  let beforeCents = values[0]?.valueCents ?? 0;
  let growth = 1;
  let linked = false;
  return values.map(({ valueCents }, index) => {
    const { inCents, outCents } = moves[index] ?? noMove;
    const stakeCents = beforeCents + inCents;
    if (index > 0 && stakeCents > 0) {
      growth *= (valueCents + outCents) / stakeCents;
      linked = true;
    }
    beforeCents = valueCents;
    return linked && Number.isFinite(growth) ? growth - 1 : null;
  });
}

/**
 * The yearly rate at which the flows explain the value at the end (XIRR); null when no rate does.
 * Takes the same values and flows as the time-weighted return; years have 365 days.
 *
 * Only rates from −99 % to 1000 % are searched, so a total loss has none, nor has a jump within a
 * few days. Where money came out before any went in, a rate would be that of a debt and call the
 * gain a loss, so there is none either. Where several rates would do, it is always the same one.
 */
export function moneyWeightedReturn(
  values: readonly DayValue[],
  flows: readonly Flow[],
): number | null {
  const start = values[0];
  const end = values.at(-1);
  if (start === undefined || end === undefined || end.day - start.day < 1) return null;
  const period = { start, end };
  const dated = asBoughtAndSold(period, flows);
  // Without this, every rate would explain nothing at all.
  if (dated.length === 0) return null;
  let low = rateMin;
  let high = rateMax;
  // Asked this way around, an amount that is no number has no rate.
  const between = excess(period, dated, low) <= 0 && excess(period, dated, high) >= 0;
  if (!between) return null;
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2;
    if (excess(period, dated, middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** What went in and out by the end of a day, both as positive amounts. */
interface Move {
  inCents: number;
  outCents: number;
}

const noMove: Readonly<Move> = { inCents: 0, outCents: 0 };

/** In and out are kept apart, because they take part in a day's link at different times. */
function sumMoves(values: readonly DayValue[], flows: readonly Flow[]): readonly Move[] {
  const days = Int32Array.from(values, ({ day }) => day);
  const last = days[days.length - 1] ?? 0;
  const moves = values.map((): Move => ({ inCents: 0, outCents: 0 }));
  for (const { day, cents } of flows) {
    const move = day > last ? undefined : moves[indexFrom(days, day)];
    if (!move) continue;
    if (cents > 0) move.inCents += cents;
    else move.outCents -= cents;
  }
  return moves;
}

interface Period {
  readonly start: DayValue;
  readonly end: DayValue;
}

/**
 * The period's flows as if all had been bought on its first day and sold on its last: one per day,
 * none of 0, oldest first. Sums of cents are exact and the later sum of fractions always runs in
 * this order, so neither the order of flows nor how they were split can change a digit.
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
 * By how much the flows, had they grown at a rate, would exceed what became of them: the net
 * present value with its sign turned, so that it is 0 at the rate that is looked for. Growth is
 * counted from the first day, shrinking to the last: no power passes 1, so none overflows.
 */
function excess({ start, end }: Period, dated: readonly Flow[], rate: number): number {
  const valuedOn = rate < 0 ? end.day : start.day;
  // A power by way of its logarithm, which is the same for all: there are thousands of flows.
  const daily = Math.log1p(rate) / yearDays;
  let sum = 0;
  for (const { day, cents } of dated) sum += cents * Math.exp(daily * (valuedOn - day));
  return sum;
}
