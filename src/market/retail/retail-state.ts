/**
 * A fold over one retailer's offers for a set, in order of observation. The state is plain data, so
 * that it can be stored and continued with later offers.
 */

import { dayMs, hourMs, type Month, monthOf } from '../../kernel/time.ts';
import type { DollarOffer } from '../rates/exchange.ts';
import {
  type Offer,
  ownPriceCents,
  type Retailer,
  type SellerType,
} from '../source-rows/source-rows.ts';

/** Incremented when the rules below change: stored states of other versions are discarded. */
export const retailFoldVersion = 4;

/** A change of seller counts once it was observed twice in a row, or has lasted this long. */
const confirmMs = 6 * hourMs;

export interface RetailState {
  readonly retailer: Retailer;
  /** The latest observation, which may have found no offer. */
  readonly latest: RetailObservation;
  /** The latest observation that found an offer. */
  readonly priced: { readonly cents: number; readonly sellerType: SellerType | null } | null;
  /** The latest known value; an observation without one does not erase it. */
  readonly listPriceCents: number | null;
  readonly productUrl: string | null;
  readonly asin: string | null;
  /** The latest change of the price. */
  readonly change: { readonly at: number; readonly cents: number } | null;
  readonly lowestCents: number | null;
  readonly highestCents: number | null;
  readonly seller: SellerState | null;
  /** The latest observation that found the retailer's own offer in stock. */
  readonly ownOfferAt: number | null;
  /** The lowest price of each month with an offer, oldest first. */
  readonly months: readonly RetailMonth[];
  /** Recent prices below the latest one; price and end both increase along the list. */
  readonly lower: readonly EarlierPrice[];
}

/** A price, and the observation at which it ended. */
export type EarlierPrice = readonly [until: number, cents: number];

export const lowerPriceMs = 90 * dayMs;

/** The most recent ones are kept. */
const lowerMax = 30;

/** Single observations belong to the source and are not published; monthly lows are. */
export type RetailMonth = readonly [month: Month, lowestCents: number];

/** Thirty years; the most recent months are kept. */
const monthsMax = 360;

export interface RetailObservation
  extends Pick<Offer, 'priceCents' | 'inStock' | 'lowestFbaCents' | 'fbaSellers' | 'buyBoxCents'> {
  readonly at: number;
  /** Null: there is no offer, or its seller is unknown. */
  readonly sellerType: SellerType | null;
}

/** The seller, debounced against single deviating observations. */
interface SellerState {
  /** The seller of the first observation, later the last confirmed one. */
  readonly confirmed: SellerType;
  readonly hasChanged: boolean;
  /** When the other seller was first observed, while that is unconfirmed. */
  readonly otherSince: number | null;
}

/** A set at both retailers; null without any observation. */
export type RetailStates = Readonly<Record<Retailer, RetailState | null>>;

/** Continues a state with the offers observed after it, oldest first. */
export function foldOffers(
  state: RetailState | null,
  offers: readonly DollarOffer[],
): RetailState | null {
  return offers.reduce(foldOffer, state);
}

function foldOffer(state: RetailState | null, offer: DollarOffer): RetailState {
  const { priceCents: price, observedAt: at } = offer;
  const sellerType = price === null ? null : offer.sellerType;
  const before = state?.priced?.cents ?? null;
  const hasMoved = price !== null && before !== null && price !== before;
  return {
    retailer: offer.retailer,
    latest: {
      at,
      priceCents: price,
      sellerType,
      inStock: price === null ? false : offer.inStock,
      lowestFbaCents: offer.lowestFbaCents,
      fbaSellers: offer.fbaSellers,
      buyBoxCents: offer.buyBoxCents,
    },
    priced: price === null ? (state?.priced ?? null) : { cents: price, sellerType },
    listPriceCents: offer.listPriceCents ?? state?.listPriceCents ?? null,
    productUrl: offer.productUrl ?? state?.productUrl ?? null,
    asin: offer.asin ?? state?.asin ?? null,
    change: hasMoved ? { at, cents: price - before } : (state?.change ?? null),
    lowestCents: extreme(Math.min, state?.lowestCents, price),
    highestCents: extreme(Math.max, state?.highestCents, price),
    seller: foldSeller(state?.seller ?? null, sellerType, at),
    ownOfferAt: ownPriceCents(offer) === null ? (state?.ownOfferAt ?? null) : at,
    months: foldMonths(state, price, at),
    lower: foldLower(state, price, at),
  };
}

