/** Summarizes the current retail prices of a set for its record. */

import { percentOf } from '../../kernel/money.ts';
import type { Retailer } from '../source-rows/source-rows.ts';
import { retailers } from '../source-rows/source-rows.ts';
import type { RetailState, RetailStates } from './retail-state.ts';

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

/** One entry per retailer that ever had a price. */
export function summarizeRetail(states: RetailStates, msrpCents: number | null): RetailerPrice[] {
  return retailers.flatMap((retailer) => {
    const state = states[retailer];
    return state?.priced ? [summarize(state, state.priced, msrpCents)] : [];
  });
}

/** Without an offer, the last known price stays, out of stock. */
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
    // The fold sets this to false if there is no offer; null is unknown.
    inStock: latest.inStock !== false,
    isFirstParty: priced.sellerType === 'retailer',
    productUrl,
    lastCheckedAt: latest.at,
  };
}

/** The product identifier of retailer A, or else the one that offers of retailer B name. */
export function asinOf(states: RetailStates): string | null {
  return states.retailer_a?.asin ?? states.retailer_b?.asin ?? null;
}

export function lastChangeAt(states: RetailStates): number | null {
  const changes = retailers.flatMap((retailer) => states[retailer]?.change?.at ?? []);
  return changes.length === 0 ? null : Math.max(...changes);
}

/** When a retailer's own offer was last observed in stock. */
export function lastOwnOfferAt(states: RetailStates): number | null {
  const offers = retailers.flatMap((retailer) => states[retailer]?.ownOfferAt ?? []);
  return offers.length === 0 ? null : Math.max(...offers);
}

/** Normalizes a product identifier for comparison. */
export function asinKey(asin: string): string {
  return asin.trim().toUpperCase();
}
