/**
 * The evidence behind a value: counts, windows, channels, versions, and which sales were left out
 * and why. Contains no source rows: no price, seller, source or ID of a single sale.
 */

import type { MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import type { SourceRecord } from '../../catalog/items/merge.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Channel, Condition } from '../source-rows/source-rows.ts';
import type { Value } from '../values/estimator.ts';
import type { ItemListings } from '../values/listings.ts';
import type { ItemParts } from '../values/parts.ts';

/** How well sales support a value, best first. */
export const dataTiers = ['high', 'medium', 'low', 'modeled'] as const;
export type DataTier = (typeof dataTiers)[number];

/** How a sale was treated in a valuation. */
export const rowOutcomes = ['accepted', 'down_weighted', 'quarantined', 'rejected'] as const;
export type RowOutcomeName = (typeof rowOutcomes)[number];

/** The number of sales with an outcome; a null reason is an ordinary sale. */
export interface OutcomeCount {
  readonly condition: Condition;
  readonly outcome: RowOutcomeName;
  readonly reason: string | null;
  readonly count: number;
}

/** Observed sales over a period, and the prior from similar items in the same form. */
export interface SalesRate {
  readonly sales: number;
  /** Of each seller no more than usual: what waits are computed from. Absent: all of them. */
  readonly countedSales?: number;
  readonly days: number;
  readonly priorSales: number;
  readonly priorDays: number;
  /** How busy the period was: its sales relative to an average one. Absent: 1. */
  readonly seasonIndex?: number;
  /** Absent if no channel is known. */
  readonly shares?: ChannelShares;
  /** Of similar items. Absent if units for sale were counted for too few of them. */
  readonly supplyMonths?: SupplyMonths;
}

/** The share of each channel in sales; the sum is 1. */
export type ChannelShares = Readonly<Partial<Record<Channel, number>>>;

/** How long the units for sale last in each channel, in months: the median of similar items. */
export type SupplyMonths = Readonly<Partial<Record<Channel, number>>>;

/** Sales per day in each month of the year relative to the average, January first. */
export type Season = readonly number[];

/** The price level per channel relative to fixed-price sales (log scale). */
export type ChannelOffsets = Readonly<Partial<Record<Channel, number>>>;

/** Another price that recent sales agree on, but that is not confirmed yet. */
export interface PriceDoubt {
  /** About their price, rounded so that it reveals none of them. */
  readonly valueCents: number;
  readonly sales: number;
  /** Sellers that do not seem to act together. */
  readonly sellers: number;
  /** The day of the first of these sales, YYYY-MM-DD. */
  readonly since: string;
  /** Sales to be expected in the same time. */
  readonly expectedSales: number;
}

/** Units sold in the last 90 days. */
export interface SoldUnits {
  readonly channels: Readonly<Partial<Record<Channel | 'unknown', number>>>;
  /** Distinct ones, as far as sources name them; null if none does. */
  readonly sellers: number | null;
}

/** The value of one condition and its support. Money in cents, spreads on a log scale. */
export interface ConditionEvidence extends Value {
  /** The uncertainty of the value itself, and the scatter of single sales around it. */
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** Quantiles of past errors in units of the combined spread; see `market/values/price.ts`. */
  readonly soldAbove?: readonly number[];
  /** Null or absent: no doubt. */
  readonly doubt?: PriceDoubt | null;
  /** How often it sells: its own sales, and a prior from similar items. */
  readonly rate?: SalesRate;
  /** How fast prices in this condition rose in the last year (log scale); absent if not learned. */
  readonly growthPerYear?: number;
  /** Accepted sales, in total and in the last days. */
  readonly sales: {
    readonly ever: number;
    readonly days30: number;
    readonly days90: number;
    readonly days180: number;
    readonly days365: number;
  };
  /** Absent before `brickmark-7`. */
  readonly sold90?: SoldUnits;
  /** Effective sales for the tier: a seller's nth counts 1/n. Absent before `brickmark-6`. */
  readonly effectiveSales?: { readonly days90: number; readonly days180: number };
  /** The months of the first and the latest accepted sale, YYYY-MM. */
  readonly firstSale: string | null;
  readonly latestSale: string | null;
}

export interface Evidence {
  readonly engine: string;
  /** The version of the parameters in force. */
  readonly parameters: string;
  readonly inputHash: number;
  /** The instant of the valuation, and the instant up to which rows were received. */
  readonly at: number;
  readonly learnedUntil: number;
  readonly tier: DataTier;
  readonly sealed: ConditionEvidence | null;
  readonly used: ConditionEvidence | null;
  /** The value without any sale; null if it cannot be estimated. */
  readonly modeled: { readonly valueCents: number; readonly spread: number } | null;
  readonly outcomes: readonly OutcomeCount[];
  /** Accepted sales per channel, and its price level relative to fixed-price sales. */
  readonly channels: readonly {
    readonly channel: Channel | 'unknown';
    readonly sales: number;
    readonly offset: number;
  }[];
  /** Price levels for all channels for which they were learned. */
  readonly offsets?: ChannelOffsets;
  /** Absent until it was learned. */
  readonly season?: Season;
  /** The other number of a collectible minifig, whose sales count too. Absent: there is none. */
  readonly sharedWith?: { readonly kind: ItemKind; readonly number: string };
  /** Units for sale when it was published; absent if none were counted. */
  readonly listings?: ItemListings;
  /** Estimated revenue from the parts of a set; absent if no source shows a value. */
  readonly parts?: ItemParts;
  /** Weeks before the first sale in which a retailer's own price counted. */
  readonly retailWeeks: number;
  /** Months (YYYY-MM) in which the value was allowed to change faster, and why. */
  readonly moves: readonly { readonly month: string; readonly why: 'drift' | 'level' }[];
}

/**
 * The condition that the tier of a value belongs to: in which items of this kind are mostly sold. A
 * minifig that shares its evidence is valued as a set.
 */
export function leadCondition(kind: ItemKind, { sharedWith }: Evidence): Condition {
  return kind === 'set' || sharedWith ? 'sealed' : 'used';
}

/** With fewer sales, one could be computed from the values and spreads before and after it. */
const exactSalesMin = 3;

/** Spreads as they are published and used for prices: with two decimals if there are few sales. */
export function publicSpreads(
  { sealed, used }: Pick<Evidence, 'sealed' | 'used'>,
  { valueSpread, saleSpread }: ConditionEvidence,
): Pick<ConditionEvidence, 'valueSpread' | 'saleSpread'> {
  const sales = (sealed?.sales.ever ?? 0) + (used?.sales.ever ?? 0);
  if (sales >= exactSalesMin) return { valueSpread, saleSpread };
  // Above 0, because deviations are divided by it.
  const rounded = (spread: number) => Math.max(1, Math.round(spread * 100)) / 100;
  return { valueSpread: rounded(valueSpread), saleSpread: rounded(saleSpread) };
}

/** The hexadecimal form of an input hash. */
export function hashText(hash: number): string {
  return hash.toString(16).padStart(13, '0');
}

/** The evidence of an item, and whether rows have arrived since. */
export interface ItemEvidence {
  readonly id: number;
  /** The canonical number. */
  readonly number: string;
  /** Null, like the evidence, if the item has not been published. */
  readonly name: string | null;
  readonly evidence: Evidence | null;
  readonly isStale: boolean;
}

/** A source's description of an item, and the number that the source uses for it. */
export interface StoredRecord extends SourceRecord<SetDescription | MinifigFacts> {
  readonly number: string;
  /** When the item disappeared from the source's complete list; null if it has not. */
  readonly goneAt: number | null;
}

/** All sources' descriptions of an item, in order of source. */
export interface ItemSources {
  /** The canonical number. */
  readonly number: string;
  readonly records: readonly StoredRecord[];
}
