/** Watched items with published data: prices, values and max buy prices. */

import type { BuyTerms } from '../../buying/boxes/quotes.ts';
import type { BestOffer } from '../../buying/deals/best-offer.ts';
import { findResaleItems, type ResaleItem } from '../../buying/prices/resale-item.work.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import { whatToPay } from '../../buying/prices/what-to-pay.ts';
import { findEachItem } from '../../catalog/items/find-each-item.ts';
import type { PageRange } from '../../kernel/page.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import { usualCondition } from '../../market/source-rows/source-rows.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import {
  compareRanks,
  type TargetDistance,
  targetDistance,
  type WatchOrder,
  type WatchRank,
} from './target-distance.ts';
import type { WatchedItem } from './watch-list.ts';

export interface WatchedRow {
  readonly item: WatchedItem;
  /** The current canonical number. */
  readonly number: string;
  /** Null: not published. */
  readonly title: string | null;
  /** Null for minifigs. */
  readonly theme: string | null;
  /** The cheapest offer; null: none. */
  readonly offer: BestOffer | null;
  /** Of a sealed set, or a used minifig. */
  readonly valueCents: number | null;
  readonly tier: DataTier | null;
  readonly maxBuyCents: number | null;
  readonly distance: TargetDistance | null;
}

export interface WatchedSource {
  readonly market: Pick<MarketReading, 'findNames' | 'findResaleRecords'>;
  /** The cheapest offers of sets; sets without an offer are omitted. */
  readonly findOffers: (setKeys: readonly string[]) => Promise<ReadonlyMap<string, BestOffer>>;
  readonly tables: FeeTables;
}

export interface WatchedQuestion extends PageRange {
  readonly order: WatchOrder;
  readonly terms: BuyTerms;
  readonly at: number;
}

/** One page of a list. */
export async function readWatched(
  source: WatchedSource,
  items: readonly WatchedItem[],
  question: WatchedQuestion,
): Promise<WatchedRow[]> {
  const { order, offset, limit } = question;
  const ranks = await rankItems(source, items, order);
  const sorted = ranks.sort((a, b) => compareRanks(order, a.rank, b.rank));
  const shown = sorted.slice(offset, offset + limit).map(({ item }) => item);
  const found = await findEachItem(shown, (kind, keys) =>
    findResaleItems(source.market, kind, keys),
  );
  return shown.map((item) => toRow(source.tables, item, found(item), question));
}

/** Reads only what the sort order depends on. */
async function rankItems(
  { market, findOffers }: WatchedSource,
  items: readonly WatchedItem[],
  order: WatchOrder,
): Promise<{ readonly item: WatchedItem; readonly rank: WatchRank }[]> {
  // Retailers have no minifigs.
  const aimed = items.filter(({ kind, targetCents }) => kind === 'set' && targetCents !== null);
  const offers = order === 'distance' ? await findOffers(aimed.map(({ key }) => key)) : null;
  const names =
    order === 'name'
      ? await findEachItem(items, (kind, keys) => market.findNames(kind, keys))
      : () => null;
  return items.map((item) => {
    const price = item.kind === 'set' ? (offers?.get(item.key)?.priceCents ?? null) : null;
    const distance = targetDistance(price, item.targetCents);
    const name = (names(item)?.name ?? item.number).toLowerCase();
    return { item, rank: { id: item.id, distance, name } };
  });
}

function toRow(
  tables: FeeTables,
  item: WatchedItem,
  found: ResaleItem | null,
  { terms, at }: WatchedQuestion,
): WatchedRow {
  const resale = found?.resale[usualCondition(item.kind)] ?? null;
  const question = { terms, at, channel: null, withModeled: false };
  const offer = found?.offer ?? null;
  return {
    item,
    number: found?.number ?? item.number,
    title: found?.title ?? null,
    theme: found?.theme ?? null,
    offer,
    tier: resale?.tier ?? null,
    valueCents: resale?.price.valueCents ?? null,
    maxBuyCents: whatToPay(tables, resale, question).maxBuyCents,
    distance: targetDistance(offer?.priceCents ?? null, item.targetCents),
  };
}
