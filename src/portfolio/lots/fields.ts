/**
 * Fields of lots and sales. Each has one row in a table (`lot-fields.ts`, `sale-fields.ts`) that
 * names its kind; forms, pages, files and filters have code for kinds, not for fields.
 */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Grade } from '../../market/grades/grades.ts';

/** The values of kinds that are not text. Money is in cents. */
interface OtherValues {
  readonly count: number;
  readonly money: number;
  readonly flag: boolean;
  readonly grade: Grade;
  readonly itemKind: ItemKind;
}

export type FieldKind =
  | keyof OtherValues
  | 'text'
  /** Text that may have several lines. */
  | 'lines'
  /** As YYYY-MM-DD; never in the future. */
  | 'day'
  /** One of the choices of the row. */
  | 'choice'
  | 'url'
  /** The number of an item, in the field of its kind: `set_number` or `minifig_number`. */
  | 'number'
  /** Separated by commas, as in `gift, rare`. */
  | 'tags'
  /** Where the units are, from the outside in, as in `Shelf A › Bin 3`. */
  | 'place'
  /** Fields that the account named, as a JSON object sorted by name. */
  | 'own';

/** The maximum units of a lot or a sale. */
export const quantityMax = 100_000;

export type FieldValue = string | number | boolean | null;

export interface FieldRow {
  readonly field: string;
  /** Its name in the feed and in files. */
  readonly wire: string;
  /** Its name for readers. */
  readonly name: string;
  readonly kind: FieldKind;
  /** The value if it is left out. Without one, it is required. */
  readonly default?: FieldValue;
  readonly choices?: readonly string[];
  /** In characters. */
  readonly lengthMax?: number;
}

type ValueOf<Row extends FieldRow> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row['kind'] extends keyof OtherValues
    ? OtherValues[Row['kind']]
    : string;

/** The facts of a lot or a sale: the values of all rows of a table. */
export type FactsOf<Row extends FieldRow> = {
  readonly [Each in Row as Each['field']]:
    | ValueOf<Each>
    | (Each extends { readonly default: null } ? null : never);
};

export function factsOf<Row extends FieldRow>(
  rows: readonly Row[],
  toValue: (row: Row) => FieldValue,
): FactsOf<Row> {
  const facts: Record<string, FieldValue> = {};
  for (const row of rows) facts[row.field] = toValue(row);
  return facts as FactsOf<Row>;
}

/** The rows named first, in that order, and then the others. */
export function rowsFirst<Row extends FieldRow>(rows: readonly Row[], first: readonly string[]) {
  const rank = ({ field }: Row) => first.indexOf(field) + 1 || first.length + 1;
  return rows.toSorted((a, b) => rank(a) - rank(b));
}

type Names = Readonly<Record<string, string>>;
type NameIn<Given extends Names, Row extends FieldRow> = Row extends { readonly field: keyof Given }
  ? Given[Row['field']]
  : Row['wire'] extends `${infer Name}_usd`
    ? Name
    : Row['wire'];

/** The name of a row in addresses: that in files without `_usd`, unless another one is given. */
export function nameIn<Given extends Names, Row extends FieldRow>(names: Given, row: Row) {
  return (names[row.field] ?? row.wire.replace(/_usd$/, '')) as NameIn<Given, Row>;
}

/** A value for each row, by its name in addresses. */
export function byName<Given extends Names, Row extends FieldRow, Value>(
  names: Given,
  rows: readonly Row[],
  toValue: (row: Row) => Value,
): Readonly<Record<NameIn<Given, Row>, Value>> {
  const values = rows.map((row) => [nameIn(names, row), toValue(row)]);
  return Object.fromEntries(values) as Record<NameIn<Given, Row>, Value>;
}
