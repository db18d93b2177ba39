/**
 * Deals: what a retailer asks for a set today, held against what may be paid for it. A candidate is
 * any offer that leaves something at even odds; whether it is a deal depends on who asks.
 */
import type { StatusId } from '../catalog/status.ts';
import { percentOf } from '../kernel/money.ts';
import { dayMs, hourMs } from '../kernel/time.ts';
import { lowerPriceMs } from '../market/retail-state.ts';
import type { Retailer, SellerType } from '../market/source-rows.ts';
import {
  type FeeTables,
  type NetSum,
  type SellingChannel,
  sellingChannels,
  UnitSeller,
} from './channels.ts';
import { costOf, maxBuyCents, moneyCents, netNeeded } from './max-buy.ts';
import { type BuyTerms, isAssumed, priceIn, type Resale, usualTerms, waitIn } from './resale.ts';

/** A look at an offer that is older than this may be out of date. */
const staleMs = 48 * hourMs;

/** One that is older than this says nothing about today. */
const lookMaxMs = 7 * dayMs;

/** A return above this, in percent, is more often a mistake than a bargain. */
const highRoiPercent = 200;

/** Profit is counted by the month: whatever sells faster, the money is tied up for this long. */
const waitDaysMin = 30;

/** The share of sales that profit is about: half of them bring more. */
const evenOdds = 0.5;
const evenTerms: BuyTerms = { ...usualTerms, share: evenOdds };

/** Why a deal may not be what it looks like. */
export const dealWarnings = [
  'stale_price',
  'unknown_stock',
  'third_party_seller',
  'unknown_seller',
  'high_roi',
  'cheaper_recently',
  'often_discounted',
  'low_tier',
  'guessed_postage',
] as const;
export type DealWarning = (typeof dealWarnings)[number];

/** What is to be checked before one buys. */
export const dealWarningTexts: Readonly<Record<DealWarning, string>> = {
  stale_price: 'Price last seen more than 48 hours ago.',
  unknown_stock: 'Stock not confirmed.',
  third_party_seller: 'Sold by a third party.',
  unknown_seller: 'Seller not known.',
  high_roi: 'ROI above 200%: check that it is the same set.',
  cheaper_recently: 'Was cheaper in the last 90 days.',
  often_discounted: 'Still in production and often discounted.',
  low_tier: 'Few sales support the value.',
  guessed_postage: 'Shipping estimated: box size not known.',
};

/** What a retailer asks for a set that it has, and what must be known to judge it. */
export interface DealOffer {
  readonly retailer: Retailer;
  readonly priceCents: number;
  readonly observedAt: number;
  /** Null: it is not known whose offer it is. */
  readonly sellerType: SellerType | null;
  /** Null: nobody says whether it is in stock. */
  readonly inStock: true | null;
  readonly productUrl: string | null;
  /** Until when the price was last lower than it is; null: not in the 90 days before the look. */
  readonly cheaperUntil: number | null;
  /** Whether the set is still made, and was discounted in most months. */
  readonly isOftenDiscounted: boolean;
}

/** A set at a retailer that would leave something at even odds. */
export interface DealCandidate {
  readonly setKey: string;
  /** The canonical number. */
  readonly setNumber: string;
  readonly title: string;
  readonly theme: string;
  readonly statusId: StatusId;
  /** What is known of selling one unit of it, sealed. */
  readonly resale: Resale;
  readonly offer: DealOffer;
}

/** The best way to sell a unit, among those whose prices were learned. */
export interface BestSale {
  readonly channel: SellingChannel;
  /** What is left of the price that the asked share of sales is above, and half of them. */
  readonly netCents: number;
  readonly medianNetCents: number;
  /** Null when nobody knows how often it sells. */
  readonly waitDays: number | null;
  readonly isPostageGuessed: boolean;
}

/** What a purchase comes to. */
export interface Profit {
  readonly costCents: number;
  /** Left of half of the sales, less the cost. */
  readonly profitCents: number;
  /** On cost, in percent. */
  readonly roiPercent: number;
  /** Null when nobody knows how long it takes. */
  readonly profitPerMonthCents: number | null;
}

/** An offer that costs no more than may be paid. */
export interface Deal extends DealCandidate, BestSale, Profit {
  readonly maxBuyCents: number;
  readonly warnings: readonly DealWarning[];
}

/** On what terms, and when. */
export interface DealTerms {
  readonly terms: BuyTerms;
  readonly at: number;
}

/**
 * The best way to sell a unit; null where no price was learned. What leaves most allows to pay
 * most, unless the wait costs money, too.
 */
