/** The shapes in which Brickset describes sets: API objects, flattened objects and exports. */

import { asObject, type JsonObject, textOf } from '../../kernel/json.ts';
import type { Table, TableRow } from '../readers/table.work.ts';
import { RowError } from '../runner/fields.ts';
import type { BricksetSet } from './brickset-record.work.ts';

/** The path or column of each field; `|` separates alternatives in order of preference. */
type FieldNames = Readonly<Partial<Record<keyof BricksetSet, string>>>;

const sharedFields: FieldNames = {
  theme: 'theme',
  subtheme: 'subtheme',
  year: 'year',
  pieces: 'pieces',
  minifigs: 'minifigs',
};

const objectFields: FieldNames = {
  ...sharedFields,
  name: 'name',
  imageUrl: 'image.imageURL',
  priceUsd: 'LEGOCom.US.retailPrice',
  ean: 'barcode.EAN|barcodes.EAN',
  upc: 'barcode.UPC|barcodes.UPC',
  launch: 'launchDate',
  exit: 'exitDate',
  firstInShop: 'LEGOCom.US.dateFirstAvailable',
  lastInShop: 'LEGOCom.US.dateLastAvailable',
  width: 'dimensions.width',
  height: 'dimensions.height',
  depth: 'dimensions.depth',
  weight: 'dimensions.weight',
  category: 'category',
  packaging: 'packagingType',
  availability: 'availability',
};

const tableFields: FieldNames = {
  ...sharedFields,
  ean: 'ean',
  upc: 'upc',
  width: 'width',
  height: 'height',
  depth: 'depth',
  weight: 'weight',
};

const flatFields: FieldNames = {
  ...tableFields,
  name: 'name',
  imageUrl: 'imageurl',
  priceUsd: 'us_retailprice',
  launch: 'launchdate',
  exit: 'exitdate',
  firstInShop: 'us_datefirstavailable',
  lastInShop: 'us_datelastavailable',
  category: 'category',
  packaging: 'packagingtype',
  availability: 'availability',
};

const exportFields: FieldNames = {
  ...tableFields,
  name: 'set name|setname',
  priceUsd: 'rrp (usd)|usprice',
  launch: 'launch date',
  exit: 'exit date',
};

const fullFields: FieldNames = {
  ...tableFields,
  name: 'setname',
  year: 'yearfrom',
  minifigNumbers: 'minifignumbers',
  priceUsd: 'usretailprice',
  launch: 'launchdate',
  exit: 'exitdate',
  firstInShop: 'usdateadded',
  lastInShop: 'usdateremoved',
  category: 'category',
  packaging: 'packagingtype',
  availability: 'availability',
};

/** A set object of the API. */
export function readObject(value: unknown): BricksetSet {
  const object = asObject(value);
  if (!object) throw new RowError('the record is not a set object');
  const cell = (path: string) => textOf(valueAt(object, path));
  return describe(withVariant(cell('number'), cell('numberVariant')), objectFields, cell);
}

function valueAt(object: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => asObject(value)?.[name], object);
}

/** A set object flattened to a table row, in which `NA` is null. */
export function readFlatRow(row: TableRow): BricksetSet {
  const cell = (name: string) => {
    const text = row.text(name);
    return text === 'NA' ? null : text;
  };
  return describe(withVariant(cell('number'), cell('numbervariant')), flatFields, cell);
}

/** A row of a collection export, current or old; numbers have their variant. */
export function readExportRow(row: TableRow): BricksetSet {
  return describe(numberOf(row), exportFields, (name) => row.text(name));
}

/** A row of the full list, whose numbers are completed with `FullNumbers`. */
export function readFullRow(row: TableRow, number: string): BricksetSet {
  const set = describe(number, fullFields, (name) => row.text(name));
  const image = row.text('imagefilename');
  if (image === null) return set;
  return {
    ...set,
    imageUrl: `https://images.brickset.com/sets/images/${encodeURIComponent(image)}.jpg`,
  };
}

function describe(
  number: string,
  names: FieldNames,
  cell: (name: string) => string | null,
): BricksetSet {
  const fields = Object.entries(names).map(([field, alternatives]) => {
    return [
      field,
      alternatives
        .split('|')
        .map(cell)
        .find((text) => text !== null) ?? null,
    ];
  });
  return { number, ...Object.fromEntries(fields) };
}

function numberOf(row: TableRow): string {
  const number = row.text('number');
  if (number === null) throw new RowError("'Number' is missing");
  return number;
}

function withVariant(number: string | null, variant: string | null): string {
  if (number === null) throw new RowError("'number' is missing");
  return variant === null ? number : `${number}-${variant}`;
}

/** The message of an API error; null for sets. */
export function errorOf(value: unknown): string | null {
  const object = asObject(value);
  if (object?.status !== 'error') return null;
  return textOf(object.message) ?? 'an error';
}

/** A full list is held in memory, to see which numbers repeat. */
export const fullRowsMax = 200_000;

/**
 * Finds the variants of the numbers in a full list. Without a `Variant` column, the picture is
 * usually named after the set, but may also be that of another set, or shared by several.
 */
export class FullNumbers {
  private readonly bare = new Map<string, number>();
  private readonly whole = new Map<string, number>();
  private readonly hasVariant: boolean;

  constructor(table: Table) {
    this.hasVariant = table.has('variant');
  }

  /** Call this for all rows before `find`. */
  add(row: TableRow): void {
    const number = row.text('number');
    if (number === null) return;
    count(this.bare, number);
    const whole = this.likely(row, number);
    if (whole !== null) count(this.whole, whole);
  }

  /** The number with its variant; throws a `RowError` if it is ambiguous. */
  find(row: TableRow): string {
    const number = numberOf(row);
    const whole = this.likely(row, number);
    if (whole !== null && this.whole.get(whole) === 1) return whole;
    if (whole === null && this.bare.get(number) === 1) return `${number}-1`;
    const what = whole ?? number;
    throw new RowError(
      `several rows have number '${what}', and neither 'Variant' nor 'ImageFilename' ` +
        'tells them apart',
    );
  }

  private likely(row: TableRow, number: string): string | null {
    const variant = row.text('variant');
    if (this.hasVariant && variant !== null) return `${number}-${variant}`;
    const image = row.text('imagefilename');
    const match = /^0*(.+)-\d+$/.exec(image ?? '');
    // Spreadsheets strip leading zeros from numbers, not from file names.
    return match?.[1] === number.replace(/^0+/, '') ? image : null;
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
