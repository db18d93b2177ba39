/** The distance of prices to targets, and the orders of watched items. */
import { compareText } from '../../catalog/items/numbers.ts';

/** How far a price is above a target; negative below it. */
export interface TargetDistance {
  readonly cents: number;
  /** In percent of the target; null for a target of 0. */
  readonly percent: number | null;
}

/** Null if either is missing. */
export function targetDistance(
  priceCents: number | null,
  targetCents: number | null,
): TargetDistance | null {
  if (priceCents === null || targetCents === null) return null;
  const cents = priceCents - targetCents;
  return { cents, percent: targetCents === 0 ? null : (100 * cents) / targetCents };
}

export const watchOrders = ['distance', 'name', 'added'] as const;
export type WatchOrder = (typeof watchOrders)[number];

/** The sort keys of an item. */
export interface WatchRank {
  readonly id: number;
  /** Null if unknown, or if the list has another order. */
  readonly distance: TargetDistance | null;
  readonly name: string;
}

/**
 * By distance, furthest below the target in percent first and without a distance last; by name; or
 * latest first, which also orders ties.
 */
export function compareRanks(order: WatchOrder, a: WatchRank, b: WatchRank): number {
  const latest = b.id - a.id;
  if (order === 'distance') return rankOf(a) - rankOf(b) || latest;
  if (order === 'name') return compareText(a.name, b.name) || latest;
  return latest;
}

/** Finite, so that differences are defined. */
function rankOf({ distance }: WatchRank): number {
  if (distance === null) return Number.MAX_VALUE;
  // Relative to a target of 0 there is no percentage: any price above it is far away.
  return distance.percent ?? (distance.cents <= 0 ? 0 : Number.MAX_SAFE_INTEGER);
}
