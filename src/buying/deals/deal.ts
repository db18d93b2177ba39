/**
 * Deals: retailers' offers that cost no more than the maximum price for resale. A candidate is any
 * offer that is profitable at the median; whether it is a deal depends on the account's terms.
 */

import type { StatusId } from '../../catalog/items/status.ts';
import { percentOf } from '../../kernel/money.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import { type DataTier, dataTiers } from '../../market/evidence/evidence.ts';
import { lowerPriceMs } from '../../market/retail/retail-state.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import { type BuyTerms, evenTerms } from '../boxes/quotes.ts';
import { costOf, maxBuyCents, moneyCents, netNeeded } from '../prices/max-buy.ts';
import { isAssumed, priceIn, type Resale } from '../prices/resale.ts';
import {
  comparedChannels,
  type FeeTables,
  type NetSum,
  type SellingChannel,
  UnitSeller,
} from '../prices/selling-channels.ts';
import { waitDaysFor } from '../prices/your-wait.ts';

/** Observations of an offer older than this may be out of date. */
const staleMs = 48 * hourMs;

/** Older observations are ignored. */
const lookMaxMs = 7 * dayMs;

/** A return above this, in percent, is more often an error than a bargain. */
const highRoiPercent = 200;

/** The minimum wait for profit per month: the capital is bound for at least this long. */
const waitDaysMin = 30;

/** Profit is computed at the median. */
const evenOdds = evenTerms.share;

/** The tiers of values that a deal can be based on; a modeled value is never one of them. */
export const dealTiers = ['low', 'medium', 'high'] as const;
export type DealTier = (typeof dealTiers)[number];

/**
 * The lowest tier of a deal, unless another one is asked for: the same on the page of deals, in
 * `GET /deals`, in events, in the log of deals and in alerts.
 */
export const usualMinTier: DealTier = 'medium';

/** Whether enough sales support a value for a deal. */
export function isDealTier(tier: DataTier, minTier: DealTier = usualMinTier): boolean {
  return dataTiers.indexOf(tier) <= dataTiers.indexOf(minTier);
}

/** Why a deal may be worse than it looks. */
export const dealWarnings = [
  'stale_price',
  'unknown_stock',
  'third_party_seller',
  'unknown_seller',
  'high_roi',
  'cheaper_recently',
  'often_discounted',
  'low_tier',
  'recent_jump',
  'guessed_postage',
] as const;
export type DealWarning = (typeof dealWarnings)[number];

export const dealWarningTexts: Readonly<Record<DealWarning, string>> = {
  stale_price: 'Price last seen more than 48 hours ago.',
  unknown_stock: 'Stock not confirmed.',
  third_party_seller: 'Sold by a third party.',
  unknown_seller: 'Seller not known.',
  high_roi: 'ROI above 200%: check that it is the same set.',
  cheaper_recently: 'Was cheaper in the last 90 days.',
  often_discounted: 'Still in production and often discounted.',
  low_tier: 'Few sales support the value.',
  recent_jump: 'Recent sales at another price are not confirmed yet.',
  guessed_postage: 'Shipping estimated: box size not known.',
};

/** A retailer's offer in stock, with the facts needed to assess it. */
export interface DealOffer
  extends Pick<Offer, 'retailer' | 'observedAt' | 'sellerType' | 'productUrl'> {
  readonly priceCents: number;
  /** Null if unknown. */
  readonly inStock: true | null;
  /** When the price was last lower; null: not in the 90 days before the observation. */
  readonly cheaperUntil: number | null;
  /** Whether the set is still in production and was discounted in most months. */
  readonly isOftenDiscounted: boolean;
}

/** An offer that is profitable at the median. */
export interface DealCandidate {
  readonly setKey: string;
  /** The canonical number. */
  readonly setNumber: string;
  readonly title: string;
  readonly theme: string;
  readonly statusId: StatusId;
  /** Resale data of one sealed unit. */
  readonly resale: Resale;
  readonly offer: DealOffer;
  /** Estimated revenue from its parts; null if no source shows a value. */
  readonly partsCents: number | null;
}

/** The estimated revenue from the parts, as a multiple of the price. */
export function partOutRatio({
  partsCents,
  offer,
}: Pick<DealCandidate, 'partsCents' | 'offer'>): number | null {
  return partsCents === null ? null : Math.round((100 * partsCents) / offer.priceCents) / 100;
}

