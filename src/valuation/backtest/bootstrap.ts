/**
 * How sure figures are: items are drawn again and again, whole items, because the scores of one
 * resemble each other. Errors are sorted once; a resample only counts through them.
 */
import { quantile } from '../quantile.ts';
import { relative } from './metrics.ts';
import type { Score } from './score.ts';

/** The bounds that nine in ten resamples stay within. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What predictions are held against. */
export type Target = 'soldLog' | 'trueLog';

/** How often to draw, and how. */
export interface Draw {
  readonly resamples: number;
  nextIndex(count: number): number;
}

/** Resamples of the items behind some scores; the same ones for every figure. */
export class Bootstrap {
  readonly #scores: readonly Score[];
  readonly #itemIndexes: Int32Array;
  /** For each resample, how often each item was drawn. */
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

  /** The median error of a method in each resample. */
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

/** The median of sorted errors of which each counts as often as its item was drawn. */
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

/** Where nine in ten of the figures lie. */
export function intervalOf(figures: readonly number[]): Interval {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  return { low: quantile(known, 0.05), high: quantile(known, 0.95) };
}
