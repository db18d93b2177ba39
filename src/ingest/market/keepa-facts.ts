/** What a Keepa product says about its set besides offers, in the units of the catalog. */
import { eanProblem, upcProblem } from '../../domain/catalog/barcode.ts';
import type { JsonObject } from '../../domain/kernel/json.ts';
import { parseDay } from '../../domain/kernel/time.ts';
import { boxOf, type FeedRecord } from '../catalog/record.ts';
import { readSetDescription } from '../feed/feed-catalog.ts';
import { Fields, FieldWarnings } from '../fields.ts';
import type { GoodRow } from '../located-row.ts';
import { readSeries } from './keepa-series.ts';

/** The name under which Keepa's records are kept. */
const keepaSource = 'keepa';

/** Parcels of sets are smaller and lighter; what is not was typed wrong. */
const millimetresMax = 5000;
const gramsMax = 200_000;

/**
 * The row that adds what Keepa knows to a set that others name; null when it knows nothing. What
 * the feed would refuse is left out with a warning.
 */
export function descriptionRow(number: string, product: JsonObject, now: number): GoodRow | null {
  const record = keepaRecord(product);
  if (record === null) return null;
  const warnings = new FieldWarnings();
  const facts = readSetDescription(new Fields({ ...record, set_number: number }, now, warnings));
  return { row: { kind: 'set', source: keepaSource, facts }, warnings: warnings.reasons };
}

/**
 * What Keepa knows of a set, by the names of the feed; null when that is nothing. It names neither
 * title nor theme: those are Amazon's own words.
 */
export function keepaRecord(product: JsonObject): FeedRecord | null {
  const eans = codes(product.eanList).filter((code) => eanProblem(code) === null);
  const msrpCents = readSeries(product.csv, 4, 'price')?.values.at(-1) || null;
  const record: FeedRecord = {
    upc: codes(product.upcList).find((code) => upcProblem(code) === null) ?? null,
    // A UPC with a 0 before it is an EAN too, but says nothing new.
    ean: eans.find((code) => !code.startsWith('0')) ?? null,
    msrp_usd: msrpCents && msrpCents / 100,
    release_date: readDay(product.releaseDate),
    image_url: readImage(product),
    box: readBox(product),
  };
  return Object.values(record).some((fact) => fact !== null) ? record : null;
}

function codes(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((code) => typeof code === 'string') : [];
}

/** A day as the number YYYYMMDD. A month or a year alone is no day. */
function readDay(value: unknown): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value));
  const day = match ? `${match[1]}-${match[2]}-${match[3]}` : '';
  return parseDay(day) === null ? null : day;
}

function readImage({ images, imagesCSV }: JsonObject): string | null {
  const image: JsonObject = (Array.isArray(images) ? images[0] : null) ?? {};
  const name = image.l ?? image.m ?? String(imagesCSV ?? '').split(',')[0];
  const isName = typeof name === 'string' && /^[\w+%.-]+\.(jpg|jpeg|png|gif)$/i.test(name);
  return isName ? `https://m.media-amazon.com/images/I/${name}` : null;
}

/** Amazon calls the longest side the length; a box on a shelf is widest, then high, then deep. */
function readBox(product: JsonObject): FeedRecord | null {
  return boxOf({
    widthCm: measured(product.packageLength, { perUnit: 10, max: millimetresMax }),
    heightCm: measured(product.packageWidth, { perUnit: 10, max: millimetresMax }),
    depthCm: measured(product.packageHeight, { perUnit: 10, max: millimetresMax }),
    weightKg: measured(product.packageWeight, { perUnit: 1000, max: gramsMax }),
  });
}

/** Keepa writes 0 or -1 for what it does not know. */
function measured(
  value: unknown,
  { perUnit, max }: { readonly perUnit: number; readonly max: number },
): number | null {
  const isKnown = typeof value === 'number' && value > 0 && value <= max;
  return isKnown ? value / perUnit : null;
}
