/** How long your unit takes to sell in a channel, and what that is based on. */
import type { ChannelShares, SalesRate } from '../market/evidence.ts';
import { type Listings, listingsIn } from '../market/listings.ts';
import type { Channel } from '../market/source-rows.ts';
import type { SellingChannel } from './channels.ts';
import { isAtAmazon, pricedAs, priceIn, type Resale } from './resale.ts';
import { inSeason, medianWaitDays, salesPerMonth } from './wait.ts';

export interface Wait {
  /** Median. */
  readonly days: number;
  /** Units of other sellers; null if unknown. */
  readonly rivals: number | null;
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

/** Null if the sales rate is unknown. */
export function waitFor(resale: Resale, unit: UnitForSale): Wait | null {
  const { rate, season } = resale;
  if (rate === null) return null;
  const soldIn = pricedAs(unit.channel);
  const share = knownShare(rate.shares, soldIn);
  const listings = soldIn && listingsIn(resale.listings, soldIn, unit.at);
  const rivals = listings?.units ?? sellersAtAmazon(resale, unit.channel);
  const queue = {
    share: share ?? busiestShare(rate.shares),
    cheaper: cheaperShare(resale, unit, listings),
  };
  const assumedRivals = supplyMonths(rate, soldIn ?? 'other') * salesPerMonth(rate) * queue.share;
  const days = medianWaitDays(rate, { ...queue, rivals: rivals ?? assumedRivals }, unit.unit);
  return {
    days: inSeason(days, season, unit.at),
    rivals,
    isAssumed: share === null || rivals === null,
  };
}

/** Median days; null if the sales rate is unknown. */
export function waitDaysFor(resale: Resale, unit: UnitForSale): number | null {
  return waitFor(resale, unit)?.days ?? null;
}

function supplyMonths({ supplyMonths: learned }: SalesRate, channel: Channel): number {
  return learned?.[channel] ?? usualSupplyMonths[channel];
}

function knownShare(shares: ChannelShares | undefined, soldIn: Channel | null): number | null {
  return (soldIn && shares?.[soldIn]) || null;
}

/** A channel without known sales is assumed to sell as often as the busiest one. */
function busiestShare(shares: ChannelShares | undefined): number {
  return shares ? Math.max(...Object.values(shares)) : 1;
}

function sellersAtAmazon({ fbaSellers }: Resale, channel: SellingChannel): number | null {
  return isAtAmazon(channel) ? fbaSellers : null;
}

/** Half of the rivals at the usual price, and none at or below the lowest. */
function cheaperShare(
  resale: Resale,
  { channel, priceCents }: UnitForSale,
  listings: Listings | null,
): number {
  const lowestCents = listings?.lowestCents ?? null;
  if (priceCents === undefined && lowestCents === null) return 0.5;
  const usualCents = priceIn(resale, channel, 0.5);
  const askedCents = priceCents ?? usualCents;
  if (lowestCents !== null && askedCents <= lowestCents) return 0;
  const { valueSpread, saleSpread } = resale.price;
  return normalBelow(Math.log(askedCents / usualCents) / Math.hypot(valueSpread, saleSpread));
}

/** The normal distribution function, approximated by a logistic curve. */
function normalBelow(deviations: number): number {
  return 1 / (1 + Math.exp(-1.702 * deviations));
}
