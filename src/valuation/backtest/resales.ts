/** Units that are bought for the most that may be paid, and sold again at what was really paid. */

import { costOf, netNeeded } from '../../domain/buying/max-buy.ts';
import {
  netOfUnit,
  quoteOf,
  type Resale,
  resaleOf,
  usualTerms,
} from '../../domain/buying/resale.ts';
import { builtInFees } from '../../domain/fees/fee-table.ts';
import { builtInPostage } from '../../domain/fees/postage.ts';
import type { BacktestItem, BacktestSale } from '../../domain/market/backtest-market.ts';
import type { SetValuation } from '../../domain/market/estimator.ts';
import type { Channel, Condition, StoredSale } from '../../domain/market/source-rows.ts';

/** The ways to sell whose prices can be learned, and where their sales are. */
export const resaleChannels = [
  { channel: 'ebay', soldIn: 'fixed' },
  { channel: 'bricklink', soldIn: 'bricklink' },
  { channel: 'amazon', soldIn: 'amazon' },
] as const satisfies readonly { channel: string; soldIn: Channel }[];
export type ResaleChannel = (typeof resaleChannels)[number]['channel'];

/** A unit that was sold again. */
export interface SoldUnit {
  readonly channel: ResaleChannel;
  /** What was known of it when it was bought. */
  readonly resale: Resale;
  readonly boughtAt: number;
  /** What the buyer paid, delivered. */
  readonly priceCents: number;
}

const tables = { fees: builtInFees, postage: builtInPostage };

/** What is known of selling an item; null when it has no value that sales support. */
export function knownResale(
  { facts }: BacktestItem,
  { evidence }: Pick<SetValuation, 'evidence'>,
  condition: Condition,
): Resale | null {
  if (evidence.tier === 'modeled') return null;
  const box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: facts.weightLbs };
  const resale = resaleOf(evidence, condition, {
    parcel: { box, pieces: facts.pieces },
    fbaSellers: null,
    amazonAskCents: null,
  });
  // What was never sold in a condition is put to the test, too, with the tier of the item.
  return resale && { ...resale, tier: evidence.tier };
}

/** Whether enough is left of a sale, had the most been paid; null when nothing may be paid. */
export function clears({ channel, resale, ...unit }: SoldUnit, share: number): boolean | null {
  const terms = { ...usualTerms, share };
  const at = unit.boughtAt;
  const paidCents = quoteOf(tables, resale, { channel, terms, at })?.maxBuyCents ?? null;
  const net = netOfUnit(tables, resale, { channel, priceCents: unit.priceCents, at });
  if (paidCents === null || net === null) return null;
  return net.netCents >= netNeeded(costOf(paidCents, terms.costs), terms.marginBasisPoints);
}

/** An ordinary sale that stands. */
export function isResale({ sale, isOrdinary }: BacktestSale, condition: Condition): boolean {
  return isOrdinary && sale.condition === condition && sale.retractedAt === null;
}

/** What the buyer paid for one unit, in cents of dollars. */
export function paidCents({ priceCents, shippingCents, usdPerUnit }: StoredSale): number {
  return Math.round((priceCents + shippingCents) * usdPerUnit);
}
