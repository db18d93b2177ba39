/** What a retailer asks for a set, from all that was ever seen there, as far as deals need it. */
import type { StatusId } from '../catalog/status.ts';
import { monthOf } from '../kernel/time.ts';
import type { NoDealReason } from '../market/deals.ts';
import { monthsUntil, type RetailState } from '../market/retail-state.ts';
import { type DealOffer, type EvenOdds, isOutdated } from './deal.ts';

/** Months that tell how often a set is discounted, and how many of them must be known. */
const discountMonths = 12;
const knownMonthsMin = 3;

/** Below this share of the list price a set is discounted. */
const discountedShare = 0.9;

/** What else is known of the set. */
interface OfferedSet {
  readonly statusId: StatusId;
  readonly msrpCents: number | null;
}

const retired: StatusId = 4;

/**
 * Why what a retailer asks is a deal for nobody; null when it may be one. Without odds, it has no
 * value that sales support.
 */
export function noDealReason(
  { latest }: Pick<RetailState, 'latest'>,
  odds: EvenOdds | null,
  at: number,
): NoDealReason | null {
  const { priceCents, inStock, at: observedAt } = latest;
  if (priceCents === null || inStock === false) return 'no_offer';
  if (isOutdated({ observedAt }, at)) return 'not_seen';
  if (odds === null) return 'no_value';
  return odds.leaves(priceCents) ? null : 'too_dear';
}

/** The offer of a retailer at an instant; null when it has none, or nothing in stock. */
export function dealOffer(state: RetailState, set: OfferedSet, at: number): DealOffer | null {
  const { retailer, latest, lower, productUrl } = state;
  const { priceCents, inStock, sellerType } = latest;
  if (priceCents === null || inStock === false) return null;
  return {
    retailer,
    priceCents,
    observedAt: latest.at,
    sellerType,
    inStock,
    productUrl,
    cheaperUntil: lower.at(-1)?.[0] ?? null,
    isOftenDiscounted: set.statusId !== retired && isOftenDiscounted(state, set, at),
  };
}

/** Whether a set cost clearly less than its list price in most of the last twelve months. */
function isOftenDiscounted(
  state: RetailState,
  { msrpCents }: Pick<OfferedSet, 'msrpCents'>,
  at: number,
): boolean {
  const listCents = state.listPriceCents ?? msrpCents;
  if (listCents === null) return false;
  const first = monthOf(at) - discountMonths + 1;
  const months = monthsUntil(state, at).filter(([month]) => month >= first);
  const discounted = months.filter(([, cents]) => cents < listCents * discountedShare);
  return months.length >= knownMonthsMin && discounted.length * 2 > months.length;
}
