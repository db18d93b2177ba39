/** Asking prices of lots by a rule, and how long they take to sell at them. */

import type { BuyTerms } from '../../buying/boxes/quotes.ts';
import { bestSale } from '../../buying/deals/deal.ts';
import {
  type AskingRule,
  channelOfLink,
  raisedCents,
  ruledCents,
} from '../../buying/prices/asking-price.ts';
import { netNeeded } from '../../buying/prices/max-buy.ts';
import { gradedResale, type Resale } from '../../buying/prices/resale.ts';
import { findResaleItems } from '../../buying/prices/resale-item.work.ts';
import {
  type FeeTables,
  type SellingChannel,
  UnitSeller,
} from '../../buying/prices/selling-channels.ts';
import { waitDaysFor } from '../../buying/prices/your-wait.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { InventoryRow } from '../lots/inventory.ts';

/** Why a rule has no price for a lot. */
export type AskingGap = 'no value' | 'no cost' | 'no margin';

export interface RuledPrice {
  readonly askingCents: number;
  /** The price before it was raised to keep the margin; null if it was not raised. */
  readonly raisedFromCents: number | null;
}

export interface AskingLot extends InventoryRow {
  /** By the rule; null without one, or if it has no price. */
  readonly price: RuledPrice | null;
  /** Why the rule has no price. */
  readonly gap: AskingGap | null;
  /** That of the listing, or else the best one; null without a value. */
  readonly channel: SellingChannel | null;
  /** Half sell within this time at the price by the rule, or else the present one. */
  readonly waitDays: number | null;
}

export interface AskingQuestion {
  /** Null to leave prices as they are. */
  readonly rule: AskingRule | null;
  readonly terms: BuyTerms;
  readonly tables: FeeTables;
  readonly at: number;
}

export async function findAskingLots(
  market: Pick<MarketReading, 'findResaleRecords'>,
  rows: readonly InventoryRow[],
  question: AskingQuestion,
): Promise<AskingLot[]> {
  const { rule, tables, at } = question;
  const lots = rows.map(({ lot }) => lot);
  const itemOf = await findEachItem(lots, (kind, keys) => findResaleItems(market, kind, keys));
  return rows.map((row): AskingLot => {
    const { lot, unitCents, share } = row;
    const found = itemOf(lot)?.resale[lot.condition] ?? null;
    const resale = found && gradedResale(found, share);
    const best = resale && bestSale(tables, resale, question);
    const channel = channelOfLink(lot.listingUrl) ?? best?.channel ?? null;
    if (resale === null || unitCents === null || channel === null) {
      const gap = rule && 'no value';
      return { ...row, price: null, gap, channel: null, waitDays: null };
    }
    const valued = { costCents: lot.priceCents, valueCents: unitCents, resale, channel };
    const { price = null, gap = null } = rule ? priceBy(rule, valued, question) : {};
    const priceCents = price?.askingCents ?? lot.askingCents;
    const asking = priceCents === null ? {} : { priceCents };
    const waitDays = waitDaysFor(resale, { channel, at, ...asking });
    return { ...row, price, gap, channel, waitDays };
  });
}

interface ValuedLot {
  readonly costCents: number;
  readonly valueCents: number;
  readonly resale: Resale;
  readonly channel: SellingChannel;
}

function priceBy(
  rule: AskingRule,
  lot: ValuedLot,
  question: AskingQuestion,
): { readonly price?: RuledPrice; readonly gap?: AskingGap } {
  const baseCents = rule.base === 'cost' ? lot.costCents : lot.valueCents;
  if (baseCents === 0) return { gap: 'no cost' };
  const fromCents = ruledCents(baseCents, rule);
  if (!rule.keepsMargin) return { price: { askingCents: fromCents, raisedFromCents: null } };
  const askingCents = raisedCents(fromCents, rule.rounding, shortOf(lot, question));
  if (askingCents === null) return { gap: 'no margin' };
  const raisedFromCents = askingCents === fromCents ? null : fromCents;
  return { price: { askingCents, raisedFromCents } };
}

/** The amount by which the net proceeds at a price fall short of the cost and its margin. */
function shortOf(
  { costCents, resale, channel }: ValuedLot,
  { terms, tables, at }: AskingQuestion,
): (priceCents: number) => number {
  const seller = new UnitSeller(tables, { parcel: resale.parcel, at, postageCents: null });
  const waitDays = waitDaysFor(resale, { channel, at });
  const needed = netNeeded(costCents, terms.marginBasisPoints);
  return (priceCents) => {
    const sum = seller.net({ channel, priceCents, waitDays });
    if (sum === null) throw new Error('The channel is one for which the box is known.');
    return needed - sum.netCents;
  };
}
