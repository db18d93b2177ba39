/** The data tier of a value, and when it changes without new sales. */

import { dayMs, hourMs } from '../../../kernel/time.ts';
import { type DataTier, dataTiers } from '../../evidence/evidence.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import { tierGraceMs, tierRules } from '../tiers.ts';
import type { Fold } from './fold.ts';

/** The inputs of the tier, as of the instant `at`. */
export interface Support {
  readonly at: number;
  /** Since when there were enough effective sales in the leading condition. */
  readonly since: { readonly high: number; readonly medium: number };
  readonly hasSale: boolean;
  /** Standard deviation of the value at a later instant (log). */
  spreadAt(at: number): number;
}

const { high, medium, low } = tierRules;

const spreadMax: Readonly<Record<DataTier, number>> = {
  high: high.spread,
  medium: medium.spread,
  low: low.spread,
  modeled: Number.POSITIVE_INFINITY,
};

export function supportFrom(fold: Fold, condition: Condition): Support {
  const { subject, belief, at } = fold;
  const track = fold.tracks[condition];
  const growth = fold.growth();
  const variance = belief?.variance(condition === subject.lead ? 'lead' : 'other') ?? 1;
  return {
    at,
    since: {
      high: track.reachedAt(high.sales, at - high.days * dayMs),
      medium: track.reachedAt(medium.sales, at - medium.days * dayMs),
    },
    hasSale: fold.wasSold,
    spreadAt: (later) => Math.sqrt(later > at ? variance + growth(at, later).aVariance : variance),
  };
}

/** The tier without grace period. Without new rows, it never improves with time. */
export function plainTier(support: Support, at: number): DataTier {
  const spread = support.spreadAt(at);
  const meets = (rule: typeof high | typeof medium, since: number) =>
    spread <= rule.spread && since > at - rule.days * dayMs;
  if (meets(high, support.since.high)) return 'high';
  if (meets(medium, support.since.medium)) return 'medium';
  return support.hasSale && spread <= low.spread ? 'low' : 'modeled';
}

/** The best tier within the grace period before an instant. */
export class TierTracker {
  #best: DataTier = 'modeled';
  #held: { readonly support: Support; readonly from: number; until: number } | null = null;

  constructor(private readonly at: number) {}

  /** Start of the grace period. */
  get from(): number {
    return this.at - tierGraceMs;
  }

  /** To be called at the start of the grace period and after each row. */
  record(support: Support, at: number): void {
    const tier = plainTier(support, at);
    if (this.#held) this.#held.until = Math.min(this.#held.until, at);
    if (rank(tier) > rank(this.#best)) return;
    this.#best = tier;
    this.#held = { support, from: at, until: Number.POSITIVE_INFINITY };
  }

  /**
   * The tier, and when it is lost; null if that is years away. Grace applies to aging sales, but
   * not to a value that became uncertain.
   */
  result(spread: number): { tier: DataTier; changesAt: number | null } {
    const tier = this.#best;
    const held = this.#held;
    if (spread > 1.5 * spreadMax[tier]) {
      return { tier: dataTiers.find((t) => spread <= spreadMax[t]) ?? 'modeled', changesAt: null };
    }
    if (tier === 'modeled' || held === null) return { tier, changesAt: null };
    const holds = (at: number) => rank(plainTier(held.support, at)) <= rank(tier);
    const lostAt = Math.min(firstWithout(holds, held.from), held.until);
    // Stored instants are whole milliseconds.
    const changesAt = Math.ceil(lostAt + tierGraceMs + hourMs);
    return { tier, changesAt: Number.isFinite(changesAt) ? changesAt : null };
  }
}

const rank = (tier: DataTier) => dataTiers.indexOf(tier);

/** Tiers above `low` need recent sales, so they are lost within this time. */
const searchMs = 4 * 366 * dayMs;

/** When `holds` becomes false, to within an hour; infinity if it does not within `searchMs`. */
function firstWithout(holds: (at: number) => boolean, from: number): number {
  let [low, high] = [from, from + searchMs];
  if (holds(high)) return Number.POSITIVE_INFINITY;
  while (high - low > hourMs) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return high;
}
