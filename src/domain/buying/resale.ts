/**
 * Selling one unit of an item again: for each channel the price, what is left of it, what may be
 * paid for it today, and how long it takes.
 */

import type { Parcel } from '../fees/postage.ts';
import {
  type ConditionEvidence,
  type DataTier,
  type Evidence,
  type SalesRate,
  tierIn,
} from '../market/evidence.ts';
import type { Channel, Condition } from '../market/source-rows.ts';
import {
  type FeeTables,
  type NetSum,
  netOf,
  type SellingChannel,
  sellingChannels,
} from './channels.ts';
import { type MarginTerms, maxBuyCents, noBuyingCosts } from './max-buy.ts';
import { normalAbove, type PriceTerms, priceAt } from './price.ts';
import { medianWaitDays } from './wait.ts';

/** What is known of selling one unit of an item in a condition. */
export interface Resale {
  /** Modeled where it was never sold in this condition. */
  readonly tier: DataTier;
  /** What its price is made from in the channel that values are about. */
  readonly price: Omit<PriceTerms, 'offset'>;
  readonly offsets: NonNullable<Evidence['offsets']>;
  /** Null where it was never learned how often things sell. */
  readonly rate: SalesRate | null;
  readonly parcel: Parcel;
  /** Who else sells it through Amazon; null when nobody knows. */
  readonly fbaSellers: number | null;
  /** What Amazon itself asks for a new one now; null when it does not sell it. */
  readonly amazonAskCents: number | null;
}

/** On what terms something is bought. */
export interface BuyTerms extends MarginTerms {
  /** Of 1: in so many of all cases the margin is left, or more. */
  readonly share: number;
}

/** What a reseller with a certificate asks who wants to be right four times out of five. */
export const usualTerms: BuyTerms = {
  share: 0.8,
  marginBasisPoints: 2_500,
  moneyBasisPoints: 0,
  costs: noBuyingCosts,
};

/** One way to sell a unit. */
export interface Quote {
  readonly channel: SellingChannel;
  /** Whether the price there was not learned, but taken from elsewhere. */
  readonly isAssumed: boolean;
  /** Every line from the price to what is left. */
  readonly sum: NetSum;
  /** Null when nothing may be paid, because too little is left of a sale. */
  readonly maxBuyCents: number | null;
  readonly waitDays: number | null;
}

/** What is known of selling an item in a condition; null when it has no value. */
export function resaleOf(
  evidence: Evidence,
  condition: Condition,
  facts: Pick<Resale, 'parcel' | 'fbaSellers' | 'amazonAskCents'>,
): Resale | null {
  const valued = evidence[condition];
  if (valued === null) return null;
  return {
    tier: tierIn(evidence, condition),
    price: priceTerms(valued),
    // An engine need not tell; values are about fixed prices.
    offsets: evidence.offsets ?? { fixed: 0 },
    rate: valued.rate ?? null,
    parcel: facts.parcel,
    fbaSellers: facts.fbaSellers,
    amazonAskCents: facts.amazonAskCents,
  };
}

/**
 * What Amazon asks as the seller of its own offer; null where it has none. An offer that may be in
 * stock counts: nobody can rely on selling above it.
 */
export function amazonAsk(offer: {
  readonly priceCents: number | null;
  readonly sellerType: string | null;
  readonly inStock: boolean | null;
}): number | null {
  return offer.sellerType === 'retailer' && offer.inStock !== false ? offer.priceCents : null;
}

function priceTerms(valued: ConditionEvidence): Resale['price'] {
  const { valueCents, valueSpread, saleSpread, soldAbove = normalAbove } = valued;
  return { valueCents, valueSpread, saleSpread, soldAbove };
}

/** Where prices of a way to sell were learned; null: nowhere, so that another's are taken. */
export function pricedAs(channel: SellingChannel): Channel | null {
  if (channel === 'ebay') return 'fixed';
  if (channel === 'bricklink') return 'bricklink';
  return isAtAmazon(channel) ? 'amazon' : null;
}

