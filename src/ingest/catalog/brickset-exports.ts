/** Brickset's exports: the collection, the full list, and the collection of old. */
import { RowError } from '../fields.ts';
import type { Table, TableRow } from '../readers/table.ts';
import type { BricksetSet } from './brickset-record.ts';

/** A row of the collection's export, where the number has its variant. */
export function readExportRow(row: TableRow): BricksetSet {
  const number = row.text('number');
  if (number === null) throw new RowError("'Number' is missing");
  return {
    number,
    name: row.text('set name') ?? row.text('setname'),
    theme: row.text('theme'),
    subtheme: row.text('subtheme'),
    year: row.text('year'),
    pieces: row.text('pieces'),
    minifigs: row.text('minifigs'),
    priceUsd: row.text('rrp (usd)') ?? row.text('usprice'),
    ean: row.text('ean'),
    upc: row.text('upc'),
    launch: row.text('launch date'),
    exit: row.text('exit date'),
    width: row.text('width'),
    height: row.text('height'),
    depth: row.text('depth'),
    weight: row.text('weight'),
  };
}

/** A row of the full list; its number has no variant, which the whole file reveals. */
export function readFullRow(row: TableRow, number: string): BricksetSet {
  const image = row.text('imagefilename');
  return {
    number,
    name: row.text('setname'),
    theme: row.text('theme'),
    subtheme: row.text('subtheme'),
    year: row.text('yearfrom'),
    pieces: row.text('pieces'),
    minifigs: row.text('minifigs'),
    minifigNumbers: row.text('minifignumbers'),
    imageUrl: image && `https://images.brickset.com/sets/images/${encodeURIComponent(image)}.jpg`,
    priceUsd: row.text('usretailprice'),
    ean: row.text('ean'),
    upc: row.text('upc'),
    launch: row.text('launchdate'),
    exit: row.text('exitdate'),
    firstInShop: row.text('usdateadded'),
    lastInShop: row.text('usdateremoved'),
    width: row.text('width'),
    height: row.text('height'),
    depth: row.text('depth'),
    weight: row.text('weight'),
    category: row.text('category'),
    packaging: row.text('packagingtype'),
    availability: row.text('availability'),
  };
}

/** Sets that a full list may have: their numbers are held, to see which of them repeat. */
export const fullRowsMax = 200_000;

/**
 * The numbers of a full list. Where there is no `Variant`, the picture is named after the set, as
 * a rule; pictures of other sets do occur, and so do pictures that several sets share.
 */
export class FullNumbers {
  private readonly bare = new Map<string, number>();
  private readonly whole = new Map<string, number>();
  private readonly hasVariant: boolean;

  constructor(table: Table) {
    this.hasVariant = table.has('variant');
  }

  /** Every row must be added before any number is asked for. */
  add(row: TableRow): void {
    const number = row.text('number');
    if (number === null) return;
    count(this.bare, number);
    const whole = this.likely(row, number);
    if (whole !== null) count(this.whole, whole);
  }

  /** The number with its variant. Throws a `RowError` when the rows do not reveal it. */
  find(row: TableRow): string {
    const number = row.text('number');
    if (number === null) throw new RowError("'Number' is missing");
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
    // Spreadsheets take leading zeros off numbers, not off names.
    return match?.[1] === number.replace(/^0+/, '') ? image : null;
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
