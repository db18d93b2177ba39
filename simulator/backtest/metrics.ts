/** Accuracy metrics of predictions. */
import { quantile, sortWeighted, weightedQuantile } from '../../src/market/values/quantile.ts';
import type { Prediction } from './methods.ts';
import type { Score } from './score.ts';

/** Shares and errors are ratios. */
export interface Accuracy {
  /** Scores with a prediction. */
  readonly count: number;
  /** Median absolute error against the next plain sale. */
  readonly saleError: number;
  /** Shares of predictions within 10% and 20% of the sale. */
  readonly within10: number;
  readonly within20: number;
  /** The 90% quantile of errors. */
  readonly saleErrorP90: number;
  /** Median of predicted over sold, minus one. */
  readonly bias: number;
  /** Median absolute error against the true value. */
  readonly trueError: number;
  readonly trueWithin10: number;
  /** Median absolute error against the median of the next 30 days, and its sample size. */
  readonly nextError: number;
  readonly nextCount: number;
  /** Null for a method without a range. */
  readonly range: RangeAccuracy | null;
}

export interface RangeAccuracy {
  /** Share of sales inside. */
  readonly coverage: number;
  /** Median of high over low. */
  readonly width: number;
  /** Winkler score: mean log width, plus ten times the distance of sales outside. */
  readonly winkler: number;
}

/** 2 ÷ 0.2, for 80% ranges. */
const missCost = 10;

/** Over the scores with a prediction. */
export function accuracyOf(scores: readonly Score[], method: number): Accuracy {
  const predictions = predictionsBy(scores, method);
  const saleErrors = predictions.map(({ log, score }) => relative(log, score.soldLog));
  const trueErrors = predictions.map(({ log, score }) => relative(log, score.trueLog));
  const nextErrors = predictions.flatMap(({ log, score: { nextLog } }) =>
    nextLog === null ? [] : [relative(log, nextLog)],
  );
  const biases = predictions.map(({ log, score }) => log - score.soldLog);
  return {
    count: predictions.length,
    saleError: quantile(saleErrors, 0.5),
    within10: shareBelow(saleErrors, 0.1),
    within20: shareBelow(saleErrors, 0.2),
    saleErrorP90: quantile(saleErrors, 0.9),
    bias: Math.expm1(quantile(biases, 0.5)),
    trueError: quantile(trueErrors, 0.5),
    trueWithin10: shareBelow(trueErrors, 0.1),
    nextError: quantile(nextErrors, 0.5),
    nextCount: nextErrors.length,
    range: rangeAccuracy(predictions),
  };
}

type ScoredPrediction = Prediction & { readonly score: Score };

function predictionsBy(scores: readonly Score[], method: number): ScoredPrediction[] {
  return scores.flatMap((score) => {
    const prediction = score.predictions[method];
    return prediction ? [{ ...prediction, score }] : [];
  });
}

function rangeAccuracy(predictions: readonly ScoredPrediction[]): RangeAccuracy | null {
  const ranged = predictions.flatMap(({ score, range }) =>
    range ? [{ ...range, miss: missOf(range, score.soldLog) }] : [],
  );
  if (ranged.length === 0) return null;
  const widths = ranged.map(({ low, high }) => high - low);
  const costs = ranged.map(({ low, high, miss }) => high - low + missCost * miss);
  return {
    coverage: ranged.filter(({ miss }) => miss === 0).length / ranged.length,
    width: Math.exp(quantile(widths, 0.5)),
    winkler: costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
  };
}

function missOf({ low, high }: { low: number; high: number }, log: number): number {
  return Math.max(0, low - log, log - high);
}

/** Weighted by the number of plain sales in the month. */
export interface SaleWeighted {
  readonly saleError: number;
  readonly trueError: number;
  readonly coverage: number | null;
}

export function saleWeighted(scores: readonly Score[], method: number): SaleWeighted {
  const predictions = predictionsBy(scores, method);
  const median = (target: 'soldLog' | 'trueLog') =>
    weightedQuantile(
      sortWeighted(
        predictions.map(({ log, score }) => ({
          value: relative(log, score[target]),
          weight: score.monthSales,
        })),
      ),
      0.5,
    );
  let [inside, all] = [0, 0];
  for (const { range, score } of predictions) {
    if (!range) continue;
    all += score.monthSales;
    if (missOf(range, score.soldLog) === 0) inside += score.monthSales;
  }
  return {
    saleError: median('soldLog'),
    trueError: median('trueLog'),
    coverage: all === 0 ? null : inside / all,
  };
}

/** The error of the true value, since sales scatter around it. */
export function noiseFloor(scores: readonly Score[]): number {
  return quantile(
    scores.map(({ soldLog, trueLog }) => relative(trueLog, soldLog)),
    0.5,
  );
}

export function relative(log: number, target: number): number {
  return Math.abs(Math.expm1(log - target));
}

/** NaN if empty. */
function shareBelow(errors: readonly number[], bound: number): number {
  return errors.filter((error) => error <= bound).length / errors.length;
}
