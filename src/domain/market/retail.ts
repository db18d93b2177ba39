/** What retailers ask for a set now, as its record sums it up. */

import { percentOf } from '../kernel/money.ts';
import type { RetailState, RetailStates } from './retail-state.ts';
import type { Retailer } from './source-rows.ts';
import { retailers } from './source-rows.ts';

/** The current price at one retailer. */
export interface RetailerPrice {
  readonly retailer: Retailer;
  readonly priceCents: number;
  readonly listPriceCents: number;
  readonly discountPercent: number;
  readonly inStock: boolean;
  readonly isFirstParty: boolean;
  readonly productUrl: string | null;
  readonly lastCheckedAt: number;
}

/** One entry per retailer that ever had a price, in the order of the retailers. */
export function summarizeRetail(states: RetailStates, msrpCents: number | null): RetailerPrice[] {
  return retailers.flatMap((retailer) => {
    const state = states[retailer];
    return state?.priced ? [summarize(state, state.priced, msrpCents)] : [];
  });
}

/** The last known price stays when there is no offer, out of stock. */
function summarize(
  { retailer, latest, listPriceCents: listed, productUrl }: RetailState,
  priced: NonNullable<RetailState['priced']>,
  msrpCents: number | null,
): RetailerPrice {
  const listPriceCents = listed ?? msrpCents ?? priced.cents;
  return {
    retailer,
    priceCents: priced.cents,
    listPriceCents,
    discountPercent: Math.max(0, percentOf(listPriceCents - priced.cents, listPriceCents)),
    // The fold has said false where there is no offer.
    inStock: latest.inStock !== false,
    isFirstParty: priced.sellerType === 'retailer',
    productUrl,
    lastCheckedAt: latest.at,
  };
}

/** The product identifier: retailer A's own, else the one that retailer B's offers name. */
export function asinOf(states: RetailStates): string | null {
  return states.retailer_a?.asin ?? states.retailer_b?.asin ?? null;
}

/** When the price last changed at either retailer; null when it never did. */
export function lastChangeAt(states: RetailStates): number | null {
  const changes = retailers.flatMap((retailer) => states[retailer]?.change?.at ?? []);
  return changes.length === 0 ? null : Math.max(...changes);
}

/** When a retailer itself last had the set in stock; null when none was seen to. */
export function lastOwnOfferAt(states: RetailStates): number | null {
  const offers = retailers.flatMap((retailer) => states[retailer]?.ownOfferAt ?? []);
  return offers.length === 0 ? null : Math.max(...offers);
}

/** The form in which product identifiers are compared. */
export function asinKey(asin: string): string {
  return asin.trim().toUpperCase();
}
