/**
 * Value and cost of what was held, day by day. A lot counts from its purchase until it is sold, so
 * that buying and selling step value and cost alike; nothing is projected back before the purchase.
 */

import { fillDailyValues, type UnitHistory } from '../market/daily-values.ts';
import type { Condition } from '../market/source-rows.ts';

/** A lot with the days on which units of it were sold. Days are counted from 1970. */
export interface Position {
  readonly setKey: string;
  readonly condition: Condition;
  readonly boughtOn: number;
  /** Units as bought. */
  readonly quantity: number;
  readonly priceCents: number;
  /** Whether the price is an assumption. */
  readonly isEstimated: boolean;
  /** False when the day of purchase is not known; such a lot has no part in returns. */
  readonly isDated: boolean;
  readonly exits: readonly Exit[];
}

/** Units of a lot that were sold, and their share of what the sale brought, in fractions too. */
export interface Exit {
  readonly day: number;
  readonly quantity: number;
  readonly netCents: number;
}

/** Sums at the end of a day. */
export interface DaySum {
  readonly day: number;
  readonly valueCents: number;
  readonly costCents: number;
}

/** What everything was worth on some days, oldest first; the last one is today. */
export function sumDays(
  holdings: Iterable<{ readonly history: UnitHistory; readonly positions: readonly Position[] }>,
  days: readonly number[],
): DaySum[] {
  const grid = Int32Array.from(days);
  const zeros = () => new Float64Array(days.length);
  const [value, costSteps] = [zeros(), zeros()];
  // Used again for each set: making them anew took longer than filling them.
  const [unit, steps] = [zeros(), { units: zeros(), cost: zeros() }];
  for (const { history, positions } of holdings) {
    // Before the first purchase there is nothing to be valued.
    const from = indexFrom(grid, firstDay(positions));
    fillDailyValues(unit, history, grid, from);
    const until = fillSteps(steps, positions, grid);
    addHolding(unit, steps, { value, costSteps, from, until });
  }
  let costCents = 0;
  return days.map((day, index) => {
    costCents += costSteps[index] ?? 0;
    return { day, valueCents: value[index] ?? 0, costCents };
  });
}

function firstDay(positions: readonly Position[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { boughtOn } of positions) if (boughtOn < first) first = boughtOn;
  return first;
}

/** By how much the units held, and what they cost, change on each day. */
interface Steps {
  readonly units: Float64Array;
  readonly cost: Float64Array;
}

/** The last day with a step: after it, what is held stays as it is. */
function fillSteps(
  { units, cost }: Steps,
  positions: readonly Position[],
  days: Int32Array,
): number {
  let until = 0;
  for (const { boughtOn, quantity, priceCents, exits } of positions) {
    const from = indexFrom(days, boughtOn);
    until = Math.max(until, from);
    add(units, from, quantity);
    add(cost, from, quantity * priceCents);
    for (const exit of exits) {
      const at = Math.max(from, indexFrom(days, exit.day));
      until = Math.max(until, at);
      add(units, at, -exit.quantity);
      add(cost, at, -exit.quantity * priceCents);
    }
  }
  return until;
}

/** The first day on or after another. What is dated after today counts today: it is done. */
export function indexFrom(days: Int32Array, day: number): number {
  let low = 0;
  let high = days.length - 1;
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
function addHolding(
  unit: Float64Array,
  steps: Steps,
  sums: {
    readonly value: Float64Array;
    readonly costSteps: Float64Array;
    readonly from: number;
    readonly until: number;
  },
): void {
  const { value, costSteps, from, until } = sums;
  let units = 0;
  let cost = 0;
  for (let index = from; index <= until; index++) {
    const costStep = steps.cost[index] ?? 0;
    units += steps.units[index] ?? 0;
    cost += costStep;
    add(costSteps, index, costStep);
    add(value, index, worth(unit[index] ?? 0, units, cost));
    // Ready for the next set.
    steps.units[index] = 0;
    steps.cost[index] = 0;
  }
  for (let index = until + 1; index < unit.length; index++) {
    add(value, index, worth(unit[index] ?? 0, units, cost));
  }
}

function worth(cents: number, units: number, cost: number): number {
  return Number.isNaN(cents) ? cost : units * cents;
}
