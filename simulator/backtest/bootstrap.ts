/**
 * Bootstrap confidence intervals, resampling whole items because scores of an item are correlated.
 * Errors are sorted once; resamples only count.
 */
import { quantile } from '../../src/market/values/quantile.ts';
import { relative } from './metrics.ts';
import type { Score } from './score.ts';

/** A 90% interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export type Target = 'soldLog' | 'trueLog';

export interface Draw {
  readonly resamples: number;
  nextIndex(count: number): number;
}

/** The same resamples are used for every figure. */
export class Bootstrap {
  readonly #scores: readonly Score[];
  readonly #itemIndexes: Int32Array;
  /** Draws per item, for each resample. */
  readonly #drawn: readonly Uint16Array[];

  constructor(scores: readonly Score[], draw: Draw) {
    this.#scores = scores;
    const items = new Map<string, number>();
    this.#itemIndexes = Int32Array.from(scores, ({ item }) => {
      const index = items.get(item) ?? items.size;
      items.set(item, index);
      return index;
    });
    this.#drawn = Array.from({ length: draw.resamples }, () => {
      const counts = new Uint16Array(items.size);
      for (let turn = 0; turn < items.size; turn++) {
        const index = draw.nextIndex(items.size);
        counts[index] = (counts[index] ?? 0) + 1;
      }
      return counts;
    });
  }

  /** Median error of a method in each resample. */
  medians(method: number, target: Target): number[] {
    const errors = this.#scores
      .flatMap((score, index) => {
        const prediction = score.predictions[method];
        if (!prediction) return [];
        const error = relative(prediction.log, score[target]);
        return [{ error, item: this.#itemIndexes[index] ?? 0 }];
      })
      .sort((a, b) => a.error - b.error);
    const sorted = Float64Array.from(errors, ({ error }) => error);
    const items = Int32Array.from(errors, ({ item }) => item);
    return this.#drawn.map((counts) => medianOf({ sorted, items }, counts));
  }
}

/** Weighted median of sorted errors, by the draws of their items. */
function medianOf(
  errors: { readonly sorted: Float64Array; readonly items: Int32Array },
  counts: Uint16Array,
): number {
  const { sorted, items } = errors;
  let total = 0;
  for (let index = 0; index < items.length; index++) total += counts[items[index] ?? 0] ?? 0;
  if (total === 0) return Number.NaN;
  const ranks = [Math.ceil(total / 2), Math.floor(total / 2) + 1];
  let [below, index] = [0, -1];
  const found = ranks.map((rank) => {
    while (below < rank) below += counts[items[++index] ?? 0] ?? 0;
    return sorted[index] ?? Number.NaN;
  });
  return ((found[0] ?? 0) + (found[1] ?? 0)) / 2;
}

/** The 5% and 95% quantiles. */
export function intervalOf(figures: readonly number[]): Interval {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  return { low: quantile(known, 0.05), high: quantile(known, 0.95) };
}
