/** How well sales support a value, and when that changes by itself. */

import { dayMs, hourMs } from '../../domain/kernel/time.ts';
import { type DataTier, dataTiers } from '../../domain/market/evidence.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { tierRules } from '../../domain/market/tiers.ts';
import type { Fold } from './fold.ts';

/** What a tier is decided by, at the moment of the latest row. */
export interface Support {
  readonly at: number;
  /** When the accepted sales in the leading condition were made, in order. */
  readonly times: readonly number[];
  readonly hasSale: boolean;
  /** How uncertain the value is at a later instant (logarithm). */
  spreadAt(at: number): number;
}

const { high, medium, low } = tierRules;

const spreadMax: Readonly<Record<DataTier, number>> = {
  high: high.spread,
  medium: medium.spread,
  low: low.spread,
  modeled: Number.POSITIVE_INFINITY,
};

/** A tier is lost only after so long without what it takes. */
const graceMs = 7 * dayMs;

/** The support of a value in one condition, as the fold has it. */
export function supportFrom(fold: Fold, condition: Condition): Support {
  const { subject, belief, at } = fold;
  const variance = belief?.variance(condition === subject.lead ? 'lead' : 'other') ?? 1;
  return {
    at,
    times: fold.tracks[condition].times,
    hasSale: fold.wasSold,
    spreadAt: (later) =>
      Math.sqrt(variance + subject.volatility * subject.volatileDays(at, Math.max(at, later))),
  };
}

/** The tier at an instant, without grace. Without new rows it only ever falls. */
export function plainTier(support: Support, at: number): DataTier {
  const spread = support.spreadAt(at);
  const meets = (rule: typeof high | typeof medium) =>
    spread <= rule.spread && (support.times.at(-rule.sales) ?? 0) > at - rule.days * dayMs;
  if (meets(high)) return 'high';
  if (meets(medium)) return 'medium';
  return support.hasSale && spread <= low.spread ? 'low' : 'modeled';
}

/** The best tier held within the grace before an instant. */
export class TierTracker {
  #best: DataTier = 'modeled';
  /** What it was held by, from when, and until when at most. */
  #held: { readonly support: Support; readonly from: number; until: number } | null = null;
  readonly #at: number;

  /** Tracks from the start of the grace before an instant. */
  constructor(at: number) {
    this.#at = at;
  }

  /** From here on rows count. */
  get from(): number {
    return this.#at - graceMs;
  }

  /** Records the support after a row, or at the start. */
  record(support: Support, at: number): void {
    const tier = plainTier(support, at);
    if (this.#held) this.#held.until = Math.min(this.#held.until, at);
    if (rank(tier) > rank(this.#best)) return;
    this.#best = tier;
    // Later rows add to the times.
    const frozen = { ...support, times: support.times.slice(-high.sales) };
    this.#held = { support: frozen, from: at, until: Number.POSITIVE_INFINITY };
  }

  /**
   * The tier, and when it is lost if nothing happens; null when that is years away. There is grace
   * for sales that grow old, but not for a value that has just become uncertain.
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
    // Instants are whole milliseconds wherever they are kept.
    const changesAt = Math.ceil(lostAt + graceMs + hourMs);
    return { tier, changesAt: Number.isFinite(changesAt) ? changesAt : null };
  }
}

const rank = (tier: DataTier) => dataTiers.indexOf(tier);

/** No tier is held for longer than this without a sale, but the lowest. */
const searchMs = 4 * 366 * dayMs;

/** The hour in which something that holds does not any more; infinity: not for years. */
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
