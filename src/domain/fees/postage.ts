/**
 * What sending something costs, by box and weight, as dated tables that an operator may replace. It
 * is an assumption, and pages say so: what postage really costs depends on who sends what where.
 */
import type { Box } from '../catalog/catalog.ts';
import builtInTables from './postage.json' with { type: 'json' };
import { TableError, TableFields } from './table-fields.ts';

/** What a parcel costs from a day on. */
export interface PostageTable {
  /** YYYY-MM-DD; it holds until the next table begins. */
  readonly from: string;
  readonly source: string;
  /** What a parcel is packed in: what it costs, and what it weighs in hundredths of a pound. */
  readonly packingCents: number;
  readonly packingWeight: number;
  /** A light but large parcel counts as a pound for so many cubic inches. */
  readonly cubicInchesPerPound: number;
  /** By weight in hundredths of a pound, rising. */
  readonly rates: readonly { readonly upTo: number; readonly cents: number }[];
  /** For every started pound above the last rate. */
  readonly abovePerPoundCents: number;
}

/** What sending costs, and whether the weight or size of the parcel had to be guessed. */
export interface Postage {
  readonly cents: number;
  readonly isGuessed: boolean;
}

/** The tables that come with this version, the earliest first. */
export const builtInPostage: readonly PostageTable[] = readPostageTables(builtInTables);

/** What is to be sent. */
export interface Parcel {
  readonly box: Box;
  /** Pieces of a set, where the box is not known; null for minifigs, and when unknown. */
  readonly pieces: number | null;
}

/** What sending one unit costs on a day; a parcel that is not known is guessed by its pieces. */
export function postageOf(
  tables: readonly PostageTable[],
  { box, pieces }: Parcel,
  day: string,
): Postage {
  const table = tables.findLast(({ from }) => from <= day) ?? tables[0];
  if (!table) throw new Error('There is no postage table.');
  const known = knownWeight(box, table);
  const weight = (known ?? guessedWeight(pieces)) + table.packingWeight;
  const isGuessed = known === null || volumeOf(box) === 0;
  return { cents: rateOf(table, weight) + table.packingCents, isGuessed };
}

/** Real or by volume, whichever is more, in hundredths of a pound. */
function knownWeight(box: Box, { cubicInchesPerPound }: PostageTable): number | null {
  const { weightLbs } = box;
  if (!weightLbs || weightLbs < 0) return null;
  return Math.ceil(100 * Math.max(weightLbs, volumeOf(box) / cubicInchesPerPound));
}

/** In cubic inches; 0 when the size is not known. */
function volumeOf({ widthIn, heightIn, depthIn }: Box): number {
  return (widthIn ?? 0) * (heightIn ?? 0) * (depthIn ?? 0);
}

/**
 * The boxes of 4,276 sets weigh about 0.0135 pounds times pieces to the power of 0.784. Without any
 * pieces, it is a minifig or something as light.
 */
function guessedWeight(pieces: number | null): number {
  return Math.ceil(100 * 0.0135 * Math.max(pieces ?? 0, 1) ** 0.784);
}

function rateOf({ rates, abovePerPoundCents }: PostageTable, weight: number): number {
  const rate = rates.find(({ upTo }) => weight <= upTo);
  if (rate) return rate.cents;
  const last = rates.at(-1) ?? { upTo: 0, cents: 0 };
  return last.cents + Math.ceil((weight - last.upTo) / 100) * abovePerPoundCents;
}

/** Reads tables; throws a `TableError` that names the place of what is wrong. */
export function readPostageTables(value: unknown): readonly PostageTable[] {
  const fields = new TableFields(value, 'The postage table');
  const tables = fields.list('tables', readTable);
  fields.end();
  if (tables.length === 0) throw new TableError('There is no postage table.');
  return tables.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
}

function readTable(fields: TableFields): PostageTable {
  const rates = fields.list('rates', (rate) => ({
    upTo: rate.cents('up_to_lbs'),
    cents: rate.cents('usd'),
  }));
  if (rates.some(({ upTo }, index) => index > 0 && upTo <= (rates[index - 1]?.upTo ?? 0))) {
    throw fields.error('rates', "must rise in 'up_to_lbs'");
  }
  const cubicInchesPerPound = fields.cents('cubic_inches_per_pound') / 100;
  if (cubicInchesPerPound === 0) throw fields.error('cubic_inches_per_pound', 'must be above 0');
  return {
    from: fields.day('from'),
    source: fields.text('source'),
    packingCents: fields.cents('packing_usd'),
    packingWeight: fields.cents('packing_lbs'),
    cubicInchesPerPound,
    rates,
    abovePerPoundCents: fields.cents('above_per_lb_usd'),
  };
}
