/** What a box of things is worth: what it brings, what may be bid for it, what each thing cost. */
import { type BoxItem, rangeOfSum, type SumRange, shapeOfSum } from './box-sum.ts';
import { type FeeTables, netOf, type SellingChannel, sellingChannels } from './channels.ts';
import { maxBuyCents } from './max-buy.ts';
import { normalAbove, quantileAt } from './price.ts';
import { type BuyTerms, isAssumed, priceIn, type Resale, waitIn } from './resale.ts';
import { splitCost } from './split-cost.ts';

/** Units in a box, of all items together. */
export const boxUnitsMax = 100_000;

/** What four out of five sales of one unit lie in. */
export interface ValueRange {
  readonly lowCents: number;
  readonly highCents: number;
}

/** Units of one item in one condition. */
export interface BoxContent {
  readonly quantity: number;
  /** What is known of selling one; null when it has no value, or nobody knows the item. */
  readonly resale: Resale | null;
  /** The range of its value; null when it has none. */
  readonly range: ValueRange | null;
  /** What one cost in shops; null when that is not known. */
  readonly msrpCents: number | null;
}

/** What is asked of a box. */
export interface BoxQuestion {
  /** What the whole box cost, tax and shipping included; null before it is bought. */
  readonly costCents: number | null;
  readonly terms: BuyTerms;
  readonly at: number;
  /** Whether the bid counts values that no sale supports. */
  readonly withModeled: boolean;
}

/** One way to sell all of a box. */
export interface BoxQuote {
  readonly channel: SellingChannel;
  /** Whether prices there were not learned for all of it, but taken from elsewhere. */
  readonly isAssumed: boolean;
  /** Net of what the bid counts, at prices that the sum of the asked share of boxes is above. */
  readonly netCents: number;
  /** Null when too little is left to bid anything. */
  readonly maxBidCents: number | null;
}

/** What a box is worth. */
export interface BoxWorth {
  readonly units: number;
  readonly unitsValued: number;
  /** Units that the bid counts: their values are supported by sales, or were asked for. */
  readonly unitsBidOn: number;
  /** Those of them that leave something in the best channel; the others are not sold. */
  readonly unitsSold: number;
  readonly sumOfValuesCents: number;
  /** Of the sum of what single sales bring; null when nothing has a value. */
  readonly range: SumRange | null;
  /** In the order of channels, without those where the box of a set would have to be known. */
  readonly quotes: readonly BoxQuote[];
  /** The one that leaves most, among those whose prices were learned. */
  readonly best: BoxQuote | null;
  /** Net at even odds of what the bid counts, in `best`, less the cost; null without either. */
  readonly profitCents: number | null;
  /**
   * How long each of the contents takes to sell out in the best channel; null where it is not
   * sold there or nobody knows.
   */
  readonly selloutDays: readonly (number | null)[];
  /** What each of the contents cost, adding up to the cost; null before the box is bought. */
  readonly costs: readonly number[] | null;
}

/** Contents that have a value. */
type ValuedContent = BoxContent & { readonly resale: Resale };

/** Works out what a box is worth. */
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
  const sold = new Set<BoxContent>(sell(pricing(bidOn, terms.share))?.sold);
  return {
    units: unitsOf(contents),
    unitsValued: unitsOf(valued),
    unitsBidOn: unitsOf(bidOn),
    unitsSold: unitsOf([...sold]),
    sumOfValuesCents: valued.reduce((sum, each) => {
      return sum + each.quantity * each.resale.price.valueCents;
    }, 0),
    range: rangeOf(valued),
    quotes,
    best,
    profitCents: costCents === null || even === null ? null : even.netCents - costCents,
    selloutDays: contents.map((each) => {
      if (best === null || each.resale === null || !sold.has(each)) return null;
      return waitIn(each.resale, best.channel, each.quantity);
    }),
    costs: costCents === null ? null : costsOf(costCents, contents),
  };
}

function unitsOf(contents: readonly BoxContent[]): number {
  return contents.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** The range of one unit was measured, and is the one that its value is published with. */
function rangeOf(valued: readonly ValuedContent[]): SumRange | null {
  const [first] = valued;
  if (!first?.range || unitsOf(valued) !== 1) return rangeOfSum(valued.map(sumItem));
  const { lowCents, highCents } = first.range;
  return { lowCents, medianCents: first.resale.price.valueCents, highCents };
}

function sumItem({ quantity, resale }: ValuedContent): BoxItem {
  const { valueCents, valueSpread, saleSpread } = resale.price;
  return { quantity, log: Math.log(valueCents), valueSpread, saleSpread };
}

function costsOf(costCents: number, contents: readonly BoxContent[]): number[] {
  const parts = contents.map(({ quantity, resale, msrpCents }) => {
    return { quantity, valueCents: resale?.price.valueCents ?? null, msrpCents };
  });
  return splitCost(costCents, parts);
}

function quotesOfBox(
  tables: FeeTables,
  contents: readonly ValuedContent[],
  { terms, at }: BoxQuestion,
): BoxQuote[] {
  if (contents.length === 0) return [];
  const priceOf = pricing(contents, terms.share);
  return sellingChannels.flatMap((channel) => {
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

/** What a unit is sold for in a channel. */
type PriceOf = (resale: Resale, channel: SellingChannel) => number;

const evenPrice: PriceOf = (resale, channel) => priceIn(resale, channel, 0.5);

/**
 * Prices so far below even odds that the asked share of sums is above their sum. How far single
 * sales fall short was measured; sums are close to normal.
 */
function pricing(contents: readonly ValuedContent[], share: number): PriceOf {
  if (unitsOf(contents) === 1) return (resale, channel) => priceIn(resale, channel, share);
  const { spread } = shapeOfSum(contents.map(sumItem)) ?? { spread: 0 };
  const factor = Math.exp(quantileAt(normalAbove, share) * spread);
  return (resale, channel) => Math.round(factor * evenPrice(resale, channel));
}

/** A box that is sold in one channel. */
interface BoxSale {
  readonly sold: readonly ValuedContent[];
  readonly netCents: number;
  /** How long a dollar of it takes; null when nobody knows. */
  readonly waitDays: number | null;
}

/**
 * What is left when all units are sold in one channel; null where the box of a set would have to
 * be known. What would lose money is not sold.
 */
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
    // They sell one after another, so on average they wait as long as the one in the middle.
    const waitDays = waitIn(resale, channel, (quantity + 1) / 2);
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

/** The largest net also allows the largest bid; it is known where no bid is low enough. */
function bestBoxQuote(quotes: readonly BoxQuote[]): BoxQuote | null {
  let best: BoxQuote | null = null;
  for (const quote of quotes) {
    if (!quote.isAssumed && quote.netCents > (best?.netCents ?? -1)) best = quote;
  }
  return best;
}
