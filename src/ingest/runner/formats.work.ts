/** The adapters of all import formats. */

import { bricklinkCatalog } from '../catalog/bricklink.work.ts';
import { bricklinkInventories } from '../catalog/bricklink-inventories.work.ts';
import { brickset } from '../catalog/brickset.work.ts';
import { rebrickable } from '../catalog/rebrickable.work.ts';
import { feed } from '../feed/feed.work.ts';
import { bricklinkPrices } from '../market/bricklink-prices.work.ts';
import { ebaySales } from '../market/ebay-sales.work.ts';
import { ecb } from '../market/ecb.work.ts';
import { keepa } from '../market/keepa.work.ts';
import { offersCsv } from '../market/offers-csv.work.ts';
import { collection } from '../own-files/format.work.ts';
import type { Format } from './format.work.ts';
import type { FormatName } from './import-formats.ts';

export const formats = {
  feed,
  rebrickable,
  brickset,
  'bricklink-catalog': bricklinkCatalog,
  'bricklink-inventories': bricklinkInventories,
  'bricklink-prices': bricklinkPrices,
  keepa,
  'ebay-sales': ebaySales,
  'offers-csv': offersCsv,
  ecb,
  collection,
  sales: collection,
} satisfies Readonly<Record<FormatName, Format>>;

/** For help. */
export const formatSummaries: Readonly<Record<FormatName, string>> = {
  feed: "Brickmark's own feed: catalog, sales, offers, rates, collections",
  rebrickable: "Rebrickable's dump of sets and minifigs",
  brickset: "Brickset's set objects and exports",
  'bricklink-catalog': "BrickLink's catalog downloads",
  'bricklink-inventories': 'Minifigs of a set, as BrickLink lists them',
  'bricklink-prices': 'BrickLink price guide JSON',
  keepa: 'Keepa product JSON',
  'ebay-sales': "Sold items of eBay's Marketplace Insights",
  'offers-csv': 'Price list of any shop, with --mapping',
  ecb: 'Exchange rates of the European Central Bank',
  collection: 'Collection from another service, with --account',
  sales: 'Marketplace orders, with --account',
};
