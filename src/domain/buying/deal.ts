/**
 * Deals: what a retailer asks for a set today, held against what may be paid for it. A candidate is
 * any offer that leaves something at even odds; whether it is a deal depends on who asks.
 */
import type { StatusId } from '../catalog/status.ts';
import { percentOf } from '../kernel/money.ts';
import { dayMs, hourMs } from '../kernel/time.ts';
import type { Retailer, SellerType } from '../market/source-rows.ts';
import { type FeeTables, type SellingChannel, sellingChannels } from './channels.ts';
import { costOf, maxBuyCents, netNeeded } from './max-buy.ts';
import { type BuyTerms, isAssumed, netOfUnit, priceIn, type Resale, waitIn } from './resale.ts';

/** A look at an offer that is older than this may be out of date. */
const staleMs = 48 * hourMs;

/** One that is older than this says nothing about today. */
const lookMaxMs = 7 * dayMs;

/** How long a lower price is remembered. */
const cheaperMs = 90 * dayMs;

/** A return above this, in percent, is more often a mistake than a bargain. */
const highRoiPercent = 200;

/** Profit is counted by the month: whatever sells faster, the money is tied up for this long. */
const waitDaysMin = 30;

/** The share of sales that profit is about: half of them bring more. */
const evenOdds = 0.5;

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

/** What sums are made with. */
export interface SaleQuestion {
  readonly share: number;
  readonly at: number;
}

/** The best way to sell a unit at an instant; null where no price was learned. */
export function bestSale(
  tables: FeeTables,
  resale: Resale,
  { share, at }: SaleQuestion,
): BestSale | null {
  const sell = (channel: SellingChannel, of: number) =>
    netOfUnit(tables, resale, { channel, priceCents: priceIn(resale, channel, of), at });
  let best: ReturnType<typeof sell> = null;
  for (const channel of sellingChannels) {
    if (isAssumed(resale, channel)) continue;
    const sum = sell(channel, share);
    if (sum !== null && (best === null || sum.netCents > best.netCents)) best = sum;
  }
  if (best === null) return null;
  const { channel, netCents, isPostageGuessed } = best;
  const medianNetCents = share === evenOdds ? netCents : sell(channel, evenOdds)?.netCents;
  if (medianNetCents === undefined) throw new Error('The box is known for every price.');
  return {
    channel,
    netCents,
    medianNetCents,
    waitDays: waitIn(resale, channel),
    isPostageGuessed,
  };
}

/**
 * Whether an offer leaves anything at even odds: only then can it be a deal for anybody. What
 * costs more than the highest price is ruled out before any fee is looked up.
 */
export function isCandidate(
  tables: FeeTables,
  { resale, offer }: Pick<DealCandidate, 'resale' | 'offer'>,
  at: number,
): boolean {
  if (resale.tier === 'modeled' || isOutdated(offer, at)) return false;
  const prices = sellingChannels
    .filter((channel) => !isAssumed(resale, channel))
    .map((channel) => priceIn(resale, channel, evenOdds));
  if (offer.priceCents >= Math.max(...prices, 0)) return false;
  const sale = bestSale(tables, resale, { share: evenOdds, at });
  return sale !== null && offer.priceCents < sale.netCents;
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
  const costCents = costOf(priceCents, terms.costs);
  if (sale.netCents < netNeeded(costCents, terms.marginBasisPoints)) return null;
  const profitCents = sale.medianNetCents - costCents;
  const { waitDays } = sale;
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
  { terms, at }: { readonly terms: BuyTerms; readonly at: number },
): Deal {
  const { sale, profit } = found;
  return {
    ...candidate,
    ...sale,
    ...profit,
    // What costs no more than may be paid proves that something may be paid.
    maxBuyCents: maxBuyCents(sale.netCents, terms) ?? 0,
    warnings: warningsOf(candidate, found, at),
  };
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
    cheaper_recently: offer.cheaperUntil !== null && at - offer.cheaperUntil <= cheaperMs,
    often_discounted: offer.isOftenDiscounted,
    low_tier: resale.tier === 'low',
    guessed_postage: sale.isPostageGuessed,
  };
  return dealWarnings.filter((warning) => holds[warning]);
}
