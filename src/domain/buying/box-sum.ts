/**
 * What a box of things brings, as a range of the sum. Each unit sells around the value of its item;
 * how wrong that value is, is shared by all units of it. Sums of such prices are close to
 * lognormal, so mean and variance are enough, and no random numbers are needed.
 */

/** Units of one item and condition in a box. Logarithms of cents. */
export interface BoxItem {
  readonly quantity: number;
  /** The value, and how uncertain it is (√v). */
  readonly log: number;
  readonly valueSpread: number;
  /** How far single sales scatter around the true value (σ). */
  readonly saleSpread: number;
}

/** Four out of five sums lie between low and high. */
export interface SumRange {
  readonly lowCents: number;
  readonly medianCents: number;
  readonly highCents: number;
}

/** The sum as a lognormal distribution: its median as a logarithm, and its spread. */
export interface SumShape {
  readonly log: number;
  readonly spread: number;
}

/**
 * Of what a value is wrong by, this much all values have in common: what is expensive is valued a
 * little low, and markets move. It is small beside the rest, but many items do not even it out.
 */
const sharedSpread = 0.02;

/** How many standard deviations hold four fifths of a normal distribution. */
const fourFifths = 1.2816;

/** The range of what a box brings; null for one with nothing of known value in it. */
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

/** How what a box brings is distributed; null for one with nothing of known value in it. */
export function shapeOfSum(items: readonly BoxItem[]): SumShape | null {
  let mean = 0;
  let variance = 0;
  let squares = 0;
  for (const { quantity, log, valueSpread, saleSpread } of items) {
    const [v, s] = [valueSpread ** 2, saleSpread ** 2];
    const unit = Math.exp(log + (v + s) / 2);
    mean += quantity * unit;
    squares += (quantity * unit) ** 2;
    // Units of an item vary together by v, and each on its own by s.
    const together = Math.expm1(v);
    const alone = Math.exp(v) * Math.expm1(s);
    variance += unit ** 2 * (quantity ** 2 * together + quantity * alone);
  }
  if (mean === 0) return null;
  // Every item with every other one.
  variance += sharedSpread ** 2 * (mean ** 2 - squares);
  const spread = Math.sqrt(Math.log1p(variance / mean ** 2));
  return { log: Math.log(mean) - spread ** 2 / 2, spread };
}
