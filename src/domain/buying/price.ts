/**
 * The price that a share of ordinary sales is above: from the value, how uncertain it is, how far
 * sales scatter, and what past errors really looked like.
 */

/** The shares for which it is known how far below the value the price lies. */
export const soldShares = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95] as const;

/** The same of a normal distribution, for as long as nothing else is known. */
export const normalAbove: readonly number[] = [
  0, -0.1257, -0.2533, -0.3853, -0.5244, -0.6745, -0.8416, -1.0364, -1.2816, -1.6449,
];

/** What a price is made from. Spreads are of logarithms. */
export interface PriceTerms {
  readonly valueCents: number;
  /** How uncertain the value is, and how far single sales scatter around it. */
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** What each of `soldShares` of errors is above, in spreads. */
  readonly soldAbove: readonly number[];
  /** By how much prices in the channel are above those that values are about. */
  readonly offset: number;
}

/** The price, delivered and without tax, that a share of ordinary sales is above. */
export function priceAt(terms: PriceTerms, share: number): number {
  const { valueCents, valueSpread, saleSpread, soldAbove, offset } = terms;
  const spread = Math.hypot(valueSpread, saleSpread);
  return Math.round(valueCents * Math.exp(offset + quantileAt(soldAbove, share) * spread));
}

/**
 * What a share of errors is above, in spreads: between the shares that are known in a straight
 * line; beyond them, the nearest.
 */
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
