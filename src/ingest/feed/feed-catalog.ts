/** The catalog lines of the feed: sets and minifigs. */
import { eanProblem, upcProblem } from '../../catalog/barcodes/barcode.ts';
import type { Box, MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import { itemClasses } from '../../catalog/items/item-class.ts';
import { canonicalSetNumber } from '../../catalog/items/numbers.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import { type Fields, RowError } from '../runner/fields.ts';

/** The source name of feed records. */
export const feedSource = 'feed';

const years = { min: 1900, max: 2100 };
const boxFields = ['width_in', 'height_in', 'depth_in', 'weight_lbs'] as const;
const inchesMax = 200;
const poundsMax = 500;

export const feedSet = {
  fields: [
    'set_number',
    'title',
    'theme',
    'subtheme',
    'pieces',
    'year',
    'minifigs',
    'minifigs_count',
    'upc',
    'ean',
    'msrp_usd',
    'release_date',
    'retire_date',
    'image_url',
    'box',
  ],
  read: (fields: Fields): MarketRow => ({
    kind: 'set',
    source: feedSource,
    facts: readSetFacts(fields),
  }),
};

export const feedMinifig = {
  fields: ['minifig_number', 'name', 'category', 'color', 'year_released', 'image_url', 'aliases'],
  read: (fields: Fields): MarketRow => ({
    kind: 'minifig',
    source: feedSource,
    facts: readMinifigFacts(fields),
  }),
};

/** Reads a set from a record with the feed's fields, of any source. */
export function readSetFacts(fields: Fields): SetDescription {
  return {
    ...readSetDescription(fields),
    title: fields.requiredPublicText('title'),
    theme: fields.requiredPublicText('theme'),
  };
}

/** Reads a record of a source that has no titles and only adds to known sets. */
export function readSetDescription(fields: Fields): SetDescription {
  return {
    number: canonicalSetNumber(fields.number('set_number')),
    title: null,
    theme: null,
    subtheme: fields.optional(() => fields.publicText('subtheme')),
    pieces: fields.optional(() => fields.whole('pieces', { min: 0 })),
    year: fields.optional(() => fields.whole('year', years)),
    minifigs: fields.optional(() => fields.numbers('minifigs')),
    minifigsCount: fields.optional(() => fields.whole('minifigs_count', { min: 0 })),
    upc: fields.optional(() => barcode(fields, 'upc', upcProblem)),
    ean: fields.optional(() => barcode(fields, 'ean', eanProblem)),
    msrpCents: fields.optional(() => fields.cents('msrp_usd')) || null,
    releaseDate: fields.optional(() => fields.day('release_date')),
    retireDate: fields.optional(() => fields.day('retire_date')),
    imageUrl: fields.optional(() => fields.url('image_url')),
    box: readBox(fields.optional(() => fields.nested('box', boxFields))),
    // Not part of the feed; adapters derive these from their sources.
    itemClass: fields.choice('item_class', itemClasses),
    isOnSale: fields.flag('is_on_sale') || null,
  };
}

export function readMinifigFacts(fields: Fields): MinifigFacts {
  return {
    number: fields.number('minifig_number'),
    name: fields.requiredPublicText('name'),
    category: fields.optional(() => fields.publicText('category')),
    color: fields.optional(() => fields.publicText('color')),
    yearReleased: fields.optional(() => fields.whole('year_released', years)),
    imageUrl: fields.optional(() => fields.url('image_url')),
    aliases: fields.optional(() => fields.numbers('aliases')) ?? [],
  };
}

function barcode(
  fields: Fields,
  name: string,
  problemOf: (code: string) => string | null,
): string | null {
  const code = fields.text(name);
  const reason = code === null ? null : problemOf(code);
  if (reason !== null) throw new RowError(reason);
  return code;
}

function readBox(box: Fields | null): Box | null {
  if (box === null) return null;
  return {
    widthIn: box.optional(() => box.positive('width_in', inchesMax)),
    heightIn: box.optional(() => box.positive('height_in', inchesMax)),
    depthIn: box.optional(() => box.positive('depth_in', inchesMax)),
    weightLbs: box.optional(() => box.positive('weight_lbs', poundsMax)),
  };
}
