/** Fixed-bin histograms: quantiles that do not depend on the order of values, and cheap merging. */

/** Equal bins between bounds; values beyond are counted in the outer bins. */
export interface Bins {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export class Histogram {
  /** The total weight. */
  count = 0;
  readonly #counts: Float64Array;

  constructor(private readonly bins: Bins) {
    this.#counts = new Float64Array(Math.round((bins.max - bins.min) / bins.step) + 1);
  }

  /** NaN is ignored. */
  add(value: number, weight = 1): void {
    if (Number.isNaN(value)) return;
    const { min, step } = this.bins;
    const position = Math.round((value - min) / step);
    const bin = Math.max(0, Math.min(this.#counts.length - 1, position));
    this.#counts[bin] = (this.#counts[bin] ?? 0) + weight;
    this.count += weight;
  }

  addAll(other: Histogram): void {
    for (let bin = 0; bin < this.#counts.length; bin++) {
      this.#counts[bin] = (this.#counts[bin] ?? 0) + (other.#counts[bin] ?? 0);
    }
    this.count += other.count;
  }

  /** The value at a rank, which is clamped to 1 and the count; NaN if empty. */
  atRank(rank: number): number {
    return this.#whereBelow(Math.max(1, Math.min(this.count, rank)));
  }

  /** Weighted; between two values if half of the weight is on each side. */
  median(): number {
    const half = this.count / 2;
    return (this.#whereBelow(half * (1 - rounding)) + this.#whereBelow(half * (1 + rounding))) / 2;
  }

  #whereBelow(target: number): number {
    let below = 0;
    for (let bin = 0; bin < this.#counts.length; bin++) {
      const count = this.#counts[bin] ?? 0;
      below += count;
      if (count > 0 && below >= target) return this.bins.min + bin * this.bins.step;
    }
    return Number.NaN;
  }
}

/** Sums of weights are exact to this share. */
const rounding = 1e-9;

export class MonthlyHistograms {
  readonly #months = new Map<number, Map<string, Histogram>>();

  constructor(private readonly bins: Bins) {}

  add(month: number, name: string, value: number, weight = 1): void {
    const named = this.#months.getOrInsertComputed(month, () => new Map());
    named.getOrInsertComputed(name, () => new Histogram(this.bins)).add(value, weight);
  }

  /** Merges the months in [from, before). */
  between(name: string, from: number, before: number): Histogram {
    const sum = new Histogram(this.bins);
    for (let month = from; month < before; month++) {
      const histogram = this.#months.get(month)?.get(name);
      if (histogram) sum.addAll(histogram);
    }
    return sum;
  }
}
