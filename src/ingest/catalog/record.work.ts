/**
 * Converts records of other catalogs to feed records, and validates them by the rules of the feed.
 */

import type { MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import { shortText } from '../../kernel/text.ts';
import { readMinifigFacts, readSetFacts } from '../feed/feed-catalog.ts';
import type { TableRow } from '../readers/table.work.ts';
import { Fields, FieldWarnings, RowError, readOr } from '../runner/fields.ts';
import { type LocatedRow, type Location, readLocated } from '../runner/located-row.ts';
import { looseNumber, looseWhole } from '../runner/loose.ts';

export type FeedRecord = Readonly<Record<string, unknown>>;

export interface RecordOptions<Facts> {
  readonly source: string;
  readonly now: number;
  /** Fields that keep their previous value. */
  readonly keeps?: readonly (keyof Facts)[];
}

/**
 * Makes a feed record of a row; fields read with `optional` are left out with a warning if invalid.
 */
type MakeRecord = (optional: FieldWarnings['optional']) => FeedRecord;

export function setRow(
  location: Location,
  options: RecordOptions<SetDescription>,
  make: MakeRecord,
): LocatedRow {
  return readLocated(location, () => {
    const { named, warnings } = readNamed(make, options, 'set_number', readSetFacts);
    return { row: { kind: 'set', ...named }, warnings };
  });
}

export function minifigRow(
  location: Location,
  options: RecordOptions<MinifigFacts>,
  make: MakeRecord,
): LocatedRow {
  return readLocated(location, () => {
    const { named, warnings } = readNamed(make, options, 'minifig_number', readMinifigFacts);
    return { row: { kind: 'minifig', ...named }, warnings };
  });
}

/** Validates a record; messages start with its number. */
function readNamed<Facts>(
  make: MakeRecord,
  { source, now, keeps }: RecordOptions<Facts>,
  numberField: string,
  read: (fields: Fields) => Facts,
) {
  const warnings = new FieldWarnings();
  const record = make(warnings.optional);
  const about = (problem: string) => `'${shortText(String(record[numberField]))}': ${problem}`;
  const facts = readOr(
    () => read(new Fields(record, now, warnings)),
    (reason) => {
      throw new RowError(about(reason));
    },
  );
  const named = { source, ...(keeps && { keeps }), facts };
  return { named, warnings: warnings.reasons.map(about) };
}

export function requiredCell(row: TableRow, column: string): string {
  const text = row.text(column);
  if (text === null) throw new RowError(`'${column}' is missing`);
  return text;
}

/** Null if empty. */
export function wholeOf(text: string | null, name: string): number | null {
  if (text === null) return null;
  const value = looseWhole(text);
  if (value === null) throw new RowError(`'${name}' must be a whole number, not '${text}'`);
  return value;
}

/** Null if empty or 0. */
export function measureOf(text: string | null, name: string): number | null {
  if (text === null) return null;
  const value = looseNumber(text);
  if (value === null) throw new RowError(`'${name}' must be a number, not '${text}'`);
  return value === 0 ? null : value;
}

/** Removes the space that some numbers have before their variant: `850508 -1`. */
export function tidyNumber(number: string): string {
  return number.replace(/\s+-/, '-');
}

/** Escapes spaces, like browsers do. */
export function addressOf(text: string | null): string | null {
  return text === null ? null : text.replace(/\s/g, '%20');
}

/** Null is unknown. */
export interface MetricBox {
  readonly widthCm: number | null;
  readonly heightCm: number | null;
  readonly depthCm: number | null;
  readonly weightKg: number | null;
}

const cmPerInch = 2.54;
const kgPerPound = 0.453_592_37;

/** Inches and pounds with two decimals; null if nothing is known. */
export function boxOf({ widthCm, heightCm, depthCm, weightKg }: MetricBox): FeedRecord | null {
  const box = {
    width_in: converted(widthCm, cmPerInch),
    height_in: converted(heightCm, cmPerInch),
    depth_in: converted(depthCm, cmPerInch),
    weight_lbs: converted(weightKg, kgPerPound),
  };
  return Object.values(box).some((measure) => measure !== null) ? box : null;
}

/** At least 0.01, so that a gram is not rounded to 0. */
function converted(value: number | null, unit: number): number | null {
  return value === null ? null : Math.max(0.01, Math.round((value / unit) * 100) / 100);
}
