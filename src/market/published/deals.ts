/**
 * Deals as a store keeps them: offers that may be a deal for some account, and the log of deals at
 * the usual terms. Details are JSON that only `buying` writes and reads.
 */
import { dayMs } from '../../kernel/time.ts';
import type { Retailer } from '../source-rows/source-rows.ts';

/** Identifies an offer. */
export interface DealName {
  readonly setKey: string;
  readonly retailer: Retailer;
}

/** An offer that may be a deal at some account's terms. */
export interface DealRow extends DealName {
  readonly body: string;
}

/** Why an offer is not a deal at the usual terms. `low_tier`: too few sales support the value. */
export type NoDealReason = 'no_offer' | 'not_seen' | 'no_value' | 'low_tier' | 'too_dear';

/** The outcome of publishing for a set at a retailer. */
export interface PublishedDeal {
  readonly retailer: Retailer;
  /** The asking price; null if there is no offer. */
  readonly priceCents: number | null;
  /** Everything that a list of deals needs; null: not a deal at anyone's terms. */
  readonly body: string | null;
  /**
   * `predict` returns the prediction at the usual terms as JSON, called only when the deal opens;
   * otherwise, why it is not a deal at them.
   */
  readonly usual: { predict(): string } | { readonly reason: NoDealReason };
}

export const dealEndings = [
  'no_offer',
  'not_seen',
  'no_value',
  'low_tier',
  'price_up',
  'value_down',
] as const;
export type DealEnding = (typeof dealEndings)[number];

/** A deal at the usual terms. The prediction and price are from when it opened. */
export interface LoggedDeal extends DealName {
  /** Increases with every deal that opens. */
  readonly id: number;
  readonly openedAt: number;
  readonly priceCents: number;
  /** The prediction when it opened, as JSON. */
  readonly prediction: string;
  /** Null while the deal is open. */
  readonly closedAt: number | null;
  readonly closedWhy: DealEnding | null;
}

/** Sales within this time after a deal opened are compared with its prediction. */
export const gradedMs = 180 * dayMs;

export type GradedDeal = Pick<LoggedDeal, 'openedAt' | 'prediction'>;

/**
 * Why a deal has ended; null if it has not. `now` is undefined if the retailer never had the set.
 */
export function dealEnding(
  opened: Pick<LoggedDeal, 'priceCents'>,
  now: PublishedDeal | undefined,
): DealEnding | null {
  if (now === undefined) return 'no_offer';
  if ('predict' in now.usual) return null;
  const { reason } = now.usual;
  if (reason !== 'too_dear') return reason;
  return (now.priceCents ?? 0) > opened.priceCents ? 'price_up' : 'value_down';
}

/** A deal that was opened or closed by a publication. */
export interface DealChange extends DealName, Pick<LoggedDeal, 'priceCents'> {
  readonly change: { readonly prediction: string } | { readonly ending: DealEnding };
}

/** The fields of a prediction's JSON that an event reports. */
export interface DealHeadline {
  readonly maxBuyCents: number;
  readonly channel: string;
  readonly medianNetCents: number;
  readonly profitCents: number;
  readonly roiPercent: number;
  readonly waitDays: number | null;
  readonly warnings: readonly string[];
}
