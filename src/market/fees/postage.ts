/**
 * Estimates postage by box and weight, from dated tables that operators may replace. Actual postage
 * depends on the carrier and destination, so pages present it as an estimate.
 */
import type { Box } from '../../catalog/items/catalog.ts';
import { compareText } from '../../catalog/items/numbers.ts';
import builtInTables from './postage.json' with { type: 'json' };
import { TableError, TableFields } from './table-fields.ts';

export interface PostageTable {
  /** YYYY-MM-DD; in force until the next table. */
  readonly from: string;
  readonly source: string;
  /** The cost of packing material, and its weight in hundredths of a pound. */
  readonly packingCents: number;
  readonly packingWeight: number;
  /** The divisor for dimensional weight. */
  readonly cubicInchesPerPound: number;
  /** By weight in hundredths of a pound, increasing. */
  readonly rates: readonly { readonly upTo: number; readonly cents: number }[];
  /** For every started pound above the last rate. */
  readonly abovePerPoundCents: number;
}

/** The cost of shipping, and whether the weight or size of the parcel was estimated. */
export interface Postage {
  readonly cents: number;
  readonly isGuessed: boolean;
}

/** The tables included in this version, earliest first. */
export const builtInPostage: readonly PostageTable[] = readPostageTables(builtInTables);

export interface Parcel {
  readonly box: Box;
  /** Used to estimate the weight if it is unknown; null for minifigs, and if unknown. */
  readonly pieces: number | null;
}

/** The postage of one unit on a day; an unknown weight is estimated from the pieces. */
export function postageOf(
  tables: readonly PostageTable[],
  { box, pieces }: Parcel,
  day: string,
): Postage {
  const table = tableOn(tables, day);
  const known = knownWeight(box, table);
  const weight = (known ?? guessedWeight(pieces)) + table.packingWeight;
  const isGuessed = known === null || volumeOf(box) === 0;
  return { cents: rateOf(table, weight) + table.packingCents, isGuessed };
}

/** The cost of packing one parcel, on a day. */
export function packingCents(tables: readonly PostageTable[], day: string): number {
  return tableOn(tables, day).packingCents;
}

function tableOn(tables: readonly PostageTable[], day: string): PostageTable {
  const table = tables.findLast(({ from }) => from <= day) ?? tables[0];
  if (!table) throw new Error('There is no postage table.');
  return table;
}

/** The greater of actual and dimensional weight, in hundredths of a pound; null if unknown. */
function knownWeight(box: Box, { cubicInchesPerPound }: PostageTable): number | null {
  const { weightLbs } = box;
  if (weightLbs === null || !(weightLbs > 0)) return null;
  return Math.ceil(100 * Math.max(weightLbs, volumeOf(box) / cubicInchesPerPound));
}

/** In cubic inches; 0 if unknown. */
function volumeOf({ widthIn, heightIn, depthIn }: Box): number {
  return (widthIn ?? 0) * (heightIn ?? 0) * (depthIn ?? 0);
}

/** Pounds of a box are this times its pieces to a power: fitted to the boxes of 4,276 sets. */
export const piecesWeight = { factor: 0.0135, power: 0.784 } as const;

/** In hundredths of a pound. Items without pieces are minifigs or similarly light. */
function guessedWeight(pieces: number | null): number {
  const { factor, power } = piecesWeight;
  return Math.ceil(100 * factor * Math.max(pieces ?? 0, 1) ** power);
}

function rateOf({ rates, abovePerPoundCents }: PostageTable, weight: number): number {
  const rate = rates.find(({ upTo }) => weight <= upTo);
  if (rate) return rate.cents;
  const last = rates.at(-1) ?? { upTo: 0, cents: 0 };
  return last.cents + Math.ceil((weight - last.upTo) / 100) * abovePerPoundCents;
}

/** Throws a `TableError` that names the location of the problem. */
export function readPostageTables(value: unknown): readonly PostageTable[] {
  const fields = new TableFields(value, 'The postage table');
  const tables = fields.list('tables', readTable);
  fields.end();
  if (tables.length === 0) throw new TableError('There is no postage table.');
  return tables.sort((a, b) => compareText(a.from, b.from));
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
