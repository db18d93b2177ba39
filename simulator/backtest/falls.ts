/**
 * Fads that crash: how far values are from the price of a set while it falls and after it, compared
 * with plain medians of its sales.
 */

import { dayMs } from '../../src/kernel/time.ts';
import {
  type Condition,
  conditions,
  type StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import type { Estimator } from '../../src/market/values/estimator.ts';
import { fadAt } from '../market/movements.ts';
import { Random } from '../market/random.ts';
import type { AttackReport } from './attacks.ts';
import type { HonestResult } from './honest-markets.ts';
import {
  facts,
  honestCents,
  honestSales,
  medianCents,
  medianOf90Days,
  start,
} from './hundred-dollar-set.ts';
import type { PoisonResult } from './poisoning.ts';
import type { WashResult } from './wash-sales.ts';

/** Average distances from the price. */
export interface FallResult {
  readonly name: string;
  readonly condition: Condition;
  readonly salesPerMonth: number;
  /** While the price falls, and in the 90 days after. */
  readonly falling: number;
  readonly after: number;
  /** In both times: of the value, and of plain medians. */
  readonly error: number;
  readonly medianOf90Days: number;
  readonly medianOf5Sales: number;
}

export interface FakesReport extends AttackReport {
  readonly falls: readonly FallResult[];
  readonly washSales: readonly WashResult[];
  readonly poisoning: readonly PoisonResult[];
  readonly honest: readonly HonestResult[];
}

interface Fall {
  readonly name: string;
  readonly factorAt: (day: number) => number;
}

const falls: readonly Fall[] = [
  { name: 'fad, half of it lost', factorAt: (day) => fadAt(day, 0.5) },
  {
    name: 'fad, all of it lost',
    factorAt: (day) => fadAt(day, 1),
  },
];

const fallDays = { from: 60, to: 150, end: 240, step: 5 };

export interface FallOptions {
  readonly seed: number;
  /** Sales per month. */
  readonly rates: readonly number[];
  /** Sets per fall, condition and rate of sale. */
  readonly sets: number;
}

export function measureFalls(estimator: Estimator, options: FallOptions): FallResult[] {
  const { seed, rates, sets } = options;
  return falls.flatMap((fall) =>
    conditions.flatMap((condition) =>
      rates.map((salesPerMonth) => {
        const market = { ...fall, condition, salesPerMonth };
        const watched = Array.from({ length: sets }, (_, index) =>
          watchFall(estimator, market, new Random(seed, fall.name, condition, index)),
        ).flat();
        return { name: fall.name, condition, salesPerMonth, ...summarize(watched) };
      }),
    ),
  );
}

/** Distances from the price on a day. */
interface WatchedDay {
  readonly day: number;
  readonly error: number;
  readonly medianOf90Days: number;
  readonly medianOf5Sales: number;
}

function watchFall(
  estimator: Estimator,
  market: Fall & { readonly condition: Condition; readonly salesPerMonth: number },
  random: Random,
): WatchedDay[] {
  const { condition, factorAt } = market;
  const sales = honestSales(random, { ...market, days: fallDays.end }).map(
    (sale): StoredSale => ({ ...sale, condition }),
  );
  const prepared = estimator.prepareSet({ facts, sales, retailWeeks: [] });
  const watched: WatchedDay[] = [];
  for (let { from: day } = fallDays; day <= fallDays.end; day += fallDays.step) {
    const at = start + day * dayMs;
    const known = sales.filter(({ soldAt }) => soldAt <= at);
    const distance = (cents: number) => Math.abs(cents / (honestCents * factorAt(day)) - 1);
    watched.push({
      day,
      error: distance(prepared.valueAt(at)[condition]?.valueCents ?? 0),
      medianOf90Days: distance(medianOf90Days(known, at)),
      medianOf5Sales: distance(medianCents(known.slice(-5))),
    });
  }
  return watched;
}

function summarize(watched: readonly WatchedDay[]) {
  const average = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const errors = (days: readonly WatchedDay[]) => average(days.map(({ error }) => error));
  return {
    falling: errors(watched.filter(({ day }) => day <= fallDays.to)),
    after: errors(watched.filter(({ day }) => day > fallDays.to)),
    error: errors(watched),
    medianOf90Days: average(watched.map((each) => each.medianOf90Days)),
    medianOf5Sales: average(watched.map((each) => each.medianOf5Sales)),
  };
}
