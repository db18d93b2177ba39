/** How wrong predictions were, in the figures that valuers use. */
import { quantile, sortWeighted, weightedQuantile } from '../quantile.ts';
import type { Prediction } from './methods.ts';
import type { Score } from './score.ts';

/** The accuracy of one method over some scores. Shares and errors are ratios. */
export interface Accuracy {
  /** Scores that the method had something to say about. */
  readonly count: number;
  /** Median absolute error against the next plain sale. */
  readonly saleError: number;
  /** Shares of predictions within 10 % and 20 % of the sale. */
  readonly within10: number;
  readonly within20: number;
  /** Nine in ten errors are smaller. */
  readonly saleErrorP90: number;
  /** Median of predicted over sold, less one. */
  readonly bias: number;
  /** Median absolute error against the true value. */
  readonly trueError: number;
  readonly trueWithin10: number;
  /** Median absolute error against the median of the next 30 days, and how many there were. */
  readonly nextError: number;
  readonly nextCount: number;
  /** Null for a method without a range. */
  readonly range: RangeAccuracy | null;
}

/** How good ranges were. */
export interface RangeAccuracy {
  /** Share of sales inside. */
  readonly coverage: number;
  /** Median width, as high over low. */
  readonly width: number;
  /** Mean width (logarithm), with ten times the distance added for a sale outside. */
  readonly winkler: number;
}

/** A sale outside costs this many times its distance: 2 ÷ 0.2, for ranges of four in five. */
const missCost = 10;

/** The accuracy of a method, by its index, over the scores that it has a prediction for. */
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

/** How far outside a sale lies. */
function missOf({ low, high }: { low: number; high: number }, log: number): number {
  return Math.max(0, low - log, log - high);
}

/** Every plain sale counts: the first of a month stands for the others of that month. */
export interface SaleWeighted {
  readonly saleError: number;
  readonly trueError: number;
  readonly coverage: number | null;
}

/** The accuracy by sales instead of by months of items. */
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

/** The error that remains for somebody who knows the true value: sales scatter. */
export function noiseFloor(scores: readonly Score[]): number {
  return quantile(
    scores.map(({ soldLog, trueLog }) => relative(trueLog, soldLog)),
    0.5,
  );
}

/** The error of a prediction, in proportion to what it is held against. */
export function relative(log: number, target: number): number {
  return Math.abs(Math.expm1(log - target));
}

/** Not a number of nothing. */
function shareBelow(errors: readonly number[], bound: number): number {
  return errors.filter((error) => error <= bound).length / errors.length;
}
