/**
 * What one retailer's offers for a set add up to. A fold over the offers in order of observation:
 * the state is plain data, so that it can be stored and taken up again with the offers that follow.
 */

import { dayMs, hourMs, type Month, monthOf } from '../kernel/time.ts';
import { type Offer, ownPriceCents, type Retailer, type SellerType } from './source-rows.ts';

/** Changes with the rules below: a stored state of another version is not taken up again. */
export const retailFoldVersion = 4;

/** A change of seller counts once it was seen twice in a row, or has lasted this long. */
const confirmMs = 6 * hourMs;

/** Everything that is known of a set at one retailer. */
export interface RetailState {
  readonly retailer: Retailer;
  /** The latest observation, which may have found no offer. */
  readonly latest: RetailObservation;
  /** The latest observation that found an offer. */
  readonly priced: { readonly cents: number; readonly sellerType: SellerType | null } | null;
  /** The latest known; an observation without it does not erase it. */
  readonly listPriceCents: number | null;
  readonly productUrl: string | null;
  readonly asin: string | null;
  /** The last time that the price differed from the one before. */
  readonly change: { readonly at: number; readonly cents: number } | null;
  readonly lowestCents: number | null;
  readonly highestCents: number | null;
  readonly seller: SellerState | null;
  /** The latest observation that found the retailer's own offer in stock. */
  readonly ownOfferAt: number | null;
  /** The lowest price of each month that had one, oldest first. */
  readonly months: readonly RetailMonth[];
  /** Prices below the latest one that held lately, both price and end rising. */
  readonly lower: readonly EarlierPrice[];
}

/** A price, and the observation at which it no longer held. */
export type EarlierPrice = readonly [until: number, cents: number];

/** How long a lower price is remembered. */
export const lowerPriceMs = 90 * dayMs;

/** Lower prices that are kept, the latest ones. */
const lowerMax = 30;

/** The lowest price of a month. What it was from one observation to the next is the source's. */
export type RetailMonth = readonly [month: Month, lowestCents: number];

/** Months that are kept, the latest ones: thirty years. */
const monthsMax = 360;

/** What one observation found. */
export interface RetailObservation {
  readonly at: number;
  readonly priceCents: number | null;
  /** Null: there is no offer, or it is not known whose it is. */
  readonly sellerType: SellerType | null;
  readonly inStock: boolean | null;
  readonly lowestFbaCents: number | null;
  readonly fbaSellers: number | null;
  readonly buyBoxCents: number | null;
}

/** Who sells, without the flicker of a single observation. */
interface SellerState {
  /** The first one ever seen, and later the latest one that was confirmed. */
  readonly confirmed: SellerType;
  readonly hasChanged: boolean;
  /** Since when the other one has been seen, as long as that is not confirmed. */
  readonly otherSince: number | null;
}

/** A set at both retailers; null where there was never an observation. */
export type RetailStates = Readonly<Record<Retailer, RetailState | null>>;

/** Goes on from a state with the offers that were observed after it, oldest first. */
export function foldOffers(
  state: RetailState | null,
  offers: readonly Offer[],
): RetailState | null {
  return offers.reduce(foldOffer, state);
}

function foldOffer(state: RetailState | null, offer: Offer): RetailState {
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

/** A price holds until the next observation; without an offer, all that held lately are kept. */
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

/** A price holds until the next observation, so that it counts for every month between the two. */
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

/** The lowest prices of months, continued with the last observed price up to an instant. */
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

/** Observations that do not say who sells are skipped. */
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

/** Confirms a change that has lasted long enough at an instant. */
function settle(state: SellerState, at: number): SellerState {
  return state.otherSince !== null && at - state.otherSince >= confirmMs ? turn(state) : state;
}

function turn(state: SellerState): SellerState {
  const confirmed = state.confirmed === 'retailer' ? 'third_party' : 'retailer';
  return { confirmed, hasChanged: true, otherSince: null };
}

/** Whether the retailer has given way to third parties, as far as that is confirmed. */
export function isFlipped({ seller, latest }: RetailState, at: number): boolean {
  if (seller === null || latest.sellerType !== 'third_party') return false;
  const settled = settle(seller, at);
  return settled.hasChanged && settled.confirmed === 'third_party';
}

/**
 * The same, as it stays said while a set has no offer, or somebody else was seen once: true since
 * it has given way, false since it sells itself again, and null when that is open.
 */
export function confirmedFlip(state: RetailState, at: number): boolean | null {
  if (isFlipped(state, at)) return true;
  const { seller } = state;
  return seller && settle(seller, at).confirmed === 'retailer' ? false : null;
}

/** When a change of seller becomes confirmed unless something else is seen; null for none. */
export function sellerConfirmedAt({ seller }: RetailState): number | null {
  return seller?.otherSince == null ? null : seller.otherSince + confirmMs;
}

/** Whether the price is the lowest ever, and was higher before. */
export function isAtLowest({ latest, lowestCents, highestCents }: RetailState): boolean {
  return latest.priceCents !== null && latest.priceCents === lowestCents
    ? lowestCents !== highestCents
    : false;
}