/** The best channel to sell a unit in, among those with learned prices. */
export interface BestSale {
  readonly channel: SellingChannel;
  /** Net proceeds that the requested share of sales exceeds, and the median. */
  readonly netCents: number;
  readonly medianNetCents: number;
  /** Null if the sales rate is unknown. */
  readonly waitDays: number | null;
  readonly isPostageGuessed: boolean;
}

/** The result of a purchase. */
export interface Profit {
  readonly costCents: number;
  /** Median net proceeds less the cost. */
  readonly profitCents: number;
  /** On cost, in percent. */
  readonly roiPercent: number;
  /** Null if the time to sale is unknown. */
  readonly profitPerMonthCents: number | null;
}

/** An offer at or below the maximum price. */
export interface Deal extends DealCandidate, BestSale, Profit {
  readonly maxBuyCents: number;
  readonly warnings: readonly DealWarning[];
}

export interface DealTerms {
  readonly terms: BuyTerms;
  readonly at: number;
}

/**
 * The channel that allows the highest price; null without learned prices. That is the one with the
 * highest net proceeds, unless capital costs make the wait matter.
 */
export function bestSale(
  tables: FeeTables,
  resale: Resale,
  { terms, at }: DealTerms,
): BestSale | null {
  const { share, moneyBasisPoints } = terms;
  const seller = new UnitSeller(tables, { parcel: resale.parcel, at, postageCents: null });
  const sell = (channel: SellingChannel, of: number) => {
    // Only FBA charges for storage.
    const waitDays = channel === 'fba' ? waitDaysFor(resale, { channel, at }) : null;
    return seller.net({ channel, priceCents: priceIn(resale, channel, of), waitDays });
  };
  const payable = ({ channel, netCents }: NetSum) =>
    moneyBasisPoints === 0
      ? netCents
      : (maxBuyCents(netCents, terms, waitDaysFor(resale, { channel, at })) ?? -1);
  let best: NetSum | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const channel of comparedChannels) {
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
    waitDays: waitDaysFor(resale, { channel, at }),
    isPostageGuessed,
  };
}

/**
 * Which prices are profitable at the median with published fees. Other offers would be deals only
 * for accounts with a margin below what their cashback and lower fees save, and are not stored.
 * Prices above the highest sale price are ruled out without computing fees, which is done once.
 */
export class EvenOdds {
  private readonly highestCents: number;
  private netCents: number | null = null;

  constructor(
    private readonly tables: FeeTables,
    private readonly resale: Resale,
    private readonly at: number,
  ) {
    this.highestCents = comparedChannels.reduce(
      (most, channel) =>
        isAssumed(resale, channel) ? most : Math.max(most, priceIn(resale, channel, evenOdds)),
      0,
    );
  }

  /** Whether buying at a price is profitable at the median. */
  leaves(priceCents: number): boolean {
    return priceCents < this.highestCents && priceCents < this.net();
  }

  private net(): number {
    const { tables, resale, at } = this;
    this.netCents ??= bestSale(tables, resale, { terms: evenTerms, at })?.netCents ?? 0;
    return this.netCents;
  }
}

/** Whether an observation is too old to be used. */
export function isOutdated({ observedAt }: Pick<DealOffer, 'observedAt'>, at: number): boolean {
  return at - observedAt > lookMaxMs;
}

/** The first instant at which `isOutdated` is true. */
export function outdatedAt({ observedAt }: Pick<DealOffer, 'observedAt'>): number {
  return observedAt + lookMaxMs + 1;
}

/** The result of a purchase; null if the price is above the maximum. */
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
    // Not null, because the price is at or below the maximum.
    maxBuyCents: maxBuyCents(sale.netCents, terms, sale.waitDays) ?? 0,
    warnings: warningsOf(candidate, found, at),
  };
}

/** Warnings that cast doubt on the price or the value; the others are informational. */
const doubts: ReadonlySet<DealWarning> = new Set([
  'stale_price',
  'unknown_stock',
  'third_party_seller',
  'unknown_seller',
  'high_roi',
  'low_tier',
  'recent_jump',
]);

/** Whether the offer may be gone, or the price or value may be wrong. */
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
    recent_jump: resale.doubtedCents !== null,
    guessed_postage: sale.isPostageGuessed,
  };
  return dealWarnings.filter((warning) => holds[warning]);
}
