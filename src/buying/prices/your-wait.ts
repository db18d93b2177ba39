/** How long your unit takes to sell in a channel, and what that is based on. */
import type { ChannelShares, SalesRate } from '../../market/evidence/evidence.ts';
import type { Channel } from '../../market/source-rows/source-rows.ts';
import { type Listings, listingsIn } from '../../market/values/listings.ts';
import { countedPerMonth, inSeason, medianWaitDays } from '../../market/values/wait.ts';
import { isAtAmazon, pricedAs, priceIn, type Resale } from './resale.ts';
import type { SellingChannel } from './selling-channels.ts';

export interface Wait {
  /** Median. */
  readonly days: number;
  /** Units of other sellers; null if unknown. */
  readonly rivals: number | null;
  /** Whether the price is at or below the lowest one that is known. */
  readonly isCheapest: boolean;
  /** Whether the rivals or the channel's share of sales are assumed. */
  readonly isAssumed: boolean;
}

export interface UnitForSale {
  readonly channel: SellingChannel;
  readonly at: number;
  /** The nth unit of one seller; the first by default. */
  readonly unit?: number;
  /** The usual price by default. */
  readonly priceCents?: number;
}

/** How long the units for sale last, where they were counted for too few similar items. */
const usualSupplyMonths: Readonly<Record<Channel, number>> = {
  fixed: 2,
  auction: 2,
  bricklink: 6,
  amazon: 1,
  other: 3,
};

/** A unit among those for sale in its channel, and what is known about them. */
export interface SalesQueue {
  /** Of the item's sales, those in the channel; assumed if it has no known sales. */
  readonly share: number;
  /** Units of other sellers, as far as they are plausible; null if unknown. */
  readonly rivals: number | null;
  /** How many months of sales there the units for sale are, where rivals are unknown. */
  readonly supplyMonths: number;
  /** The share of rivals that are cheaper. */
  readonly cheaper: number;
  /** Whether the share or the rivals are assumed. */
  readonly isAssumed: boolean;
}

/** One row must not delay a unit by years, so no more rivals count than this. */
const supplyTimesMax = 10;
const rivalsAlwaysPlausible = 20;

/** One row must not hide all rivals, so a lowest price far above the usual price is ignored. */
const lowestTimesMax = 1.5;

export function salesQueueOf(resale: Resale, rate: SalesRate, unit: UnitForSale): SalesQueue {
  const soldIn = pricedAs(unit.channel);
  const knownShare = (soldIn && rate.shares?.[soldIn]) || null;
  const share = knownShare ?? busiestShare(rate.shares);
  const listings = soldIn && listingsIn(resale.listings, soldIn, unit.at);
  const counted = listings?.units ?? (isAtAmazon(unit.channel) ? resale.fbaSellers : null);
  const supplyMonths = usualSupply(rate, soldIn ?? 'other');
  const usualRivals = supplyMonths * countedPerMonth(rate) * share;
  const rivalsMax = Math.max(rivalsAlwaysPlausible, Math.floor(supplyTimesMax * usualRivals));
  return {
    share,
    rivals: counted && Math.min(counted, rivalsMax),
    supplyMonths,
    cheaper: cheaperShare(resale, unit, listings),
    isAssumed: knownShare === null || counted === null || counted > rivalsMax,
  };
}

/** Null if the sales rate is unknown. */
export function waitFor(resale: Resale, unit: UnitForSale): Wait | null {
  const { rate, season } = resale;
  if (rate === null) return null;
  const { rivals, supplyMonths, isAssumed, ...ahead } = salesQueueOf(resale, rate, unit);
  const assumedRivals = supplyMonths * countedPerMonth(rate) * ahead.share;
  const queue = { ...ahead, rivals: rivals ?? assumedRivals };
  return {
    days: inSeason(medianWaitDays(rate, queue, unit.unit), season, unit.at),
    rivals,
    isCheapest: ahead.cheaper === 0,
    isAssumed,
  };
}

/** Median days; null if the sales rate is unknown. */
export function waitDaysFor(resale: Resale, unit: UnitForSale): number | null {
  return waitFor(resale, unit)?.days ?? null;
}

function usualSupply({ supplyMonths: learned }: SalesRate, channel: Channel): number {
  return learned?.[channel] ?? usualSupplyMonths[channel];
}

/** A channel without known sales is assumed to sell as often as the busiest one. */
function busiestShare(shares: ChannelShares | undefined): number {
  return shares ? Math.max(...Object.values(shares)) : 1;
}

/** Half of the rivals at the usual price, and none at or below the lowest. */
function cheaperShare(
  resale: Resale,
  { channel, priceCents }: UnitForSale,
  listings: Listings | null,
): number {
  const usualCents = priceIn(resale, channel, 0.5);
  const lowestCents = plausibleLowest(listings, usualCents);
  if (priceCents === undefined && lowestCents === null) return 0.5;
  const ownPriceCents = priceCents ?? usualCents;
  if (lowestCents !== null && ownPriceCents <= lowestCents) return 0;
  const { valueSpread, saleSpread } = resale.price;
  return normalBelow(Math.log(ownPriceCents / usualCents) / Math.hypot(valueSpread, saleSpread));
}

function plausibleLowest(listings: Listings | null, usualCents: number): number | null {
  const lowestCents = listings?.lowestCents ?? null;
  return lowestCents !== null && lowestCents <= lowestTimesMax * usualCents ? lowestCents : null;
}

/** The normal distribution function, approximated by a logistic curve. */
function normalBelow(deviations: number): number {
  return 1 / (1 + Math.exp(-1.702 * deviations));
}
