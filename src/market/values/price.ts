/**
 * The price that a given share of ordinary sales exceeds, from the value, its uncertainty, the
 * scatter of sales, and the measured distribution of past errors.
 */
import type { ConditionEvidence } from '../evidence/evidence.ts';

/** The shares for which quantiles are stored. */
export const soldShares = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95] as const;

/** The quantiles of a standard normal distribution, used until errors have been measured. */
export const normalAbove: readonly number[] = [
  0, -0.1257, -0.2533, -0.3853, -0.5244, -0.6745, -0.8416, -1.0364, -1.2816, -1.6449,
];

/** Growth of values until the sale (log scale), where it was not learned. */
export const usualGrowthPerYear = 0.05;

/** Inputs of a price. Spreads are on a log scale. */
export interface PriceTerms
  extends Pick<ConditionEvidence, 'valueCents' | 'valueSpread' | 'saleSpread'> {
  /** For each of `soldShares`, the error that this share of errors exceeds, in units of spread. */
  readonly soldAbove: readonly number[];
  /** The price level of the channel relative to that of values (log scale). */
  readonly offset: number;
}

/** The price, delivered and without tax, that a share of ordinary sales exceeds. */
export function priceAt(terms: PriceTerms, share: number): number {
  const { valueCents, valueSpread, saleSpread, soldAbove, offset } = terms;
  const spread = Math.hypot(valueSpread, saleSpread);
  return Math.round(valueCents * Math.exp(offset + quantileAt(soldAbove, share) * spread));
}

/** Interpolates quantiles linearly between the stored shares; constant beyond them. */
export function quantileAt(soldAbove: readonly number[], share: number): number {
  const next = soldShares.findIndex((known) => known >= share);
  const last = soldShares.length - 1;
  const to = next === -1 ? last : next;
  const from = Math.max(0, to - 1);
  const [low = 0, high = 0] = [soldAbove[from], soldAbove[to]];
  const [start = 0.5, end = 0.5] = [soldShares[from], soldShares[to]];
  if (end === start || next === -1) return high;
  return low + ((high - low) * (share - start)) / (end - start);
}
