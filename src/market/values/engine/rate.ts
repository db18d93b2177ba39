/**
 * The sales rate of an item: a Gamma posterior from its sales in a window and the prior of its
 * group, which are items with similar sales.
 */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { ChannelShares, SalesRate, Season, SupplyMonths } from '../../evidence/evidence.ts';
import { type Channel, type Condition, channels } from '../../source-rows/source-rows.ts';
import { seasonalDays } from '../season.ts';
import { usualRates } from '../uncertainty.ts';
import { type Support, supportOf } from './range.ts';

/** A Gamma prior as pseudo-observations: sales in a number of days. */
export interface RatePrior {
  readonly sales: number;
  readonly days: number;
}

export interface RateTable {
  /** Start of observed sales by kind; null if there are none. */
  readonly since: Readonly<Record<ItemKind, number | null>>;
  /** By group; missing groups fall back to the nearest one, then to all items. */
  readonly priors: Readonly<Record<string, RatePrior>>;
  /** Channels of all sales; absent before anything was learned. */
  readonly shares?: Readonly<Record<ItemKind, ChannelShares>>;
  /** Absent if there are less than two years of sales. */
  readonly season?: Season;
  /** Absent if units for sale were counted for too few items. */
  readonly supply?: SupplyTable;
}

export type SupplyTable = Readonly<Record<ItemKind, Readonly<Record<Condition, SupplyMonths>>>>;

/** Accepted sales by channel. */
export type ChannelCounts = ReadonlyMap<Channel | 'unknown', number>;

/** An item in one condition, with its sale times in order. */
export interface SellingItem {
  readonly kind: ItemKind;
  readonly condition: Condition;
  readonly releasedAt: number | null;
  /** Of each seller no more than usual. */
  readonly times: readonly number[];
  /** Of all sales, if they are more. */
  readonly allTimes?: readonly number[] | undefined;
  /** The first sale, if it is not the first of `times`. */
  readonly firstAt?: number | undefined;
  /** In all conditions. */
  readonly channels: ChannelCounts;
}

/** The priors that apply to an item, by name: the first that was learned is used. */
export interface RateGroup {
  readonly name: string;
  /** The most similar group, for a group without a prior. */
  readonly nearest: string;
  /** All items of the kind and condition. */
  readonly all: string;
}

export interface SalesSeen {
  /** Of each seller no more than usual. */
  readonly sales: number;
  readonly allSales: number;
  readonly days: number;
  /** All sales up to the instant, also before the window. */
  readonly known: number;
  readonly group: RateGroup;
}

/**
 * Half a year, like price guides, so that an item requested for the first time today has as many
 * sales as one requested daily.
 */
const windowMs = 180 * dayMs;

/** Items without a sale for this long are a group. */
const longMs = 365 * dayMs;

/** Shape of the default prior, used until a prior is learned. */
const usualSales = 0.7;

/** The channels of all items count as much as this many sales of an item. */
const shareSales = 4;

/** Sales in the window before an instant, and the days of it on which sales could be observed. */
export function salesSeen(item: SellingItem, at: number, since: number | null): SalesSeen {
  const { kind, condition, releasedAt, times, allTimes = times, firstAt = times[0] } = item;
  const out = releasedAt ?? 0;
  // A sale before the release means that the date is wrong.
  const couldSellFrom = (firstAt ?? out) < out ? 0 : out;
  const from = Math.max(at - windowMs, since ?? 0, couldSellFrom);
  // Whole days, so that the time of a sale cannot be derived.
  const days = Math.ceil(Math.max(0, at - from) / dayMs);
  const known = countUntil(times, at);
  const sales = days === 0 ? 0 : known - countUntil(times, from);
  const allSales = days === 0 ? 0 : countUntil(allTimes, at) - countUntil(allTimes, from);
  const group = groups[kind][condition][howSold(sales, times[known - 1], at)];
  return { sales, allSales, days, known, group };
}

type HowSold = Support | 'never' | 'long ago';

function howSold(sales: number, latest: number | undefined, at: number): HowSold {
  if (latest === undefined) return 'never';
  return latest < at - longMs ? 'long ago' : supportOf(sales);
}

/** Precomputed, because learning needs them for every item. */
const groups = {
  set: { sealed: groupsOf('set sealed'), used: groupsOf('set used') },
  minifig: { sealed: groupsOf('minifig sealed'), used: groupsOf('minifig used') },
};

function groupsOf(all: string): Readonly<Record<HowSold, RateGroup>> {
  const of = (how: HowSold, near = how) => ({
    name: `${all} ${how}`,
    nearest: `${all} ${near}`,
    all,
  });
  return {
    never: of('never', '0'),
    'long ago': of('long ago', '0'),
    '0': of('0'),
    '1-2': of('1-2'),
    '3-9': of('3-9'),
    '10+': of('10+'),
  };
}

/** Number of sorted instants up to `at`. */
export function countUntil(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without a learned prior of the group or its fallbacks, the prior is a public average. */
export function rateOf(item: SellingItem, at: number, rates: RateTable | undefined): SalesRate {
  const seen = salesSeen(item, at, rates?.since[item.kind] ?? null);
  const { sales, allSales, days, group } = seen;
  const priors = rates?.priors ?? {};
  const learned = priors[group.name] ?? priors[group.nearest] ?? priors[group.all];
  const prior = learned ?? usualPrior(item, at);
  const shares = channelShares(item.channels, rates?.shares?.[item.kind]);
  return {
    sales: allSales,
    ...(sales < allSales && { countedSales: sales }),
    days,
    priorSales: prior.sales,
    priorDays: prior.days,
    ...(rates?.season && days > 0 && { seasonIndex: meanSeason(rates.season, at, days) }),
    ...(shares && { shares }),
    ...(rates?.supply && { supplyMonths: rates.supply[item.kind][item.condition] }),
  };
}

function meanSeason(season: Season, at: number, days: number): number {
  return rounded(seasonalDays(season, at - days * dayMs, at) / days);
}

/** Undefined if no channel is known; sales in unknown channels are distributed like the others. */
export function channelShares(
  counts: ChannelCounts,
  usual: ChannelShares = {},
): ChannelShares | undefined {
  const weights = channels.map(
    (channel) =>
      [channel, (counts.get(channel) ?? 0) + shareSales * (usual[channel] ?? 0)] as const,
  );
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return undefined;
  return Object.fromEntries(
    weights.flatMap(([channel, weight]) =>
      weight > 0 ? [[channel, rounded(weight / total)]] : [],
    ),
  );
}

function rounded(ratio: number): number {
  return Math.round(ratio * 1_000) / 1_000;
}

function usualPrior(item: SellingItem, at: number): RatePrior {
  const salesPerDay = usualRates(item, at)[item.condition];
  return { sales: usualSales, days: Math.round(usualSales / salesPerDay) };
}
