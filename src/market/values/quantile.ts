/** Quantiles of weighted and unweighted values. */
import { at } from '../../kernel/at.ts';

export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/** Of sorted values; the mean of two values if the target falls exactly between them. */
export function weightedQuantile(sorted: readonly Weighted[], share: number): number {
  const total = sorted.reduce((sum, item) => sum + item.weight, 0);
  const target = total * share;
  let below = 0;
  for (const [index, item] of sorted.entries()) {
    below += item.weight;
    // Equal up to rounding: the quantile lies between this value and the next.
    if (Math.abs(below - target) <= total * 1e-12) {
      return (item.value + (sorted[index + 1]?.value ?? item.value)) / 2;
    }
    if (below > target) return item.value;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
}

export function sortWeighted(items: readonly Weighted[]): Weighted[] {
  return [...items].sort((a, b) => a.value - b.value);
}

/** By linear interpolation between order statistics; NaN if empty. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const position = share * (sorted.length - 1);
  const [low, high] = [at(sorted, Math.floor(position)), at(sorted, Math.ceil(position))];
  return low + (high - low) * (position - Math.floor(position));
}