export function bestSale(
  tables: FeeTables,
  resale: Resale,
  { terms, at }: DealTerms,
): BestSale | null {
  const { share, moneyBasisPoints } = terms;
  const seller = new UnitSeller(tables, { parcel: resale.parcel, at, postageCents: null });
  const sell = (channel: SellingChannel, of: number) => {
    const waitDays = waitIn(resale, channel);
    return seller.net({ channel, priceCents: priceIn(resale, channel, of), waitDays });
  };
  const payable = ({ channel, netCents }: NetSum) =>
    moneyBasisPoints === 0
      ? netCents
      : (maxBuyCents(netCents, terms, waitIn(resale, channel)) ?? -1);
  let best: NetSum | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const channel of sellingChannels) {
    const sum = isAssumed(resale, channel) ? null : sell(channel, share);
    if (sum === null) continue;
    const pays = payable(sum);
    if (pays < most || (pays === most && best && sum.netCents <= best.netCents)) continue;
    [best, most] = [sum, pays];
  }
  if (best === null) return null;
  const { channel, netCents, isPostageGuessed } = best;
  const median = share === evenOdds ? best : sell(channel, evenOdds);
  if (median === null) throw new Error('The box is known at every price.');
  return {
    channel,
    netCents,
    medianNetCents: median.netCents,
    waitDays: waitIn(resale, channel),
    isPostageGuessed,
  };
}

/**
 * Tells which prices leave anything at even odds and published fees. Others are deals only for
 * those whose margin is below what cashback and lower fees save them, and are not kept. What costs
 * more than the highest price is ruled out before any fee is looked up, and sums are made once.
 */
export class EvenOdds {
  private readonly highestCents: number;
  private netCents: number | null = null;

  constructor(
    private readonly tables: FeeTables,
    private readonly resale: Resale,
    private readonly at: number,
  ) {
    this.highestCents = sellingChannels.reduce(
      (most, channel) =>
        isAssumed(resale, channel) ? most : Math.max(most, priceIn(resale, channel, evenOdds)),
      0,
    );
  }

  /** Whether something is left of half of the sales after a price was paid. */
  leaves(priceCents: number): boolean {
    return priceCents < this.highestCents && priceCents < this.net();
  }

  private net(): number {
    const { tables, resale, at } = this;
    this.netCents ??= bestSale(tables, resale, { terms: evenTerms, at })?.netCents ?? 0;
    return this.netCents;
  }
}

/** Whether a look is so old that it says nothing about today. */
export function isOutdated({ observedAt }: Pick<DealOffer, 'observedAt'>, at: number): boolean {
  return at - observedAt > lookMaxMs;
}

/** The first instant at which a look is too old. */
export function outdatedAt({ observedAt }: Pick<DealOffer, 'observedAt'>): number {
  return observedAt + lookMaxMs + 1;
}

/** What a purchase comes to; null when it costs more than may be paid. */
export function profitOf(priceCents: number, sale: BestSale, terms: BuyTerms): Profit | null {
  const { costs, marginBasisPoints, moneyBasisPoints } = terms;
  const { waitDays } = sale;
  const costCents = costOf(priceCents, costs);
  const money = moneyCents(costCents, { moneyBasisPoints, waitDays });
  if (sale.netCents < netNeeded(costCents, marginBasisPoints) + money) return null;
  const profitCents = sale.medianNetCents - costCents;
  return {
    costCents,
    profitCents,
    roiPercent: percentOf(profitCents, costCents),
    profitPerMonthCents:
      waitDays === null
        ? null
        : Math.round((profitCents * waitDaysMin) / Math.max(waitDays, waitDaysMin)),
  };
}

/** A deal with all that is shown of it. */
export function toDeal(
  candidate: DealCandidate,
  found: { readonly sale: BestSale; readonly profit: Profit },
  { terms, at }: DealTerms,
): Deal {
  const { sale, profit } = found;
  return {
    ...candidate,
    ...sale,
    ...profit,
    // What costs no more than may be paid proves that something may be paid.
    maxBuyCents: maxBuyCents(sale.netCents, terms, sale.waitDays) ?? 0,
    warnings: warningsOf(candidate, found, at),
  };
}

/** What makes the price or the value itself doubtful; the rest is only good to know. */
const doubts: ReadonlySet<DealWarning> = new Set([
  'stale_price',
  'unknown_stock',
  'third_party_seller',
  'unknown_seller',
  'high_roi',
  'low_tier',
]);

/** Whether a deal may not be there, or may not be what it looks like. */
export function isDoubtfulDeal(
  candidate: DealCandidate,
  found: { readonly sale: BestSale; readonly profit: Profit },
  at: number,
): boolean {
  return warningsOf(candidate, found, at).some((warning) => doubts.has(warning));
}

function warningsOf(
  { offer, resale }: DealCandidate,
  { sale, profit }: { readonly sale: BestSale; readonly profit: Profit },
  at: number,
): DealWarning[] {
  const holds: Readonly<Record<DealWarning, boolean>> = {
    stale_price: at - offer.observedAt > staleMs,
    unknown_stock: offer.inStock === null,
    third_party_seller: offer.sellerType === 'third_party',
    unknown_seller: offer.sellerType === null,
    high_roi: profit.roiPercent > highRoiPercent,
    cheaper_recently: offer.cheaperUntil !== null && at - offer.cheaperUntil <= lowerPriceMs,
    often_discounted: offer.isOftenDiscounted,
    low_tier: resale.tier === 'low',
    guessed_postage: sale.isPostageGuessed,
  };
  return dealWarnings.filter((warning) => holds[warning]);
}
