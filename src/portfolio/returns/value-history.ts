/**
 * Value and cost of holdings day by day. A lot counts from its purchase until it is sold, so that
 * trades change value and cost together; nothing is projected back before the purchase.
 */

import { at } from '../../kernel/at.ts';
import type { Grade } from '../../market/grades/grades.ts';
import { fillDailyValues, type UnitHistory } from '../../market/history/daily-values.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';

/** A lot and its sales. Days are counted from 1970. */
export interface Position {
  readonly key: string;
  readonly condition: Condition;
  readonly boughtOn: number;
  /** Units bought. */
  readonly quantity: number;
  readonly priceCents: number;
  /** Whether the price is an estimate. */
  readonly isEstimated: boolean;
  /** False if the day of purchase is unknown, which excludes the lot from returns. */
  readonly isDated: boolean;
  readonly exits: readonly Exit[];
}

/** Lots are read with their grades, which their values depend on. */
export interface GradedPosition extends Position {
  readonly grade: Grade | null;
}

/** Sold units of a lot, and their (fractional) share of the net proceeds. */
export interface Exit {
  readonly day: number;
  readonly quantity: number;
  readonly netCents: number;
}

/** Totals at the end of a day. */
export interface DaySum {
  readonly day: number;
  readonly valueCents: number;
  readonly costCents: number;
  /** The part of the value that stands at cost, because there is no value yet. */
  readonly atCostCents: number;
}

/** The lots of one item in one condition. */
export interface Holding {
  readonly history: UnitHistory;
  readonly positions: readonly Position[];
}

/** Totals on the given days, oldest first; the last one is today. */
export function sumDays(holdings: Iterable<Holding>, days: readonly number[]): DaySum[] {
  const sums = new DaySums(days);
  for (const holding of holdings) sums.add(holding);
  return sums.list();
}

/** The same for holdings that are added one by one. */
export class DaySums {
  private readonly grid: Int32Array;
  private readonly value: Float64Array;
  private readonly atCost: Float64Array;
  private readonly costSteps: Float64Array;
  // Reused for each set: allocating them took longer than filling them.
  private readonly unit: Float64Array;
  private readonly steps: Steps;

  constructor(private readonly days: readonly number[]) {
    const zeros = () => new Float64Array(days.length);
    this.grid = Int32Array.from(days);
    this.value = zeros();
    this.atCost = zeros();
    this.costSteps = zeros();
    this.unit = zeros();
    this.steps = { units: zeros(), cost: zeros() };
  }

  add({ history, positions }: Holding): void {
    const { grid, value, atCost, costSteps, unit, steps } = this;
    // Nothing is held before the first purchase.
    const from = indexFrom(grid, firstDay(positions));
    fillDailyValues(unit, history, grid, from);
    const until = fillSteps(steps, positions, grid);
    addHolding(unit, steps, { value, atCost, costSteps, from, until });
  }

  list(): DaySum[] {
    let costCents = 0;
    return this.days.map((day, index) => {
      costCents += at(this.costSteps, index);
      return {
        day,
        valueCents: at(this.value, index),
        costCents,
        atCostCents: at(this.atCost, index),
      };
    });
  }
}

function firstDay(positions: readonly Position[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { boughtOn } of positions) if (boughtOn < first) first = boughtOn;
  return first;
}

/** Changes in held units and their cost on each day. */
interface Steps {
  readonly units: Float64Array;
  readonly cost: Float64Array;
}

/** Returns the index of the last change. */
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

/** The index of the first day on or after another. Dates in the future count as today. */
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

export function add(sums: Float64Array, index: number, amount: number): void {
  sums[index] = (sums[index] ?? 0) + amount;
}

/** Units without a value count at cost. */
function addHolding(
  unit: Float64Array,
  steps: Steps,
  sums: {
    readonly value: Float64Array;
    readonly atCost: Float64Array;
    readonly costSteps: Float64Array;
    readonly from: number;
    readonly until: number;
  },
): void {
  const { value, atCost, costSteps, from, until } = sums;
  let units = 0;
  let cost = 0;
  for (let index = from; index < unit.length; index++) {
    if (index <= until) {
      const costStep = steps.cost[index] ?? 0;
      units += steps.units[index] ?? 0;
      cost += costStep;
      add(costSteps, index, costStep);
      // Reset for the next set.
      steps.units[index] = 0;
      steps.cost[index] = 0;
    }
    const cents = unit[index] ?? 0;
    const isUnknown = Number.isNaN(cents);
    add(value, index, isUnknown ? cost : units * cents);
    if (isUnknown) add(atCost, index, cost);
  }
}
