/**
 * The value of sales in one condition: a median in which recent sales count more, after sales that
 * do not fit the others are left out. Weights decay exponentially, so that they keep their
 * proportions as time passes: without new sales the value stays.
 */
import type { Value } from '../domain/estimator.ts';
import { dayMs } from '../domain/time.ts';
import type { Observation } from './normalise.ts';
import { sortWeighted, type Weighted, weightedQuantile } from './quantile.ts';

/** A sale counts half as much as one this much later. */
const halfLifeMs = 60 * dayMs;

/** Only the latest sales that fit count; older ones would weigh next to nothing. */
const salesMax = 32;

/** Which sales are odd is judged over more of them, and over a longer time. */
const judgedSalesMax = 2 * salesMax;
const judgedHalfLifeMs = 4 * halfLifeMs;

/** No single sale outweighs all others when that is judged: it could declare them odd. */
const judgedShareMax = 0.99;

/** Fewer sales than this cannot tell which of them is odd. */
const outlierSalesMin = 4;

/** A sale is odd when it is this many robust deviations away, and by this much at the least. */
const outlierDeviations = 3.5;
const outlierLogMin = 0.35;

/** From this many equally weighing sales on, the range is read off the sales themselves. */
const quantileSalesMin = 8;

/** How prices of one item usually spread (logarithm), and how many sales that belief is worth. */
const usualSpread = { sealed: 0.15, used: 0.22 };
const usualSpreadSales = 4;

/** Turns a standard deviation into the half-width of an 80 % range. */
const eightyPercent = 1.2816;

const madToDeviation = 1.4826;

/** A value, and which sales were left out because they do not fit the others. */
export interface Median extends Value {
  readonly rejected: ReadonlySet<Observation>;
}

/** The time-weighted median of observations in order of time; null without any. */
export function timeWeightedMedian(
  observations: readonly Observation[],
  condition: 'sealed' | 'used',
): Median | null {
  const newest = observations.at(-1);
  if (!newest) return null;
  const judged = observations.slice(-judgedSalesMax);
  const rejected = findOutliers(judged, newest.at);
  const accepted = judged.filter((o) => !rejected.has(o)).slice(-salesMax);
  const sorted = sortWeighted(accepted.map((o) => weigh(o, newest.at, halfLifeMs)));
  const median = weightedQuantile(sorted, 0.5);
  const { low, high } = rangeOf(sorted, { median, usual: usualSpread[condition] });
  return { ...toValue(median, low, high), rejected };
}

function weigh(observation: Observation, newestAt: number, halfLife: number): Weighted {
  const weight = observation.weight * 2 ** ((observation.at - newestAt) / halfLife);
  return { value: observation.log, weight };
}

function findOutliers(
  observations: readonly Observation[],
  newestAt: number,
): ReadonlySet<Observation> {
  if (observations.length < outlierSalesMin) return new Set();
  const weighted = withoutMajority(observations.map((o) => weigh(o, newestAt, judgedHalfLifeMs)));
  const median = weightedQuantile(sortWeighted(weighted), 0.5);
  const distances = weighted.map((w) => ({ ...w, value: Math.abs(w.value - median) }));
  const mad = weightedQuantile(sortWeighted(distances), 0.5);
  const limit = Math.max(outlierLogMin, outlierDeviations * madToDeviation * mad);
  return new Set(observations.filter((o) => Math.abs(o.log - median) > limit));
}

/** The same numbers, none of which outweighs all others. */
function withoutMajority(weighted: readonly Weighted[]): Weighted[] {
  const total = weighted.reduce((sum, item) => sum + item.weight, 0);
  return weighted.map(({ value, weight }) => ({
    value,
    weight: Math.min(weight, judgedShareMax * (total - weight)),
  }));
}

function rangeOf(
  sorted: readonly Weighted[],
  facts: { median: number; usual: number },
): { low: number; high: number } {
  const { median, usual } = facts;
  const total = sorted.reduce((sum, item) => sum + item.weight, 0);
  // So many sales of equal weight would say as much as these.
  const count = total ** 2 / sorted.reduce((sum, item) => sum + item.weight ** 2, 0);
  if (count >= quantileSalesMin) {
    return { low: weightedQuantile(sorted, 0.1), high: weightedQuantile(sorted, 0.9) };
  }
  const squares = sorted.reduce((sum, item) => sum + item.weight * (item.value - median) ** 2, 0);
  const variance =
    ((squares / total) * count + usualSpreadSales * usual ** 2) / (count + usualSpreadSales);
  const halfWidth = eightyPercent * Math.sqrt(variance);
  return { low: median - halfWidth, high: median + halfWidth };
}

/** Cents from logarithms, rounded so that low ≤ value ≤ high holds whatever the rounding does. */
export function toValue(median: number, low: number, high: number): Value {
  const cents = (log: number) => Math.min(valueCentsMax, Math.max(1, Math.round(Math.exp(log))));
  const valueCents = cents(median);
  return {
    valueCents,
    lowCents: Math.min(valueCents, cents(low)),
    highCents: Math.max(valueCents, cents(high)),
  };
}

/** More than any item was ever worth, and what a stored month can hold. */
const valueCentsMax = 2_000_000_000;
