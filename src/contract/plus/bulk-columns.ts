/**
 * The columns of bulk files that are tables (CSV and Parquet), from the schemas of their documents.
 * A field of an inner record has the name of the record before its own. Lists are only in JSON.
 */
import type { TSchema } from 'typebox';
import type { JsonObject } from '../../kernel/json.ts';
import { snakeKey } from '../../kernel/snake-key.ts';
import type { BulkFileType } from '../../market/published/bulk.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { exactly, oneOf } from '../fields.ts';
import { HistoryPoint } from '../history.ts';
import { MinifigRecord } from '../minifig.ts';
import { RetailRow } from '../retail.ts';
import type { Schema } from '../schema.ts';
import { SetRecord } from '../set.ts';
import { RetailerChange } from './bulk.ts';

export type CellKind = 'text' | 'integer' | 'number' | 'flag' | 'day' | 'instant';

/** As in JSON: days and instants are texts. */
export type Cell = string | number | boolean | null;

export interface BulkColumn {
  readonly name: string;
  readonly kind: CellKind;
  readonly description: string;
}

/** One cell per column. */
export type BulkRow = readonly Cell[];

export interface BulkTable {
  readonly columns: readonly BulkColumn[];
  rowsOf(document: JsonObject): BulkRow[];
}

/** A row for each month and condition, for each change, or else for each document. */
export const bulkTables: Readonly<Record<BulkFileType, BulkTable>> = {
  sets: tableOf(SetRecord),
  minifigs: tableOf(MinifigRecord),
  months: monthsTable(),
  // Files are the same for everyone, and what a caller paid is not.
  retail: tableOf(RetailRow, ['paid']),
  retail_changes: listTable(RetailerChange, ({ changes }) => changes as readonly JsonObject[]),
};

function tableOf(record: TSchema, without: readonly string[] = []): BulkTable {
  const fields = fieldsOf(record).filter(({ path }) => !without.includes(path.join('.')));
  return {
    columns: fields.map(toColumn),
    rowsOf: (document) => [fields.map(({ path }) => cellAt(document, path))],
  };
}

function monthsTable(): BulkTable {
  const SetMonth = exactly({
    condition: oneOf(conditions, 'Condition of the values.'),
    ...HistoryPoint.properties,
  });
  return listTable(SetMonth, (document) =>
    conditions.flatMap((condition) => {
      const points = document[condition] as readonly JsonObject[];
      return points.map((point) => ({ condition, ...point }));
    }),
  );
}

/** A row for each element of a list in the documents of sets, after the number of the set. */
function listTable(
  element: TSchema,
  listOf: (document: JsonObject) => readonly JsonObject[],
): BulkTable {
  const number = { path: ['set_number'], kind: 'text', description: 'The set number.' } as const;
  const fields = fieldsOf(element);
  return {
    columns: [number, ...fields].map(toColumn),
    rowsOf: (document) =>
      listOf(document).map((each) => [
        cellAt(document, number.path),
        ...fields.map(({ path }) => cellAt(each, path)),
      ]),
  };
}

interface Field {
  readonly path: readonly string[];
  readonly kind: CellKind;
  readonly description: string;
}

/** The fields that have one value, in order. */
function fieldsOf(schema: TSchema, path: readonly string[] = []): Field[] {
  const facts: Schema = schema;
  const { anyOf, properties, type, description = '' } = facts;
  if (anyOf) {
    // A value or null, or a record with another description.
    const [inner = {}] = anyOf.filter((each) => each.type !== 'null');
    return fieldsOf({ description, ...inner }, path);
  }
  if (properties) {
    return Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
  }
  return type === 'array' ? [] : [{ path, kind: kindOf(facts), description }];
}

function kindOf({ type, format }: Schema): CellKind {
  if (type === 'integer' || type === 'number') return type;
  if (type === 'boolean') return 'flag';
  if (format === 'date') return 'day';
  return format === 'date-time' ? 'instant' : 'text';
}

function toColumn({ path, kind, description }: Field): BulkColumn {
  return { name: path.map(snakeKey).join('_'), kind, description };
}

/** Null also if a record around it is null, or the field is omitted. */
function cellAt(document: JsonObject, path: readonly string[]): Cell {
  let value: unknown = document;
  for (const name of path) value = (value as JsonObject | null)?.[name];
  return (value ?? null) as Cell;
}
