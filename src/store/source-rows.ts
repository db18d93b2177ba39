/** Source rows as they are read back on every engine: the order of sales, and offers of a set. */

import { compareText } from '../domain/catalog/numbers.ts';
import type { Offer, StoredSale } from '../domain/market/source-rows.ts';

/** Puts the sales of an item in order of sale, source and source id. */
export function bySale(a: StoredSale, b: StoredSale): number {
  return (
    a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId)
  );
}

/** Puts records in order of source; those of one source stay as they are. */
export function bySource(a: { readonly source: string }, b: { readonly source: string }): number {
  return compareText(a.source, b.source);
}

/** Puts the parts of a minifig in order. */
export function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return compareText(a.key, b.key);
}

/** An offer as it lies in the store, under its set. */
export interface OfferRow {
  readonly retailer: Offer['retailer'];
  readonly observed_at: number;
  readonly price_cents: number | null;
  readonly list_price_cents: number | null;
  readonly seller_type: Offer['sellerType'];
  /** A boolean, or 0 and 1 where the engine has none. */
  readonly in_stock: boolean | number | null;
  readonly asin: string | null;
  readonly product_url: string | null;
  readonly lowest_fba_cents: number | null;
  readonly fba_sellers: number | null;
  readonly buy_box_cents: number | null;
}

/** The offer that a row holds. */
export function toOffer(row: OfferRow, setKey: string): Offer {
  return {
    retailer: row.retailer,
    setKey,
    observedAt: row.observed_at,
    priceCents: row.price_cents,
    listPriceCents: row.list_price_cents,
    sellerType: row.seller_type,
    inStock: row.in_stock === null ? null : Boolean(row.in_stock),
    asin: row.asin,
    productUrl: row.product_url,
    lowestFbaCents: row.lowest_fba_cents,
    fbaSellers: row.fba_sellers,
    buyBoxCents: row.buy_box_cents,
  };
}