/** The price, delivered and without tax, that a share of ordinary sales in a channel is above. */
export function priceIn(resale: Resale, channel: SellingChannel, share: number): number {
  const { valueCents, valueSpread, saleSpread, soldAbove } = resale.price;
  const offset = offsetIn(resale, channel);
  const priceCents = priceAt({ valueCents, valueSpread, saleSpread, soldAbove, offset }, share);
  return payableIn(resale, channel, priceCents);
}

/** What is paid in a channel: while Amazon itself sells an item, nobody pays more for it there. */
export function payableIn(
  { amazonAskCents }: Pick<Resale, 'amazonAskCents'>,
  channel: SellingChannel,
  priceCents: number,
): number {
  return isAtAmazon(channel) ? Math.min(priceCents, amazonAskCents ?? priceCents) : priceCents;
}

/** Whether something is sold beside Amazon's own offer. */
export function isAtAmazon(channel: SellingChannel): boolean {
  return channel === 'amazon' || channel === 'fba';
}

/** By how much prices in a channel are above those that values are about (logarithm). */
export function offsetIn({ offsets }: Pick<Resale, 'offsets'>, channel: SellingChannel): number {
  return offsets[pricedAs(channel) ?? 'other'] ?? 0;
}

/** Whether nobody knows what is paid in a channel, so that it is taken from elsewhere. */
export function isAssumed({ offsets }: Resale, channel: SellingChannel): boolean {
  const learned = pricedAs(channel);
  return learned === null || offsets[learned] === undefined;
}

/** How long one waits for a sale of the first or a later unit; null when nobody knows. */
export function waitIn(
  { rate, fbaSellers }: Resale,
  channel: SellingChannel,
  unit = 1,
): number | null {
  if (rate === null) return null;
  return medianWaitDays(rate, { sellersAhead: channel === 'fba' ? (fbaSellers ?? 0) : 0, unit });
}

/** What is left of one unit sold at a price; null where the box would have to be known. */
export function netOfUnit(
  tables: FeeTables,
  resale: Resale,
  sale: { readonly channel: SellingChannel; readonly priceCents: number; readonly at: number },
): NetSum | null {
  const waitDays = waitIn(resale, sale.channel);
  return netOf(tables, { ...sale, parcel: resale.parcel, postageCents: null, waitDays });
}

/** One way to sell a unit at an instant; null where the box would have to be known. */
export function quoteOf(
  tables: FeeTables,
  resale: Resale,
  { channel, terms, at }: { channel: SellingChannel; terms: BuyTerms; at: number },
): Quote | null {
  const priceCents = priceIn(resale, channel, terms.share);
  const sum = netOfUnit(tables, resale, { channel, priceCents, at });
  if (sum === null) return null;
  const waitDays = waitIn(resale, channel);
  return {
    channel,
    isAssumed: isAssumed(resale, channel),
    sum,
    maxBuyCents: maxBuyCents(sum.netCents, terms, waitDays),
    waitDays,
  };
}

/** All ways to sell a unit at an instant, in the order of channels. */
export function quotesOf(
  tables: FeeTables,
  resale: Resale,
  asked: { readonly terms: BuyTerms; readonly at: number },
): Quote[] {
  return sellingChannels.flatMap((channel) => quoteOf(tables, resale, { ...asked, channel }) ?? []);
}

/**
 * The way to sell that allows to pay most, and of those the one that leaves most, among those whose
 * prices were learned: where they are assumed, the lack of fees alone would win. Null when none
 * allows to pay anything.
 */
export function bestQuote(quotes: readonly Quote[]): Quote | null {
  let best: Quote | null = null;
  for (const quote of quotes) {
    if (!quote.isAssumed && quote.maxBuyCents !== null && isBetter(quote, best)) best = quote;
  }
  return best;
}

function isBetter(quote: Quote, best: Quote | null): boolean {
  const more = (quote.maxBuyCents ?? -1) - (best?.maxBuyCents ?? -1);
  return more > 0 || (more === 0 && quote.sum.netCents > (best?.sum.netCents ?? 0));
}
