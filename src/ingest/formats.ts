/** All import formats by their command-line names. */

import { bricklinkCatalog } from './catalog/bricklink.ts';
import { bricklinkInventories } from './catalog/bricklink-inventories.ts';
import { brickset } from './catalog/brickset.ts';
import { rebrickable } from './catalog/rebrickable.ts';
import { feed } from './feed/feed.ts';
import type { Format } from './format.ts';
import { bricklinkPrices } from './market/bricklink-prices.ts';
import { ebaySales } from './market/ebay-sales.ts';
import { ecb } from './market/ecb.ts';
import { keepa } from './market/keepa.ts';
import { offersCsv } from './market/offers-csv.ts';
import { collection } from './private/format.ts';

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
} satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}
