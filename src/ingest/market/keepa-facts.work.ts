/** Catalog facts of a Keepa product: barcodes, MSRP, release date, image and box. */
import { eanProblem, upcProblem } from '../../catalog/barcodes/barcode.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { parseDay } from '../../kernel/time.ts';
import { boxOf, type FeedRecord } from '../catalog/record.work.ts';
import { readSetDescription } from '../feed/feed-catalog.ts';
import { Fields, FieldWarnings } from '../runner/fields.ts';
import type { GoodRow } from '../runner/located-row.ts';
import { readSeries } from './keepa-series.ts';

const keepaSource = 'keepa';

/** Larger measures are data errors. */
const millimetresMax = 5000;
const gramsMax = 200_000;

/** Adds to a known set; null if there are no facts. Invalid ones are left out with a warning. */
export function descriptionRow(number: string, product: JsonObject, now: number): GoodRow | null {
  const record = keepaRecord(product);
  if (record === null) return null;
  const warnings = new FieldWarnings();
  const facts = readSetDescription(new Fields({ ...record, set_number: number }, now, warnings));
  return { row: { kind: 'set', source: keepaSource, facts }, warnings: warnings.reasons };
}

/** A feed record; null if there are no facts. Titles are left out, because they are Amazon's. */
export function keepaRecord(product: JsonObject): FeedRecord | null {
  const eans = codes(product.eanList).filter((code) => eanProblem(code) === null);
  const msrpCents = readSeries(product.csv, 4, 'price')?.values.at(-1) || null;
  const record: FeedRecord = {
    upc: codes(product.upcList).find((code) => upcProblem(code) === null) ?? null,
    // An EAN with a leading 0 is the UPC again.
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

/** A number such as 20261115; a month or a year alone is not a date. */
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

/** Amazon's length is the longest side; a box is widest, then high, then deep. */
function readBox(product: JsonObject): FeedRecord | null {
  return boxOf({
    widthCm: measured(product.packageLength, { perUnit: 10, max: millimetresMax }),
    heightCm: measured(product.packageWidth, { perUnit: 10, max: millimetresMax }),
    depthCm: measured(product.packageHeight, { perUnit: 10, max: millimetresMax }),
    weightKg: measured(product.packageWeight, { perUnit: 1000, max: gramsMax }),
  });
}

/** Keepa writes 0 or -1 for unknown values. */
function measured(
  value: unknown,
  { perUnit, max }: { readonly perUnit: number; readonly max: number },
): number | null {
  const isKnown = typeof value === 'number' && value > 0 && value <= max;
  return isKnown ? value / perUnit : null;
}
