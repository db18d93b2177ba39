/**
 * What stands behind a value: counts, windows, channels, versions, and what was left out and why.
 * Never a source row: no price, seller, source or id of a single sale.
 */
import type { Channel, Condition } from './source-rows.ts';

/** How well sales support a value, best first. */
export const dataTiers = ['high', 'medium', 'low', 'modeled'] as const;
export type DataTier = (typeof dataTiers)[number];

/** What became of a sale on its way into a value. */
export const rowOutcomes = ['accepted', 'down_weighted', 'quarantined', 'rejected'] as const;
export type RowOutcomeName = (typeof rowOutcomes)[number];

/** How many sales of a condition came to an outcome for a reason; null: an ordinary sale. */
export interface OutcomeCount {
  readonly condition: Condition;
  readonly outcome: RowOutcomeName;
  readonly reason: string | null;
  readonly count: number;
}

/** Sales in so many days, and as many more in as many days as items like it are a reason for. */
export interface SalesRate {
  readonly sales: number;
  readonly days: number;
  readonly priorSales: number;
  readonly priorDays: number;
}

/** By how much prices in channels are above those at a fixed price (logarithm). */
export type ChannelOffsets = Readonly<Partial<Record<Channel, number>>>;

/** The value of one condition and what supports it. Money in cents, spreads in logarithms. */
export interface ConditionEvidence {
  readonly valueCents: number;
  readonly lowCents: number;
  readonly highCents: number;
  /** How uncertain the value itself is, and how far single sales scatter around it. */
  readonly valueSpread: number;
  readonly saleSpread: number;
  /** What shares of past errors were above, in spreads of both; see `domain/buying/price.ts`. */
  readonly soldAbove?: readonly number[];
  /** How often it sells: its own sales, and what was learned from items like it. */
  readonly rate?: SalesRate;
  /** Accepted sales, ever and within so many days. */
  readonly sales: {
    readonly ever: number;
    readonly days30: number;
    readonly days90: number;
    readonly days180: number;
    readonly days365: number;
  };
  /** The months of the first and the latest accepted sale, YYYY-MM. */
  readonly firstSale: string | null;
  readonly latestSale: string | null;
}

/** The evidence behind an item's value. */
export interface Evidence {
  readonly engine: string;
  /** The parameters in force. */
  readonly parameters: string;
  readonly inputHash: number;
  /** The moment that the value speaks of, and up to when rows had come in. */
  readonly at: number;
  readonly learnedUntil: number;
  readonly tier: DataTier;
  readonly sealed: ConditionEvidence | null;
  readonly used: ConditionEvidence | null;
  /** What the value would be without any sale; null when nothing is known. */
  readonly modeled: { readonly valueCents: number; readonly spread: number } | null;
  readonly outcomes: readonly OutcomeCount[];
  /** Accepted sales per channel, and by how much its prices are above those at a fixed price. */
  readonly channels: readonly {
    readonly channel: Channel | 'unknown';
    readonly sales: number;
    readonly offset: number;
  }[];
  /** By how much prices in channels are above those at a fixed price, where it was learned. */
  readonly offsets?: ChannelOffsets;
  /** Weeks before the first sale in which a retailer's own price counted. */
  readonly retailWeeks: number;
  /** Months (YYYY-MM) in which the value was made to move faster, and why. */
  readonly moves: readonly { readonly month: string; readonly why: 'drift' | 'level' }[];
}

/** How well sales support the value of a condition, which may rest on the other one's alone. */
export function tierIn(evidence: Evidence, condition: Condition): DataTier {
  return evidence[condition]?.sales.ever ? evidence.tier : 'modeled';
}

/** A hash of inputs as people write it. */
export function hashText(hash: number): string {
  return hash.toString(16).padStart(13, '0');
}
