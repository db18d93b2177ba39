/** Brickset's set objects: the answers of its API, as JSON or flattened to a table. */

import { asObject, textOf } from '../../domain/kernel/json.ts';
import { RowError } from '../fields.ts';
import type { TableRow } from '../readers/table.ts';
import type { BricksetSet } from './brickset-record.ts';

/** A set object of the API. */
export function readObject(value: unknown): BricksetSet {
  const object = asObject(value);
  if (!object) throw new RowError('the record is not a set object');
  const dimensions = asObject(object.dimensions);
  // Clients disagree about the name.
  const barcode = asObject(object.barcode) ?? asObject(object.barcodes);
  const shop = asObject(asObject(object.LEGOCom)?.US);
  return {
    number: numberOf(textOf(object.number), textOf(object.numberVariant)),
    name: textOf(object.name),
    theme: textOf(object.theme),
    subtheme: textOf(object.subtheme),
    year: textOf(object.year),
    pieces: textOf(object.pieces),
    minifigs: textOf(object.minifigs),
    imageUrl: textOf(asObject(object.image)?.imageURL),
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
    category: textOf(object.category),
    packaging: textOf(object.packagingType),
    availability: textOf(object.availability),
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
    category: cell('category'),
    packaging: cell('packagingtype'),
    availability: cell('availability'),
  };
}

/** What Brickset answered instead of sets; null when it did answer. */
export function errorOf(value: unknown): string | null {
  const object = asObject(value);
  if (object?.status !== 'error') return null;
  return textOf(object.message) ?? 'an error';
}

function numberOf(number: string | null, variant: string | null): string {
  if (number === null) throw new RowError("'number' is missing");
  return variant === null ? number : `${number}-${variant}`;
}
