/** Brickset's set objects: the answers of its API, as JSON or flattened to a table. */
import { RowFault } from '../fields.ts';
import type { TableRow } from '../readers/table.ts';
import type { BricksetSet } from './brickset-record.ts';

/** A set object of the API. */
export function readObject(value: unknown): BricksetSet {
  const object = objectOf(value);
  if (!object) throw new RowFault('the record is not a set object');
  const dimensions = objectOf(object.dimensions);
  // Clients disagree about the name.
  const barcode = objectOf(object.barcode) ?? objectOf(object.barcodes);
  const shop = objectOf(objectOf(object.LEGOCom)?.US);
  return {
    number: numberOf(textOf(object.number), textOf(object.numberVariant)),
    name: textOf(object.name),
    theme: textOf(object.theme),
    subtheme: textOf(object.subtheme),
    year: textOf(object.year),
    pieces: textOf(object.pieces),
    minifigs: textOf(object.minifigs),
    minifigNumbers: null,
    imageUrl: textOf(objectOf(object.image)?.imageURL),
    priceUsd: textOf(shop?.retailPrice),
    ean: textOf(barcode?.EAN),
    upc: textOf(barcode?.UPC),
    launch: textOf(object.launchDate),
    exit: textOf(object.exitDate),
    firstInShop: textOf(shop?.dateFirstAvailable),
    lastInShop: textOf(shop?.dateLastAvailable),
    width: textOf(dimensions?.width),
    height: textOf(dimensions?.height),
    depth: textOf(dimensions?.depth),
    weight: textOf(dimensions?.weight),
  };
}

/** A set object as a row: what is inside it has columns of its own, and `NA` is nothing. */
export function readFlatRow(row: TableRow): BricksetSet {
  const cell = (name: string) => {
    const text = row.text(name);
    return text === 'NA' ? null : text;
  };
  return {
    number: numberOf(cell('number'), cell('numbervariant')),
    name: cell('name'),
    theme: cell('theme'),
    subtheme: cell('subtheme'),
    year: cell('year'),
    pieces: cell('pieces'),
    minifigs: cell('minifigs'),
    minifigNumbers: null,
    imageUrl: cell('imageurl'),
    priceUsd: cell('us_retailprice'),
    ean: cell('ean'),
    upc: cell('upc'),
    launch: cell('launchdate'),
    exit: cell('exitdate'),
    firstInShop: cell('us_datefirstavailable'),
    lastInShop: cell('us_datelastavailable'),
    width: cell('width'),
    height: cell('height'),
    depth: cell('depth'),
    weight: cell('weight'),
  };
}

/** What Brickset answered instead of sets; null when it did answer. */
export function refusalOf(value: unknown): string | null {
  const object = objectOf(value);
  if (object?.status !== 'error') return null;
  return textOf(object.message) ?? 'an error';
}

function numberOf(number: string | null, variant: string | null): string {
  if (number === null) throw new RowFault("'number' is missing");
  return variant === null ? number : `${number}-${variant}`;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}

/** Numbers and texts alike; whatever else stands there is left to no rule. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}
