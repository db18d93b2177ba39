/** Values a mixed box: what it sells for, the maximum bid, and the cost of each item in it. */

import { sumOf } from '../../kernel/sum.ts';
import { normalAbove, quantileAt } from '../../market/values/price.ts';
import { maxBuyCents } from '../prices/max-buy.ts';
import { cautiousCents, isAssumed, priceIn, type Resale } from '../prices/resale.ts';
import {
  comparedChannels,
  type FeeTables,
  netOf,
  type SellingChannel,
} from '../prices/selling-channels.ts';
import type { PayQuestion } from '../prices/what-to-pay.ts';
import { waitDaysFor } from '../prices/your-wait.ts';
import { type BoxItem, rangeOfSum, type SumRange, shapeOfSum } from './box-sum.ts';
import { mostShare, soldShareDays, type WaitingUnits } from './box-wait.ts';

export const boxUnitsMax = 100_000;

/** An 80% interval for the sale of one unit. */
export interface ValueRange {
  readonly lowCents: number;
  readonly highCents: number;
}

export interface BoxContent {
  readonly quantity: number;
  /** Null if it has none or it is unknown. */
  readonly theme: string | null;
  /** Resale data of one unit; null if it has no value or is unknown. */
  readonly resale: Resale | null;
  readonly range: ValueRange | null;
}

export interface BoxQuestion extends Omit<PayQuestion, 'channel'> {
  /** The cost of the whole box including tax and shipping; null before it is bought. */
  readonly costCents: number | null;
}

/** The sale of the whole box in one channel. */
export interface BoxQuote {
  readonly channel: SellingChannel;
  /** Whether the price level of the channel was not learned for all items. */
  readonly isAssumed: boolean;
  /** Net proceeds of the units bid on, at prices that the requested share of boxes exceeds. */
  readonly netCents: number;
  /** Null if the proceeds are too low for any bid. */
  readonly maxBidCents: number | null;
}

export interface BoxWorth {
  readonly units: number;
  readonly unitsValued: number;
  /** Units included in the bid: supported by sales, or modeled if requested. */
  readonly unitsBidOn: number;
  /** Units bid on with positive net proceeds in the best channel; the others are not sold. */
  readonly unitsSold: number;
  readonly sumOfValuesCents: number;
  /** The range of total sales when they are made; null if nothing has a value. */
  readonly range: SumRange | null;
  /**
   * In the order of channels, without those that need the box size of an item where it is unknown.
   */
  readonly quotes: readonly BoxQuote[];
  /** The highest bid among channels with learned prices; without one, the highest proceeds. */
  readonly best: BoxQuote | null;
  /** Median net proceeds of the units bid on in `best`, less the cost; null without either. */
  readonly profitCents: number | null;
  /**
   * Time until most of each of the contents is sold in the best channel; null if it is not sold
   * there or its sales rate is unknown.
   */
  readonly contentDays: readonly (number | null)[];
  /** Time until most of the value that the bid counts is sold there; null if unknown. */
  readonly mostSoldDays: number | null;
}

type ValuedContent = BoxContent & { readonly resale: Resale };

export function boxWorth(
  tables: FeeTables,
  contents: readonly BoxContent[],
  question: BoxQuestion,
): BoxWorth {
  const { costCents, terms, at, withModeled } = question;
  const valued = contents.filter((each): each is ValuedContent => each.resale !== null);
  const bidOn = valued.filter(({ resale }) => withModeled || resale.tier !== 'modeled');
  const quotes = quotesOfBox(tables, bidOn, question);
  const best = bestBoxQuote(quotes);
  const sell = (priceOf: PriceOf) =>
    best && sellAll(tables, bidOn, { channel: best.channel, at, priceOf });
  const even = sell(evenPrice);
  const channel = best?.channel ?? usualChannel;
  const sold = new Set<BoxContent>(sell(pricing(bidOn, { share: terms.share, channel, at }))?.sold);
  return {
    units: unitsOf(contents),
    unitsValued: unitsOf(valued),
    unitsBidOn: unitsOf(bidOn),
    unitsSold: unitsOf([...sold]),
    sumOfValuesCents: totalCents(valued),
    range: rangeOf(valued, { channel, at }),
    quotes,
    best,
    profitCents: costCents === null || even === null ? null : even.netCents - costCents,
    contentDays: contents.map((each) =>
      best && each.resale && sold.has(each)
        ? soldShareDays(waitingUnits([{ ...each, resale: each.resale }], { channel, at }))
        : null,
    ),
    mostSoldDays:
      best &&
      mostSoldDaysOf(
        bidOn.filter((each) => sold.has(each)),
        { channel, at },
      ),
  };
}

function unitsOf(contents: readonly BoxContent[]): number {
  return sumOf(contents, ({ quantity }) => quantity);
}

function totalCents(contents: readonly ValuedContent[]): number {
  return sumOf(contents, ({ quantity, resale }) => quantity * resale.price.valueCents);
}

/** The channel of values, where the box is assumed to be sold if none is better. */
const usualChannel: SellingChannel = 'ebay';

interface SaleOfBox {
  readonly channel: SellingChannel;
  readonly at: number;
}

/**
 * A single unit has what is measured rather than derived: its published range, and the price that
 * half of its sales exceed, as for a maximum price.
 */