/** A price holds until the next observation; without an offer, all recent prices are kept. */
function foldLower(
  state: RetailState | null,
  price: number | null,
  at: number,
): readonly EarlierPrice[] {
  if (state === null) return [];
  const { latest, lower } = state;
  const before = latest.priceCents;
  const hasEnded = before !== null && before !== price;
  if (!hasEnded && lower.length === 0) return lower;
  const ended: readonly EarlierPrice[] = hasEnded ? [...lower, [at, before]] : lower;
  return ended
    .filter(([until, cents]) => until >= at - lowerPriceMs && (price === null || cents < price))
    .slice(-lowerMax);
}

/** A price holds until the next observation, so it counts for every month up to then. */
function foldMonths(
  state: RetailState | null,
  price: number | null,
  at: number,
): readonly RetailMonth[] {
  const months = state === null ? [] : monthsUntil(state, at);
  if (price === null) return months;
  const month = monthOf(at);
  const [lastMonth, lowest = 0] = months.at(-1) ?? [];
  if (lastMonth !== month) return [...months.slice(1 - monthsMax), [month, price]];
  return price < lowest ? [...months.slice(0, -1), [month, price]] : months;
}

/** The monthly lows, extended with the last observed price up to an instant. */
export function monthsUntil(
  { latest: { at, priceCents }, months }: RetailState,
  until: number,
): readonly RetailMonth[] {
  const [first, last] = [monthOf(at) + 1, monthOf(until)];
  if (priceCents === null || last < first) return months;
  const count = Math.min(last - first + 1, monthsMax);
  const more = Array.from({ length: count }, (_, index): RetailMonth => {
    return [last - count + 1 + index, priceCents];
  });
  return [...months, ...more].slice(-monthsMax);
}

function extreme(
  pick: (a: number, b: number) => number,
  known: number | null | undefined,
  price: number | null,
): number | null {
  if (known === null || known === undefined) return price;
  return price === null ? known : pick(known, price);
}

/** Observations without a seller are skipped. */
function foldSeller(
  state: SellerState | null,
  observed: SellerType | null,
  at: number,
): SellerState | null {
  if (observed === null) return state;
  if (state === null) return { confirmed: observed, hasChanged: false, otherSince: null };
  const settled = settle(state, at);
  if (observed === settled.confirmed) return { ...settled, otherSince: null };
  return settled.otherSince === null ? { ...settled, otherSince: at } : turn(settled);
}

/** Confirms a change of seller that has lasted long enough. */
function settle(state: SellerState, at: number): SellerState {
  return state.otherSince !== null && at - state.otherSince >= confirmMs ? turn(state) : state;
}

function turn(state: SellerState): SellerState {
  const confirmed = state.confirmed === 'retailer' ? 'third_party' : 'retailer';
  return { confirmed, hasChanged: true, otherSince: null };
}

/** Whether third parties have confirmedly replaced the retailer as the seller. */
export function isFlipped({ seller, latest }: RetailState, at: number): boolean {
  if (seller === null || latest.sellerType !== 'third_party') return false;
  const settled = settle(seller, at);
  return settled.hasChanged && settled.confirmed === 'third_party';
}

/**
 * Like `isFlipped`, but stable while there is no offer or a single observation deviates: true once
 * flipped, false once the retailer is confirmed as the seller, null in between.
 */
export function confirmedFlip(state: RetailState, at: number): boolean | null {
  if (isFlipped(state, at)) return true;
  const { seller } = state;
  return seller && settle(seller, at).confirmed === 'retailer' ? false : null;
}

/** When a pending change of seller will be confirmed, unless contradicted; null for none. */
export function sellerConfirmedAt({ seller }: RetailState): number | null {
  return seller?.otherSince == null ? null : seller.otherSince + confirmMs;
}

/** Whether the price is the lowest ever, and has been higher. */
export function isAtLowest({ latest, lowestCents, highestCents }: RetailState): boolean {
  return latest.priceCents !== null && latest.priceCents === lowestCents
    ? lowestCents !== highestCents
    : false;
}
