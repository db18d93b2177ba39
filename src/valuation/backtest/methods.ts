/** The simple ways to value a set, all given the same normalised sales, to measure against. */
import type { Estimator, ValuationFacts } from '../../domain/estimator.ts';
import type { Condition, StoredSale } from '../../domain/market.ts';
import { dayMs } from '../../domain/time.ts';
import type { Observation } from '../normalise.ts';
import { sortWeighted, weightedQuantile } from '../quantile.ts';

/** What is known of a set in one condition at an instant. */
export interface Known {
  readonly at: number;
  readonly condition: Condition;
  /** As they were known then: a retirement that lies ahead is not. */
  readonly facts: ValuationFacts;
  /** All sales that had arrived and were not taken back, in both conditions. */
  readonly sales: readonly StoredSale[];
  /** Those of this condition, normalised, in order of time. */
  readonly observations: readonly Observation[];
}

/** A value (logarithm of cents), and the range of the next ordinary sale where a method has one. */
export interface Prediction {
  readonly log: number;
  readonly range: { readonly low: number; readonly high: number } | null;
}

/** A way to value; null where it has nothing to say. */
export interface Method {
  readonly name: string;
  predict(known: Known): Prediction | null;
}

const windowMs = 180 * dayMs;
const ewmaMs = 45 * dayMs;
const halfLifeMs = 60 * dayMs;

/** The simple methods. The time-weighted median is without the judging of odd sales. */
export const simpleMethods: readonly Method[] = [
  { name: 'MSRP', predict: ({ facts }) => plain(facts.msrpCents && Math.log(facts.msrpCents)) },
  { name: 'last sale', predict: ({ observations }) => plain(observations.at(-1)?.log) },
  {
    name: 'median of the last 5',
    predict: ({ observations }) => plain(weightedMedian(observations.slice(-5), alike)),
  },
  {
    name: 'mean of 180 days',
    predict: (known) => {
      const prices = recent(known).map((o) => Math.exp(o.log));
      return plain(Math.log(prices.reduce((sum, price) => sum + price, 0) / prices.length));
    },
  },
  {
    name: 'median of 180 days',
    predict: (known) => plain(weightedMedian(recent(known), alike)),
  },
  {
    name: 'moving average, 45 days',
    predict: ({ observations, at }) =>
      plain(weightedMean(observations, (o) => Math.exp(-(at - o.at) / ewmaMs))),
  },
  {
    name: 'time-weighted median, 60 days',
    predict: ({ observations, at }) =>
      plain(weightedMedian(observations, (o) => 2 ** (-(at - o.at) / halfLifeMs))),
  },
];

/** A real estimator as a method. */
export function estimatorMethod(estimator: Estimator): Method {
  return {
    name: estimator.version,
    predict: ({ facts, sales, at, condition }) => {
      const value = estimator.valueSet(facts, sales, at)[condition];
      if (value === null) return null;
      const range = { low: Math.log(value.lowCents), high: Math.log(value.highCents) };
      return { log: Math.log(value.valueCents), range };
    },
  };
}

/** Of no sales, nothing is said. */
function plain(log: number | null | undefined): Prediction | null {
  return log === null || log === undefined || !Number.isFinite(log) ? null : { log, range: null };
}

/** The sales of the last 180 days; the last one where there are none. */
function recent({ observations, at }: Known): readonly Observation[] {
  const within = observations.filter((o) => o.at > at - windowMs);
  return within.length > 0 ? within : observations.slice(-1);
}

type Weigh = (observation: Observation) => number;

const alike: Weigh = () => 1;

function weightedMean(observations: readonly Observation[], weigh: Weigh): number {
  let [sum, total] = [0, 0];
  for (const observation of observations) {
    const weight = weigh(observation);
    sum += weight * observation.log;
    total += weight;
  }
  return sum / total;
}

function weightedMedian(observations: readonly Observation[], weigh: Weigh): number {
  const weighted = observations.map((o) => ({ value: o.log, weight: weigh(o) }));
  return weightedQuantile(sortWeighted(weighted), 0.5);
}