function rangeOf(valued: readonly ValuedContent[], sale: SaleOfBox): SumRange | null {
  const [first] = valued;
  if (!first?.range || unitsOf(valued) !== 1) return rangeOfSum(sumItems(valued, sale));
  const { lowCents, highCents } = first.range;
  return { lowCents, medianCents: priceIn(first.resale, usualChannel, 0.5), highCents };
}

function sumItems(contents: readonly ValuedContent[], { channel, at }: SaleOfBox): BoxItem[] {
  return contents.map(({ quantity, resale, theme }) => {
    const { valueSpread, saleSpread, soldAbove } = resale.price;
    return {
      quantity,
      log: Math.log(cautiousCents(resale)),
      valueSpread,
      saleSpread,
      soldAbove,
      theme,
      waitDays: middleWaitDays(resale, { channel, at, quantity }) ?? 0,
      growthPerYear: resale.growthPerYear,
    };
  });
}

/** Units sell one after another, so the average wait is that of the middle one. */
function middleWaitDays(
  resale: Resale,
  { channel, at, quantity }: SaleOfBox & { readonly quantity: number },
): number | null {
  return waitDaysFor(resale, { channel, at, unit: (quantity + 1) / 2 });
}

/** Null if units with a known sales rate are not most of the value. */
function mostSoldDaysOf(contents: readonly ValuedContent[], sale: SaleOfBox): number | null {
  const known = contents.filter(({ resale }) => resale.rate !== null);
  if (totalCents(known) < mostShare * totalCents(contents)) return null;
  return soldShareDays(waitingUnits(contents, sale));
}

/** Units whose sales rate is known. */
function waitingUnits(contents: readonly ValuedContent[], sale: SaleOfBox): WaitingUnits[] {
  return contents
    .filter(({ resale }) => resale.rate !== null)
    .map(({ quantity, resale }) => ({
      quantity,
      unitCents: resale.price.valueCents,
      medianDays: (unit) => waitDaysFor(resale, { ...sale, unit }) ?? 0,
    }));
}

function quotesOfBox(
  tables: FeeTables,
  contents: readonly ValuedContent[],
  { terms, at }: BoxQuestion,
): BoxQuote[] {
  if (contents.length === 0) return [];
  return comparedChannels.flatMap((channel) => {
    const priceOf = pricing(contents, { share: terms.share, channel, at });
    const sold = sellAll(tables, contents, { channel, at, priceOf });
    if (sold === null) return [];
    const { netCents, waitDays } = sold;
    return {
      channel,
      isAssumed: contents.some(({ resale }) => isAssumed(resale, channel)),
      netCents,
      maxBidCents: netCents === 0 ? null : maxBuyCents(netCents, terms, waitDays),
    };
  });
}

type PriceOf = (resale: Resale, channel: SellingChannel) => number;

const evenPrice: PriceOf = (resale, channel) => priceIn(resale, channel, 0.5);

/**
 * Prices scaled down such that the requested share of total sales exceeds their sum. Single sales
 * use measured quantiles; sums are close to normal on a log scale.
 */
function pricing(
  contents: readonly ValuedContent[],
  { share, ...sale }: SaleOfBox & { readonly share: number },
): PriceOf {
  if (unitsOf(contents) === 1) return (resale, channel) => priceIn(resale, channel, share);
  const { spread } = shapeOfSum(sumItems(contents, sale)) ?? { spread: 0 };
  const factor = Math.exp(quantileAt(normalAbove, share) * spread);
  return (resale, channel) => Math.round(factor * evenPrice(resale, channel));
}

interface BoxSale {
  readonly sold: readonly ValuedContent[];
  readonly netCents: number;
  /** The average wait weighted by proceeds; null if nothing is sold. */
  readonly waitDays: number | null;
}

/** Sells all units that lose no money in one channel; null if it needs an unknown box size. */
function sellAll(
  tables: FeeTables,
  contents: readonly ValuedContent[],
  sale: { readonly channel: SellingChannel; readonly at: number; readonly priceOf: PriceOf },
): BoxSale | null {
  const { channel, at, priceOf } = sale;
  const sold: ValuedContent[] = [];
  let netCents = 0;
  let centDays = 0;
  for (const content of contents) {
    const { quantity, resale } = content;
    const waitDays = middleWaitDays(resale, { channel, at, quantity });
    const { parcel } = resale;
    const priceCents = priceOf(resale, channel);
    const unit = netOf(tables, { channel, priceCents, parcel, at, postageCents: null, waitDays });
    if (unit === null) return null;
    if (unit.netCents <= 0) continue;
    const cents = quantity * unit.netCents;
    sold.push(content);
    netCents += cents;
    centDays += cents * (waitDays ?? 0);
  }
  return { sold, netCents, waitDays: netCents === 0 ? null : centDays / netCents };
}

/** By the bid, like the maximum price of a unit, then by net proceeds, even without a bid. */
function bestBoxQuote(quotes: readonly BoxQuote[]): BoxQuote | null {
  let best: BoxQuote | null = null;
  for (const quote of quotes) if (!quote.isAssumed && isBetter(quote, best)) best = quote;
  return best;
}

function isBetter(quote: BoxQuote, best: BoxQuote | null): boolean {
  const more = (quote.maxBidCents ?? -1) - (best?.maxBidCents ?? -1);
  return more > 0 || (more === 0 && quote.netCents > (best?.netCents ?? -1));
}
