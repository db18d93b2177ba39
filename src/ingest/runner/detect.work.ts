/** Detects the format of a file from its beginning. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { brickStoreStart } from '../own-files/brickstore.work.ts';
import { readBeginning } from '../readers/peek.work.ts';
import { listFiles, openSource } from '../readers/source-file.work.ts';
import { findTable, type Table } from '../readers/table.work.ts';
import { type FormatName, type ImportStep, importFormats } from './import-formats.ts';

/** Enough for a header, or the first field names of a JSON file. */
const beginningBytes = 64 * 1024;

interface Signature {
  readonly format: FormatName;
  /** Only in the drop folder of an account. */
  readonly isPrivate?: boolean;
  /** All of these columns. */
  readonly columns: readonly string[];
  /** All of these patterns. */
  readonly text: readonly RegExp[];
}

const tables = (format: FormatName, ...lists: readonly string[]): Signature[] =>
  lists.map((list) => ({ format, columns: list.split(', '), text: [] }));

const texts = (format: FormatName, ...lists: readonly (readonly RegExp[])[]): Signature[] =>
  lists.map((text) => ({ format, columns: [], text }));

/** Imported as a catalog, or as a collection in the folder of an account. */
const bricksetExports = ['number, theme, set name, rrp (usd)', 'setid, number, yearfrom, setname'];

const isObject = /^\s*\{/;

/** The first match wins. */
const signatures: readonly Signature[] = [
  ...tables(
    'rebrickable',
    'set_num, name, year, theme_id',
    'fig_num, name, num_parts',
    'id, name, parent_id',
    'id, version, set_num',
    'inventory_id, fig_num, quantity',
    'inventory_id, set_num, quantity',
  ),
  ...tables('collection', ...bricksetExports).map((s) => ({ ...s, isPrivate: true })),
  ...tables(
    'collection',
    'kind, source_id, set_number, brickfolio',
    'number, paid, condition',
    'number, name, owned, retail',
    'set number, quantity, includes spares',
  ),
  ...tables(
    'brickset',
    ...bricksetExports,
    'number, numbervariant, name, theme',
    'number, setname, usprice',
  ),
  ...tables('bricklink-catalog', 'category id, category name, number, name'),
  ...tables('bricklink-catalog', 'item_number, description, category'),
  ...tables('bricklink-inventories', 'type, item no, item name, qty, extra?, counterpart?'),
  ...tables('sales', 'order id, item type, item number', 'sales record number, item title'),
  ...tables(
    'sales',
    'settlement-id, amount-type, amount-description',
    'settlement id, order id, sku',
  ),
  ...tables('sales', 'kind, source_id, set_number, platform'),
  ...texts(
    'sales',
    [/^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<ORDERS\b/i],
    [/"(brickowl_fee|iso_order_time|base_order_total|order_item_id)"\s*:/],
    [/"order_id"\s*:/, /"order_(time|date)"\s*:/],
    [/"date_ordered"\s*:/, /"(buyer|seller)_name"\s*:/],
    [/"inventory_id"\s*:/, /"unit_price_final"\s*:/],
    [/^\s*\{\s*"format"\s*:\s*"brickmark sales"/],
  ),
  ...texts('collection', [/^\s*\{\s*"format"\s*:\s*"brickmark collection"/], [brickStoreStart]),
  ...tables('ecb', 'date, usd, jpy'),
  ...texts('ecb', [/<gesmes:Envelope\b/, /\/eurofxref\b/]),
  ...texts('feed', [isObject, /^[^\n]*"kind"\s*:\s*"/]),
  ...texts('bricklink-inventories', [/"match_no"\s*:/, /"entries"\s*:/]),
  ...texts('bricklink-prices', [/"price_detail"\s*:/], [/"guide_type"|"qty_avg_price"/]),
  ...texts('keepa', [/"products"\s*:\s*\[/], [/"asin"\s*:/, /"(csv|domainId)"\s*:/]),
  ...texts('ebay-sales', [/"itemSales"\s*:\s*\[/], [/"lastSoldPrice"\s*:/]),
  ...texts('brickset', [/"(setID|numberVariant)"\s*:/]),
];

export interface Detected {
  readonly format: FormatName;
  /** The mapping file next to a price list. */
  readonly mapping: string | null;
  readonly step: ImportStep;
}

const stepsOfLines: Readonly<Record<string, ImportStep>> = {
  fx: 'rates',
  set: 'catalog',
  minifig: 'catalog',
  brickfolio: 'holdings',
  holding: 'holdings',
  ledger_sale: 'sold',
};

function stepOf(format: FormatName, beginning: string): ImportStep {
  const { step } = importFormats[format];
  if (format !== 'feed') return step;
  const kind = /"kind"\s*:\s*"(\w+)"/.exec(beginning)?.[1] ?? '';
  return stepsOfLines[kind] ?? step;
}

export async function detectFormat(
  path: string,
  folder: { readonly isPrivate: boolean },
): Promise<Detected | null> {
  const mapping = mappingOf(path);
  if (existsSync(mapping)) return { format: 'offers-csv', mapping, step: 'market' };
  for (const file of listFiles(path)) {
    const beginning = await beginningOf(file);
    const header = await headerOf(beginning);
    const signature = signatures.find(
      (some) => (folder.isPrivate || !some.isPrivate) && fits(some, beginning, header),
    );
    if (signature) {
      const { format } = signature;
      return { format, mapping: null, step: stepOf(format, beginning) };
    }
  }
  return null;
}

function fits({ columns, text }: Signature, beginning: string, header: Table | null): boolean {
  const hasColumns = columns.every((column) => header?.has(column));
  return hasColumns && text.every((pattern) => pattern.test(beginning));
}

/** The first characters of a file, or of the first file in an archive. */
async function beginningOf(path: string): Promise<string> {
  for await (const part of openSource(path, { stdin: Readable.from([]), onBytes: () => {} })) {
    return await readBeginning(part.stream, beginningBytes);
  }
  return '';
}

/** Null if the first line cannot be a header. */
async function headerOf(beginning: string): Promise<Table | null> {
  const [line = ''] = beginning.trimStart().split('\n', 1);
  if (/^[{[<]/.test(line)) return null;
  const stream = Readable.from([Buffer.from(`${line}\n`)]);
  return findTable({ name: '', stream }).catch(() => null);
}

/** The mapping of `prices.csv` is `prices.mapping.json`. */
export function mappingOf(path: string): string {
  const name = path.slice(dirname(path).length + 1).replace(/\.(csv|tsv|txt)(\.gz)?$|\.zip$/i, '');
  return join(dirname(path), `${name}.mapping.json`);
}
