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

/** Only the latest sales count; older ones would weigh next to nothing. */
const salesMax = 32;

/** Fewer sales than this cannot tell which of them is odd. */
const outlierSalesMin = 4;

/** A sale is odd when it is this many robust deviations away, and by this much at the least. */
const outlierDeviations = 3.5;
const outlierLogMin = 0.35;

/** From this many sales on, the range is read off the sales themselves. */
const quantileSalesMin = 10;

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
  const latest = observations.slice(-salesMax);
  const newest = latest.at(-1);
  if (!newest) return null;
  const weigh = (o: Observation): Weighted => ({
    value: o.log,
    weight: o.weight * 2 ** ((o.at - newest.at) / halfLifeMs),
  });
  const rejected = findOutliers(latest, weigh);
  const sorted = sortWeighted(latest.filter((o) => !rejected.has(o)).map(weigh));
  const median = weightedQuantile(sorted, 0.5);
  const { low, high } = rangeOf(sorted, { median, usual: usualSpread[condition] });
  return { ...toValue(median, low, high), rejected };
}

function findOutliers(
  observations: readonly Observation[],
  weigh: (observation: Observation) => Weighted,
): ReadonlySet<Observation> {
  if (observations.length < outlierSalesMin) return new Set();
  const weighted = observations.map(weigh);
  const median = weightedQuantile(sortWeighted(weighted), 0.5);
  const distances = weighted.map((w) => ({ ...w, value: Math.abs(w.value - median) }));
  const mad = weightedQuantile(sortWeighted(distances), 0.5);
  const limit = Math.max(outlierLogMin, outlierDeviations * madToDeviation * mad);
  return new Set(observations.filter((o) => Math.abs(o.log - median) > limit));
}

function rangeOf(
  sorted: readonly Weighted[],
  facts: { median: number; usual: number },
): { low: number; high: number } {
  const { median, usual } = facts;
  if (sorted.length >= quantileSalesMin) {
    return { low: weightedQuantile(sorted, 0.1), high: weightedQuantile(sorted, 0.9) };
  }
  const squares = sorted.reduce((sum, item) => sum + (item.value - median) ** 2, 0);
  const spread = Math.sqrt(
    (squares + usualSpreadSales * usual ** 2) / (sorted.length + usualSpreadSales),
  );
  return { low: median - eightyPercent * spread, high: median + eightyPercent * spread };
}

/** Cents from logarithms, rounded so that low ≤ value ≤ high holds whatever the rounding does. */
export function toValue(median: number, low: number, high: number): Value {
  const valueCents = Math.max(1, Math.round(Math.exp(median)));
  return {
    valueCents,
    lowCents: Math.min(valueCents, Math.max(1, Math.round(Math.exp(low)))),
    highCents: Math.max(valueCents, Math.round(Math.exp(high))),
  };
}
