/** What may be paid for one unit, over all ways to sell it again; and why nothing may. */
import type { FeeTables, SellingChannel } from './channels.ts';
import { type BuyTerms, bestQuote, type Quote, quoteOf, quotesOf, type Resale } from './resale.ts';
import { salesPerMonth } from './wait.ts';

/**
 * Why there is no answer: no value, only a modeled one, a box that would have to be known, or too
 * little is left of any sale.
 */
export const noBuyReasons = ['no_value', 'modeled_value', 'unknown_box', 'nothing_left'] as const;
export type NoBuyReason = (typeof noBuyReasons)[number];

/** These in words. */
export const noBuyWords: Readonly<Record<NoBuyReason, string>> = {
  no_value: 'There is no value yet.',
  modeled_value: 'The value is mostly an estimate: sales are too few or too old.',
  unknown_box: 'The size of the box is not known.',
  nothing_left: 'After fees and shipping, no channel with known prices leaves the margin.',
};

/** What is asked. */
export interface PayQuestion {
  readonly terms: BuyTerms;
  readonly at: number;
  /** The one way to sell that counts; null: all of them. */
  readonly channel: SellingChannel | null;
  /** Whether a value that no sale supports is good enough. */
  readonly withModeled: boolean;
}

/** What may be paid. */
export interface WhatToPay {
  /** Null when there is an answer. */
  readonly reason: NoBuyReason | null;
  readonly maxBuyCents: number | null;
  /** The way to sell that the answer is about. */
  readonly best: Quote | null;
  /** All ways to sell; what may be paid is null in each where there is no answer. */
  readonly quotes: readonly Quote[];
  readonly salesPerMonth: number | null;
}

/** What may be paid for a unit; null: nothing is known of selling it. */
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
  // Whoever asks for one channel knows what its price is taken from.
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
