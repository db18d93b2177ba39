/** Lots that are listed for longer than units like them usually take to sell. */

import { defaultTerms } from '../../buying/boxes/quotes.ts';
import { bestSale } from '../../buying/deals/deal.ts';
import type { Resale } from '../../buying/prices/resale.ts';
import { findResaleItems } from '../../buying/prices/resale-item.work.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import { waitFor } from '../../buying/prices/your-wait.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { dayOf } from '../../kernel/time.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { daysListed } from '../lots/lot-details.ts';
import type { InventoryLot } from '../lots/lots.ts';

/** Half of the units sell within the median wait, and about three of four within twice that. */
const slowWaits = 2;

export interface SlowListing {
  readonly lot: InventoryLot;
  readonly number: string;
  readonly title: string;
  readonly daysListed: number;
  /** Half of the units sell within this many days, at the asking price if there is one. */
  readonly waitDays: number;
  /** Of one unit in its condition. */
  readonly valueCents: number;
}

/** Those that are the longest overdue first. */
export async function findSlowListings(
  market: Pick<MarketReading, 'findResaleRecords'>,
  lots: readonly InventoryLot[],
  { tables, at }: { readonly tables: FeeTables; readonly at: number },
): Promise<SlowListing[]> {
  const itemOf = await findEachItem(lots, (kind, keys) => findResaleItems(market, kind, keys));
  const found = lots.flatMap((lot): SlowListing[] => {
    const item = itemOf(lot);
    const resale = item?.resale[lot.condition] ?? null;
    const days = daysListed(lot, dayOf(at));
    const waitDays = resale && waitOf(resale, lot, { tables, at });
    if (!item || resale === null || days === null || waitDays === null) return [];
    if (days <= slowWaits * waitDays) return [];
    const { number, title } = item;
    const { valueCents } = resale.price;
    return [{ lot, number, title, daysListed: days, waitDays, valueCents }];
  });
  return found.sort((a, b) => b.daysListed / b.waitDays - a.daysListed / a.waitDays);
}

/** In the best channel; null if unknown. */
function waitOf(
  resale: Resale,
  { askingCents }: Pick<InventoryLot, 'askingCents'>,
  { tables, at }: { readonly tables: FeeTables; readonly at: number },
): number | null {
  const sale = bestSale(tables, resale, { terms: defaultTerms, at });
  if (sale === null) return null;
  const asking = askingCents === null ? {} : { priceCents: askingCents };
  return waitFor(resale, { channel: sale.channel, at, ...asking })?.days ?? null;
}
