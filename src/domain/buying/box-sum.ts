/**
 * The distribution of what a mixed box sells for in total. Units sell around the value of their
 * item, and share the error of that value. Such sums are close to lognormal, so mean and variance
 * suffice, without simulation.
 */

/** Units of one item and condition. */
export interface BoxItem {
  readonly quantity: number;
  /** The log of the value in cents, and its uncertainty (√v). */
  readonly log: number;
  readonly valueSpread: number;
  /** The scatter of single sales around the true value (σ), on a log scale. */
  readonly saleSpread: number;
}

/** An 80% interval. */
export interface SumRange {
  readonly lowCents: number;
  readonly medianCents: number;
  readonly highCents: number;
}

/** A lognormal distribution of the sum: the log of its median, and its spread. */
export interface SumShape {
  readonly log: number;
  readonly spread: number;
}

/**
 * The part of the valuation error that all items share, because markets move together and expensive
 * items are valued slightly low. It is small, but does not average out over many items.
 */
const sharedSpread = 0.02;

/** The half-width of an 80% interval in standard deviations. */
const fourFifths = 1.2816;

/** Null if nothing in the box has a value. */
export function rangeOfSum(items: readonly BoxItem[]): SumRange | null {
  const shape = shapeOfSum(items);
  if (shape === null) return null;
  const { log, spread } = shape;
  return {
    lowCents: Math.round(Math.exp(log - fourFifths * spread)),
    medianCents: Math.round(Math.exp(log)),
    highCents: Math.round(Math.exp(log + fourFifths * spread)),
  };
}

/** Null if nothing in the box has a value. */
export function shapeOfSum(items: readonly BoxItem[]): SumShape | null {
  let mean = 0;
  let variance = 0;
  let squares = 0;
  for (const { quantity, log, valueSpread, saleSpread } of items) {
    const [v, s] = [valueSpread ** 2, saleSpread ** 2];
    const unit = Math.exp(log + (v + s) / 2);
    mean += quantity * unit;
    squares += (quantity * unit) ** 2;
    // The units of an item share v and vary independently by s.
    const together = Math.expm1(v);
    const alone = Math.exp(v) * Math.expm1(s);
    variance += unit ** 2 * (quantity ** 2 * together + quantity * alone);
  }
  if (mean === 0) return null;
  // The covariance of every pair of items.
  variance += sharedSpread ** 2 * (mean ** 2 - squares);
  const spread = Math.sqrt(Math.log1p(variance / mean ** 2));
  return { log: Math.log(mean) - spread ** 2 / 2, spread };
}
