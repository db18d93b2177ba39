/** The maximum price to pay for one unit over all channels, or why there is none. */

import { salesPerMonth } from '../../market/values/wait.ts';
import { type BuyTerms, bestQuote, type Quote, quoteOf, quotesOf } from '../boxes/quotes.ts';
import { bestSale, type DealTerms, type DealWarning } from '../deals/deal.ts';
import { maxBuyCents } from './max-buy.ts';
import type { Resale } from './resale.ts';
import type { FeeTables, SellingChannel } from './selling-channels.ts';

/** Why there is no maximum price. `nothing_left`: the proceeds are too low in every channel. */
export const noBuyReasons = ['no_value', 'modeled_value', 'unknown_box', 'nothing_left'] as const;
export type NoBuyReason = (typeof noBuyReasons)[number];

export const noBuyWords: Readonly<Record<NoBuyReason, string>> = {
  no_value: 'There is no value yet.',
  modeled_value: 'The value is mostly an estimate: sales are too few or too old.',
  unknown_box: 'The size of the box is not known.',
  nothing_left: 'After fees and shipping, no channel with known prices leaves the margin.',
};

/** Why the price may be wrong. */
export const buyWarnings = ['recent_jump'] as const satisfies readonly DealWarning[];

export function buyWarningsOf({ doubtedCents }: Resale): (typeof buyWarnings)[number][] {
  return doubtedCents === null ? [] : ['recent_jump'];
}

export interface PayQuestion {
  readonly terms: BuyTerms;
  readonly at: number;
  /** Limits the answer to one channel; null: all of them. */
  readonly channel: SellingChannel | null;
  /** Whether to accept a value that is not supported by sales. */
  readonly withModeled: boolean;
}

export interface WhatToPay {
  /** Null if there is a maximum price. */
  readonly reason: NoBuyReason | null;
  readonly maxBuyCents: number | null;
  /** The channel of the maximum price. */
  readonly best: Quote | null;
  /** All channels; if the value is only modeled, without their maximum prices. */
  readonly quotes: readonly Quote[];
  readonly salesPerMonth: number | null;
}

/** `resale` is null if there is no value. */
export function whatToPay(
  tables: FeeTables,
  resale: Resale | null,
  question: PayQuestion,
): WhatToPay {
  if (resale === null) {
    return { reason: 'no_value', maxBuyCents: null, best: null, quotes: [], salesPerMonth: null };
  }
  const { channel, withModeled } = question;
  const quotes =
    channel === null
      ? quotesOf(tables, resale, question)
      : [quoteOf(tables, resale, { ...question, channel })].filter((quote) => quote !== null);
  const isGuess = resale.tier === 'modeled' && !withModeled;
  // A channel that is explicitly requested may have assumed prices.
  const best = isGuess ? null : channel === null ? bestQuote(quotes) : (quotes[0] ?? null);
  const maxBuyCents = best?.maxBuyCents ?? null;
  const nothing = quotes.length === 0 ? 'unknown_box' : 'nothing_left';
  return {
    reason: isGuess ? 'modeled_value' : maxBuyCents === null ? nothing : null,
    maxBuyCents,
    best,
    quotes: isGuess ? quotes.map((quote) => ({ ...quote, maxBuyCents: null })) : quotes,
    salesPerMonth: resale.rate && salesPerMonth(resale.rate),
  };
}

/**
 * The maximum price alone, over all channels and only for a value that sales support: for every
 * item of the catalog, a third of the work of `whatToPay`.
 */
export function supportedMaxBuy(
  tables: FeeTables,
  resale: Resale | null,
  question: DealTerms,
): number | null {
  if (resale === null || resale.tier === 'modeled') return null;
  const sale = bestSale(tables, resale, question);
  return sale && maxBuyCents(sale.netCents, question.terms, sale.waitDays);
}
