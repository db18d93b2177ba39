/**
 * Resale of one unit of an item: for each channel the price, the net proceeds, the maximum price to
 * pay and the time to sale.
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

/** Resale data of one unit in a condition. */
export interface Resale {
  /** Modeled if it was never sold in this condition. */
  readonly tier: DataTier;
  /** Another price that recent sales agree on, which is not confirmed; null for none. */
  readonly doubtedCents: number | null;
  /** Inputs of its price at the price level of values, which are fixed-price sales. */
  readonly price: Omit<PriceTerms, 'offset'>;
  readonly offsets: NonNullable<Evidence['offsets']>;
  /** Null if no sales rate was learned. */
  readonly rate: SalesRate | null;
  readonly parcel: Parcel;
  /** The number of other FBA sellers; null if unknown. */
  readonly fbaSellers: number | null;
  /** Amazon's own price for a new unit; null if Amazon does not sell it. */
  readonly amazonAskCents: number | null;
}

export interface BuyTerms extends MarginTerms {
  /** The probability, from 0 to 1, with which the margin must be reached. */
  readonly share: number;
}

/** The default terms: a margin of 25 % in four of five sales, with a resale certificate. */
export const defaultTerms: BuyTerms = {
  share: 0.8,
  marginBasisPoints: 2_500,
  moneyBasisPoints: 0,
  costs: noBuyingCosts,
};

/** The resale of a unit in one channel. */
export interface Quote {
  readonly channel: SellingChannel;
  /** Whether the price level of the channel was not learned but assumed. */
  readonly isAssumed: boolean;
  /** Every line from the price to the net proceeds. */
  readonly sum: NetSum;
  /** Null if the net proceeds are too low for any price. */
  readonly maxBuyCents: number | null;
  readonly waitDays: number | null;
}

/** Null if there is no value in this condition. */
export function resaleOf(
  evidence: Evidence,
  condition: Condition,
  facts: Pick<Resale, 'parcel' | 'fbaSellers' | 'amazonAskCents'>,
): Resale | null {
  const valued = evidence[condition];
  if (valued === null) return null;
  return {
    tier: tierIn(evidence, condition),
    doubtedCents: valued.doubt?.valueCents ?? null,
    price: priceTerms(valued),
    // Evidence of other engines may lack offsets; values are at the fixed-price level.
    offsets: evidence.offsets ?? { fixed: 0 },
    rate: valued.rate ?? null,
    parcel: facts.parcel,
    fbaSellers: facts.fbaSellers,
    amazonAskCents: facts.amazonAskCents,
  };
}

/**
 * Amazon's price if it is the seller; otherwise null. An offer with unknown stock counts, because
 * buyers may prefer it.
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

/** The channel of sales from which a selling channel's prices are learned; null for none. */
export function pricedAs(channel: SellingChannel): Channel | null {
  if (channel === 'ebay') return 'fixed';
  if (channel === 'bricklink') return 'bricklink';
  return isAtAmazon(channel) ? 'amazon' : null;
}

/** The price, delivered and without tax, that a share of ordinary sales in a channel exceeds. */
export function priceIn(resale: Resale, channel: SellingChannel, share: number): number {
  const { valueSpread, saleSpread, soldAbove } = resale.price;
  const valueCents = cautiousCents(resale);
  const offset = offsetIn(resale, channel);
  const priceCents = priceAt({ valueCents, valueSpread, saleSpread, soldAbove, offset }, share);
  return payableIn(resale, channel, priceCents);
}

/** The value, or the other price while it is doubted, whichever is lower. */
export function cautiousCents({ price, doubtedCents }: Resale): number {
  return Math.min(price.valueCents, doubtedCents ?? price.valueCents);
}

/** While Amazon sells an item itself, its price is the limit on Amazon. */
export function payableIn(
  { amazonAskCents }: Pick<Resale, 'amazonAskCents'>,
  channel: SellingChannel,
  priceCents: number,
): number {
  return isAtAmazon(channel) ? Math.min(priceCents, amazonAskCents ?? priceCents) : priceCents;
}

/** Whether sales there compete with Amazon's own offer. */
export function isAtAmazon(channel: SellingChannel): boolean {
  return channel === 'amazon' || channel === 'fba';
}

/** The price level of a channel relative to fixed-price sales (log scale). */
export function offsetIn({ offsets }: Pick<Resale, 'offsets'>, channel: SellingChannel): number {
  return offsets[pricedAs(channel) ?? 'other'] ?? 0;
}

/** Whether the price level of a channel was not learned. */
export function isAssumed({ offsets }: Resale, channel: SellingChannel): boolean {
  const learned = pricedAs(channel);
  return learned === null || offsets[learned] === undefined;
}

/** Median days until the nth unit is sold; null if the sales rate is unknown. */
export function waitIn(
  { rate, fbaSellers }: Resale,
  channel: SellingChannel,
  unit = 1,
): number | null {
  if (rate === null) return null;
  return medianWaitDays(rate, { sellersAhead: channel === 'fba' ? (fbaSellers ?? 0) : 0, unit });
}

/** Null if the channel needs the size of the box and it is unknown. */
export function netOfUnit(
  tables: FeeTables,
  resale: Resale,
  sale: { readonly channel: SellingChannel; readonly priceCents: number; readonly at: number },
): NetSum | null {
  const waitDays = waitIn(resale, sale.channel);
  return netOf(tables, { ...sale, parcel: resale.parcel, postageCents: null, waitDays });
}

/** Null if the channel needs the size of the box and it is unknown. */
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

/** Quotes of all channels, in their default order. */
export function quotesOf(
  tables: FeeTables,
  resale: Resale,
  asked: { readonly terms: BuyTerms; readonly at: number },
): Quote[] {
  return sellingChannels.flatMap((channel) => quoteOf(tables, resale, { ...asked, channel }) ?? []);
}

/**
 * The quote with the highest maximum price, then the highest net proceeds. Only channels with
 * learned prices count, as those with assumed prices would win by low fees alone. Null if no price
 * is low enough in any.
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
