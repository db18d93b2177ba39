/**
 * Deals as a store keeps them: offers that may be a deal for somebody, and when one was a deal at
 * the usual terms. What they say in detail is JSON, written and read by whoever knows about buying.
 */
import { dayMs } from '../kernel/time.ts';
import type { Retailer } from './source-rows.ts';

/** Names an offer that may be a deal. */
export interface DealName {
  readonly setKey: string;
  readonly retailer: Retailer;
}

/** An offer that may be a deal. */
export interface DealRow extends DealName {
  readonly body: string;
}

/** Why an offer is no deal at the usual terms. */
export type NoDealReason = 'no_offer' | 'not_seen' | 'no_value' | 'too_dear';

/** What publishing found out about a set at a retailer. */
export interface PublishedDeal {
  readonly retailer: Retailer;
  /** What is asked; null when there is no offer. */
  readonly priceCents: number | null;
  /** All that a list of deals needs; null: it is a deal for nobody. */
  readonly body: string | null;
  /**
   * Says what is to be expected of it at the usual terms, which is asked when it begins; or why it
   * is no deal at them.
   */
  readonly usual: { predict(): string } | { readonly reason: NoDealReason };
}

/** Why a deal was over. */
export const dealEndings = ['no_offer', 'not_seen', 'no_value', 'price_up', 'value_down'] as const;
export type DealEnding = (typeof dealEndings)[number];

/** A deal at the usual terms, from its beginning to its end. Never rewritten. */
export interface LoggedDeal extends DealName {
  /** Grows with every deal that begins. */
  readonly id: number;
  readonly openedAt: number;
  readonly priceCents: number;
  /** What was to be expected of it then, as JSON. */
  readonly prediction: string;
  /** Null, like its reason, as long as it lasts. */
  readonly closedAt: number | null;
  readonly closedWhy: DealEnding | null;
}

/** For so long after a deal began, sales are held against what was expected of it. */
export const gradedMs = 180 * dayMs;

/** What must be known of a deal to hold sales against it. */
export type GradedDeal = Pick<LoggedDeal, 'openedAt' | 'prediction'>;

/** Why a deal is over now; null when it is not. Undefined: the retailer never had the set. */
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

/** A deal that began or ended with a publication. */
export interface DealChange extends DealName, Pick<LoggedDeal, 'priceCents'> {
  readonly change: { readonly prediction: string } | { readonly ending: DealEnding };
}

/** What is told of a deal when it begins: fields of the JSON that says what is expected of it. */
export interface DealHeadline {
  readonly maxBuyCents: number;
  readonly channel: string;
  readonly medianNetCents: number;
  readonly profitCents: number;
  readonly roiPercent: number;
  readonly waitDays: number | null;
  readonly warnings: readonly string[];
}
