/** Derives the offer that deals need from a retailer's state. */

import type { StatusId } from '../../catalog/items/status.ts';
import { monthOf } from '../../kernel/time.ts';
import type { NoDealReason } from '../../market/published/deals.ts';
import { monthsUntil, type RetailState } from '../../market/retail/retail-state.ts';
import { type DealOffer, type EvenOdds, isOutdated } from './deal.ts';

/** The months in which discounts are counted, and how many of them must have prices. */
const discountMonths = 12;
const knownMonthsMin = 3;

/** A set is discounted below this share of the list price. */
const discountedShare = 0.9;

interface OfferedSet {
  readonly statusId: StatusId;
  readonly msrpCents: number | null;
}

const retired: StatusId = 4;

/** Why an offer is no deal for anyone; null if it may be. `odds`: null without enough sales. */
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

/** Null without an offer, or if it is out of stock. */
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

/** Whether the price was clearly below the list price in most of the last twelve months. */
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
