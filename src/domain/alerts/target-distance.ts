/** How far a price is from a target, and the orders in which watched items are listed. */
import { compareText } from '../catalog/numbers.ts';

/** How far a price is above a target; below it, both are negative. */
export interface TargetDistance {
  readonly cents: number;
  /** Of the target; null for a target of 0. */
  readonly percent: number | null;
}

/** The distance of a price to a target; null where one of them is missing. */
export function targetDistance(
  priceCents: number | null,
  targetCents: number | null,
): TargetDistance | null {
  if (priceCents === null || targetCents === null) return null;
  const cents = priceCents - targetCents;
  return { cents, percent: targetCents === 0 ? null : (100 * cents) / targetCents };
}

/** What watched items can be listed by. */
export const watchOrders = ['distance', 'name', 'added'] as const;
export type WatchOrder = (typeof watchOrders)[number];

/** What decides the place of an item in a list. */
export interface WatchRank {
  readonly id: number;
  /** Null where it is not known, or not what the list is ordered by. */
  readonly distance: TargetDistance | null;
  readonly name: string;
}

/**
 * Compares items for a list: by distance, those that are furthest below their target in percent
 * first and those without a distance last; by name; or the latest first, as with all that is equal.
 */
export function compareRanks(order: WatchOrder, a: WatchRank, b: WatchRank): number {
  const latest = b.id - a.id;
  if (order === 'distance') return placeOf(a) - placeOf(b) || latest;
  if (order === 'name') return compareText(a.name, b.name) || latest;
  return latest;
}

/** A finite number, so that two of them have a difference. */
function placeOf({ distance }: WatchRank): number {
  if (distance === null) return Number.MAX_VALUE;
  // Above a target of 0 no price is closer than another in percent; it is far away.
  return distance.percent ?? (distance.cents <= 0 ? 0 : Number.MAX_SAFE_INTEGER);
}
