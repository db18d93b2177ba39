/** The import formats: when each is imported, and which data it provides. */

/** The import order of files that arrive together: later steps refer to data of earlier ones. */
export const importSteps = ['rates', 'catalog', 'contents', 'market', 'holdings', 'sold'] as const;
export type ImportStep = (typeof importSteps)[number];

/** The kinds of data that a source or file provides, in the order of the status page. */
export const dataKinds = ['Exchange rates', 'Catalog', 'Sales', 'Retail prices', 'Feeds'] as const;
export type DataKind = (typeof dataKinds)[number];

export interface ImportFormat {
  readonly step: ImportStep;
  /** Null: an account's own data. */
  readonly data: DataKind | null;
  /** Whether a mapping file has to say what its columns mean. */
  readonly needsMapping?: boolean;
}

/** By their command-line names. */
export const importFormats = {
  // A feed's step depends on its first line; this is that of sales and offers.
  feed: { step: 'market', data: 'Feeds' },
  rebrickable: { step: 'catalog', data: 'Catalog' },
  brickset: { step: 'catalog', data: 'Catalog' },
  'bricklink-catalog': { step: 'catalog', data: 'Catalog' },
  // Inventories only add to known sets.
  'bricklink-inventories': { step: 'contents', data: 'Catalog' },
  'bricklink-prices': { step: 'market', data: 'Sales' },
  keepa: { step: 'market', data: 'Retail prices' },
  'ebay-sales': { step: 'market', data: 'Sales' },
  'offers-csv': { step: 'market', data: 'Retail prices', needsMapping: true },
  ecb: { step: 'rates', data: 'Exchange rates' },
  collection: { step: 'holdings', data: null },
  sales: { step: 'sold', data: null },
} as const satisfies Readonly<Record<string, ImportFormat>>;

export type FormatName = keyof typeof importFormats;

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(importFormats, name);
}

/** Null: an account's own data. */
export function dataOfFormat(name: string): DataKind | null {
  return isFormatName(name) ? importFormats[name].data : 'Feeds';
}
