/** Units bought at the max buy price and resold at an actual price. */

import { defaultTerms, netOfUnit, quoteOf } from '../../src/buying/boxes/quotes.ts';
import { costOf, netNeeded } from '../../src/buying/prices/max-buy.ts';
import { type Resale, resaleOf } from '../../src/buying/prices/resale.ts';
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { builtInPostage } from '../../src/market/fees/postage.ts';
import type { Channel, Condition, StoredSale } from '../../src/market/source-rows/source-rows.ts';
import type { SetValuation } from '../../src/market/values/estimator.ts';
import type { BacktestItem, BacktestSale } from './worlds.ts';

/** Channels with observed prices. */
export const resaleChannels = [
  { channel: 'ebay', soldIn: 'fixed' },
  { channel: 'bricklink', soldIn: 'bricklink' },
  { channel: 'amazon', soldIn: 'amazon' },
] as const satisfies readonly { channel: string; soldIn: Channel }[];
export type ResaleChannel = (typeof resaleChannels)[number]['channel'];

export interface SoldUnit {
  readonly channel: ResaleChannel;
  /** As known when it was bought. */
  readonly resale: Resale;
  readonly boughtAt: number;
  /** Including shipping. */
  readonly priceCents: number;
  /** Days since its price began to fall, or jumped; null if it did not of late. */
  readonly movedDaysAgo: number | null;
}

const tables = { fees: builtInFees, postage: builtInPostage };

/** Null without a value that sales support. */
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
  // Conditions that were never sold are tested too, with the item's tier.
  return resale && { ...resale, tier: evidence.tier };
}

/** Whether a sale leaves the margin after buying at the max price; null if there is none. */
export function clears({ channel, resale, ...unit }: SoldUnit, share: number): boolean | null {
  const terms = { ...defaultTerms, share };
  const at = unit.boughtAt;
  const paidCents = quoteOf(tables, resale, { channel, terms, at })?.maxBuyCents ?? null;
  const net = netOfUnit(tables, resale, { channel, priceCents: unit.priceCents, at });
  if (paidCents === null || net === null) return null;
  return net.netCents >= netNeeded(costOf(paidCents, terms.costs), terms.marginBasisPoints);
}

export function isResale({ sale, isOrdinary }: BacktestSale, condition: Condition): boolean {
  return isOrdinary && sale.condition === condition && sale.retractedAt === null;
}

/** Unit price including shipping, in US cents. */
export function paidCents({ priceCents, shippingCents, usdPerUnit }: StoredSale): number {
  return Math.round((priceCents + shippingCents) * usdPerUnit);
}
