/** Resale of a unit by channel: price, net proceeds, maximum price to pay and time to sell. */

import { type MarginTerms, maxBuyCents, noBuyingCosts } from '../prices/max-buy.ts';
import { isAssumed, priceIn, type Resale } from '../prices/resale.ts';
import {
  comparedChannels,
  type FeeTables,
  type NetSum,
  netOf,
  type SellingChannel,
} from '../prices/selling-channels.ts';
import { type Wait, waitDaysFor, waitFor } from '../prices/your-wait.ts';

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

/** At the median: half of all sales bring more. */
export const evenTerms: BuyTerms = { ...defaultTerms, share: 0.5 };

/** The resale of a unit in one channel. */
export interface Quote {
  readonly channel: SellingChannel;
  /** Whether the price level of the channel was not learned but assumed. */
  readonly isAssumed: boolean;
  /** Every line from the price to the net proceeds. */
  readonly sum: NetSum;
  /** Null if the net proceeds are too low for any price. */
  readonly maxBuyCents: number | null;
  /** At the usual price; null if the sales rate is unknown. */
  readonly wait: Wait | null;
}

/** Null if the channel needs the size of the box and it is unknown. */
export function netOfUnit(
  tables: FeeTables,
  resale: Resale,
  sale: { readonly channel: SellingChannel; readonly priceCents: number; readonly at: number },
): NetSum | null {
  const { channel, at } = sale;
  const waitDays = waitDaysFor(resale, { channel, at });
  return netOf(tables, { ...sale, parcel: resale.parcel, postageCents: null, waitDays });
}

/** Null if the channel needs the size of the box and it is unknown. */
export function quoteOf(
  tables: FeeTables,
  resale: Resale,
  { channel, terms, at }: { channel: SellingChannel; terms: BuyTerms; at: number },
): Quote | null {
  const priceCents = priceIn(resale, channel, terms.share);
  const wait = waitFor(resale, { channel, at });
  const waitDays = wait?.days ?? null;
  const { parcel } = resale;
  const sum = netOf(tables, { channel, priceCents, at, parcel, postageCents: null, waitDays });
  if (sum === null) return null;
  return {
    channel,
    isAssumed: isAssumed(resale, channel),
    sum,
    maxBuyCents: maxBuyCents(sum.netCents, terms, waitDays),
    wait,
  };
}

/** Quotes of all channels, in their default order. */
export function quotesOf(
  tables: FeeTables,
  resale: Resale,
  question: { readonly terms: BuyTerms; readonly at: number },
): Quote[] {
  return comparedChannels.flatMap(
    (channel) => quoteOf(tables, resale, { ...question, channel }) ?? [],
  );
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
