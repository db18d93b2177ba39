/**
 * The columns of bulk files that are tables (CSV and Parquet), from the schemas of their documents.
 * A field of an inner record has the name of the record before its own. Lists are only in JSON.
 */
import type { TSchema } from 'typebox';
import type { JsonObject } from '../../domain/kernel/json.ts';
import { snakeKey } from '../../domain/kernel/snake-key.ts';
import type { BulkType } from '../../domain/market/bulk.ts';
import { conditions } from '../../domain/market/source-rows.ts';
import { oneOf, text } from '../fields.ts';
import { HistoryPoint } from '../history.ts';
import { MinifigRecord } from '../minifig.ts';
import { RetailRow } from '../retail.ts';
import type { Schema } from '../schema.ts';
import { SetRecord } from '../set.ts';

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

/** Months have a row for each month and condition, the others one for each document. */
export const bulkTables: Readonly<Record<BulkType, BulkTable>> = {
  sets: tableOf(SetRecord),
  minifigs: tableOf(MinifigRecord),
  months: monthsTable(),
  // Files are the same for everyone, and what a caller paid is not.
  retail: tableOf(RetailRow, ['paid']),
};

function tableOf(record: TSchema, without: readonly string[] = []): BulkTable {
  const fields = fieldsOf(record).filter(({ path }) => !without.includes(path.join('.')));
  return {
    columns: fields.map(toColumn),
    rowsOf: (document) => [fields.map(({ path }) => cellAt(document, path))],
  };
}

function monthsTable(): BulkTable {
  const setNumber = text('The set number.');
  const condition = oneOf(conditions, 'Condition of the values.');
  const fields = fieldsOf(HistoryPoint);
  return {
    columns: [
      ...fieldsOf(setNumber, ['set_number']),
      ...fieldsOf(condition, ['condition']),
      ...fields,
    ].map(toColumn),
    rowsOf: (document) => {
      const number = cellAt(document, ['set_number']);
      return conditions.flatMap((name) => {
        const points = document[name] as readonly JsonObject[];
        return points.map((point): BulkRow => {
          return [number, name, ...fields.map(({ path }) => cellAt(point, path))];
        });
      });
    },
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
