/**
 * The distribution of what a mixed box sells for in total, at the time its items are sold. Units
 * sell around the value of their item, and share the error of that value; items share what moves
 * their theme and the market. Such sums are close to lognormal, so mean and variance suffice,
 * without simulation.
 */
import { at } from '../../kernel/at.ts';
import { type PriceTerms, soldShares, usualGrowthPerYear } from '../../market/values/price.ts';

/** Units of one item and condition. */
export interface BoxItem extends Pick<PriceTerms, 'valueSpread' | 'saleSpread' | 'soldAbove'> {
  readonly quantity: number;
  /** The log of the value in cents. */
  readonly log: number;
  /** Items without a theme share only the market. */
  readonly theme: string | null;
  /** Median days until it is sold; 0 if unknown. */
  readonly waitDays: number;
  /** Growth of its value until then (log scale); null if it was not learned. */
  readonly growthPerYear: number | null;
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
 * Errors that items share, which do not average out over many items (log scale): those of values
 * today, and those that add up per square root of a year until the sale. `own` is not shared.
 * Measured on real prices of two years (docs/valuation.md), and checked on simulated markets.
 */
const spreads = {
  today: { market: 0.02, theme: 0.02 },
  perYear: { market: 0.05, theme: 0.05, own: 0.15 },
};

/** Longer predictions of waits are too uncertain to extrapolate from. */
const waitYearsMax = 2;

/** The tail of errors that the variance is taken from: the last of `soldShares`, if normal. */
const normalTail = 1.6449;

/** Measured tails may be shorter than normal ones, but not by much. */
const tailMin = 0.8;

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
  const all = new SharedErrors();
  const themes = new Map<string, SharedErrors>();
  for (const item of items) {
    const { quantity, theme } = item;
    const { v, s, years } = variancesOf(item);
    const growth = (item.growthPerYear ?? usualGrowthPerYear) * years;
    const unit = Math.exp(item.log + growth + (v + s) / 2);
    mean += quantity * unit;
    // The units of an item share v and vary independently by s.
    const together = Math.expm1(v);
    const alone = Math.exp(v) * Math.expm1(s);
    variance += unit ** 2 * (quantity ** 2 * together + quantity * alone);
    all.add(quantity * unit, years);
    if (theme === null) continue;
    themes.getOrInsertComputed(theme, () => new SharedErrors()).add(quantity * unit, years);
  }
  if (mean === 0) return null;
  variance += all.covariance(spreads.today.market, spreads.perYear.market);
  for (const ofTheme of themes.values()) {
    variance += ofTheme.covariance(spreads.today.theme, spreads.perYear.theme);
  }
  const spread = Math.sqrt(Math.log1p(variance / mean ** 2));
  return { log: Math.log(mean) - spread ** 2 / 2, spread };
}

/** Of the value when it is sold, and of single sales around it. */
function variancesOf({ valueSpread, saleSpread, soldAbove, waitDays }: BoxItem) {
  const years = Math.min(waitYearsMax, waitDays / daysPerYear);
  // Spreads are robust to rare prices far off, which do count in a sum.
  const tail = Math.max(tailMin, -at(soldAbove, soldShares.length - 1) / normalTail);
  const { market, theme, own } = spreads.perYear;
  const drift = (market ** 2 + theme ** 2 + own ** 2) * years;
  return { v: (tail * valueSpread) ** 2 + drift, s: (tail * saleSpread) ** 2, years };
}

const daysPerYear = 365.25;

/** Adds up the covariances of all pairs of items, without visiting each pair. */
class SharedErrors {
  #today = { sum: 0, squares: 0 };
  #later = { sum: 0, squares: 0 };

  add(cents: number, years: number): void {
    const later = cents * Math.sqrt(years);
    this.#today.sum += cents;
    this.#today.squares += cents ** 2;
    this.#later.sum += later;
    this.#later.squares += later ** 2;
  }

  covariance(todaySpread: number, perYearSpread: number): number {
    const pairs = ({ sum, squares }: { sum: number; squares: number }) => sum ** 2 - squares;
    return todaySpread ** 2 * pairs(this.#today) + perYearSpread ** 2 * pairs(this.#later);
  }
}
