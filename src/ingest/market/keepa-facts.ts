/** What a Keepa product tells about its set besides offers, in the units of the catalog. */
import { eanFault, upcFault } from '../../domain/barcode.ts';
import type { Box, SetFacts } from '../../domain/catalog.ts';
import type { MarketRow } from '../../domain/market-store.ts';
import { parseDay } from '../../domain/time.ts';
import type { AnswerRecord } from './answers.ts';
import { readSeries } from './keepa-series.ts';

/** The name under which Keepa's records are kept. */
const keepaSource = 'keepa';

/** What Keepa knows of a set. It names neither title nor theme: those are Amazon's own words. */
export type KeepaFacts = Pick<
  SetFacts,
  'upc' | 'ean' | 'msrpCents' | 'releaseDate' | 'imageUrl' | 'box'
>;

const millimetresPerInch = 25.4;
const gramsPerPound = 453.59237;

/** Parcels of sets are smaller and lighter; what is not was typed wrong. */
const millimetresMax = 5000;
const gramsMax = 200_000;

/** The row that adds what Keepa knows to a set that others name; null when it knows nothing. */
export function descriptionRow(number: string, product: AnswerRecord): MarketRow | null {
  const facts = keepaFacts(product);
  return facts && { kind: 'set', source: keepaSource, facts: { ...unknown, number, ...facts } };
}

/** What Keepa does not tell of a set. */
const unknown = {
  ...{ title: null, theme: null, subtheme: null, pieces: null, year: null },
  ...{ minifigs: null, minifigsCount: null, retireDate: null },
};

/** The facts; null when there are none. Whatever does not make sense is left out. */
export function keepaFacts(product: AnswerRecord): KeepaFacts | null {
  const eans = codes(product.eanList).filter((code) => eanFault(code) === null);
  const facts: KeepaFacts = {
    upc: codes(product.upcList).find((code) => upcFault(code) === null) ?? null,
    // A UPC with a 0 before it is an EAN too, but says nothing new.
    ean: eans.find((code) => !code.startsWith('0')) ?? null,
    msrpCents: readSeries(product.csv, 4, 'price')?.values.at(-1) || null,
    releaseDate: readDay(product.releaseDate),
    imageUrl: readImage(product),
    box: readBox(product),
  };
  return Object.values(facts).some((fact) => fact !== null) ? facts : null;
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

function readImage({ images, imagesCSV }: AnswerRecord): string | null {
  const image: AnswerRecord = (Array.isArray(images) ? images[0] : null) ?? {};
  const name = image.l ?? image.m ?? String(imagesCSV ?? '').split(',')[0];
  const isName = typeof name === 'string' && /^[\w+%.-]+\.(jpg|jpeg|png|gif)$/i.test(name);
  return isName ? `https://m.media-amazon.com/images/I/${name}` : null;
}

/** Amazon calls the longest side the length; a box on a shelf is widest, then high, then deep. */
function readBox(product: AnswerRecord): Box | null {
  const box: Box = {
    widthIn: inUnits(product.packageLength, millimetresPerInch, millimetresMax),
    heightIn: inUnits(product.packageWidth, millimetresPerInch, millimetresMax),
    depthIn: inUnits(product.packageHeight, millimetresPerInch, millimetresMax),
    weightLbs: inUnits(product.packageWeight, gramsPerPound, gramsMax),
  };
  return Object.values(box).some((side) => side !== null) ? box : null;
}

/** Keepa writes 0 or -1 for what it does not know. */
function inUnits(value: unknown, unit: number, max: number): number | null {
  const isKnown = typeof value === 'number' && value > 0 && value <= max;
  return isKnown ? Math.round((value / unit) * 10_000) / 10_000 || null : null;
}
