/** How wrong predictions were, in the figures that valuers use. */
import { quantile } from '../quantile.ts';
import type { Score } from './run.ts';

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
  /** Share of sales inside the range, and its median width as high over low; null without one. */
  readonly coverage: number | null;
  readonly rangeWidth: number | null;
}

/** The accuracy of the method at a place, over the scores that it has a prediction for. */
export function accuracyOf(scores: readonly Score[], place: number): Accuracy {
  const told = scores.flatMap(({ soldLog, trueLog, predictions }) => {
    const prediction = predictions[place];
    return prediction ? [{ soldLog, trueLog, ...prediction }] : [];
  });
  const saleErrors = told.map(({ log, soldLog }) => relative(log, soldLog));
  const trueErrors = told.map(({ log, trueLog }) => relative(log, trueLog));
  const ranged = told.flatMap(({ soldLog, range }) => (range ? [{ soldLog, ...range }] : []));
  const inside = ranged.filter(({ soldLog, low, high }) => low <= soldLog && soldLog <= high);
  return {
    count: told.length,
    saleError: quantile(saleErrors, 0.5),
    within10: shareBelow(saleErrors, 0.1),
    within20: shareBelow(saleErrors, 0.2),
    saleErrorP90: quantile(saleErrors, 0.9),
    bias: Math.expm1(
      quantile(
        told.map(({ log, soldLog }) => log - soldLog),
        0.5,
      ),
    ),
    trueError: quantile(trueErrors, 0.5),
    trueWithin10: shareBelow(trueErrors, 0.1),
    coverage: ranged.length === 0 ? null : inside.length / ranged.length,
    rangeWidth:
      ranged.length === 0
        ? null
        : Math.exp(
            quantile(
              ranged.map(({ low, high }) => high - low),
              0.5,
            ),
          ),
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
function relative(log: number, target: number): number {
  return Math.abs(Math.expm1(log - target));
}

function shareBelow(errors: readonly number[], bound: number): number {
  if (errors.length === 0) return Number.NaN;
  return errors.filter((error) => error <= bound).length / errors.length;
}

/** A figure with the bounds that nine in ten resamples of whole items stay within. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Resamples items, not scores: the scores of one item resemble each other. */
export function bootstrap(
  scores: readonly Score[],
  figure: (scores: readonly Score[]) => number,
  draw: { readonly resamples: number; nextIndex(count: number): number },
): Interval {
  const items = [...Map.groupBy(scores, (score) => score.item).values()];
  const figures = Array.from({ length: draw.resamples }, () =>
    figure(items.flatMap(() => items[draw.nextIndex(items.length)] ?? [])),
  );
  return { low: quantile(figures, 0.05), high: quantile(figures, 0.95) };
}
