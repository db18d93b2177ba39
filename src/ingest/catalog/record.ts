/** Records of other catalogs, brought into the feed's form and read by the feed's rules. */

import type { MinifigFacts, SetDescription } from '../../domain/catalog/catalog.ts';
import { shortText } from '../../domain/kernel/text.ts';
import { readMinifigFacts, readSetFacts } from '../feed/feed-catalog.ts';
import { Fields, FieldWarnings, RowError } from '../fields.ts';
import { type LocatedRow, type Location, readLocated } from '../located-row.ts';
import { looseNumber, looseWhole } from '../loose.ts';
import type { TableRow } from '../readers/table.ts';

/** A record with the names of the feed's fields. */
export type FeedRecord = Readonly<Record<string, unknown>>;

/** Who describes an item, and when it is read. */
export interface RecordOptions<Facts> {
  readonly source: string;
  readonly now: number;
  /** What is left as the source said it before. */
  readonly keeps?: readonly (keyof Facts)[];
}

/** Makes the feed's record of a row; fields that it can do without are read with `optional`. */
type MakeRecord = (optional: FieldWarnings['optional']) => FeedRecord;

/** A set, or the reason why it is none; `make` brings the row into the feed's form. */
export function setRow(
  location: Location,
  options: RecordOptions<SetDescription>,
  make: MakeRecord,
): LocatedRow {
  return readLocated(location, () => {
    const { facts, warnings } = readNamed(make, options, {
      name: 'set_number',
      read: readSetFacts,
    });
    const { source, keeps } = options;
    return { row: { kind: 'set', source, ...(keeps && { keeps }), facts }, warnings };
  });
}

/** A minifig, or the reason why it is none. */
export function minifigRow(
  location: Location,
  options: RecordOptions<MinifigFacts>,
  make: MakeRecord,
): LocatedRow {
  return readLocated(location, () => {
    const { facts, warnings } = readNamed(make, options, {
      name: 'minifig_number',
      read: readMinifigFacts,
    });
    const { source, keeps } = options;
    return { row: { kind: 'minifig', source, ...(keeps && { keeps }), facts }, warnings };
  });
}

/** Reads a record; what is wrong with it is said with its number. */
function readNamed<Facts>(
  make: MakeRecord,
  { now }: { readonly now: number },
  item: { readonly name: string; read(fields: Fields): Facts },
): { readonly facts: Facts; readonly warnings: readonly string[] } {
  const warnings = new FieldWarnings();
  const record = make(warnings.optional);
  const named = (problem: string) => `'${shortText(String(record[item.name]))}': ${problem}`;
  try {
    const facts = item.read(new Fields(record, now, warnings));
    return { facts, warnings: warnings.reasons.map(named) };
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    throw new RowError(named(error.message));
  }
}

/** What stands in a column that must not be empty. */
export function needed(row: TableRow, column: string): string {
  const text = row.text(column);
  if (text === null) throw new RowError(`'${column}' is missing`);
  return text;
}

/** A whole number as a table has it; null for nothing. What is none is rejected by name. */
export function wholeOf(text: string | null, name: string): number | null {
  if (text === null) return null;
  const value = looseWhole(text);
  if (value === null) throw new RowError(`'${name}' must be a whole number, not '${text}'`);
  return value;
}

/** A measure as a table has it; null for nothing, and for 0, which no box measures. */
export function measureOf(text: string | null, name: string): number | null {
  if (text === null) return null;
  const value = looseNumber(text);
  if (value === null) throw new RowError(`'${name}' must be a number, not '${text}'`);
  return value === 0 ? null : value;
}

/** A number without the space that some have before their variant: `850508 -1`. */
export function tidyNumber(number: string): string {
  return number.replace(/\s+-/, '-');
}

/** An address, as browsers mend it: some have spaces in them. */
export function addressOf(text: string | null): string | null {
  return text === null ? null : text.replace(/\s/g, '%20');
}

/** A size and weight in metric units; null is unknown. */
export interface MetricBox {
  readonly widthCm: number | null;
  readonly heightCm: number | null;
  readonly depthCm: number | null;
  readonly weightKg: number | null;
}

const cmPerInch = 2.54;
const kgPerPound = 0.453_592_37;

/** The feed's box: inches and pounds to two places; null when nothing is known. */
export function boxOf({ widthCm, heightCm, depthCm, weightKg }: MetricBox): FeedRecord | null {
  const box = {
    width_in: converted(widthCm, cmPerInch),
    height_in: converted(heightCm, cmPerInch),
    depth_in: converted(depthCm, cmPerInch),
    weight_lbs: converted(weightKg, kgPerPound),
  };
  return Object.values(box).some((measure) => measure !== null) ? box : null;
}

/** To two places, but never to nothing: a gram is a hundredth of a pound. */
function converted(value: number | null, unit: number): number | null {
  return value === null ? null : Math.max(0.01, Math.round((value / unit) * 100) / 100);
}
