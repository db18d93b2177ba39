/**
 * Operations of a store, written once for both engines. An operation is a generator that yields the
 * statements it needs and is given their results: SQLite runs it without pause inside one
 * transaction, so that no other request can come between; PostgreSQL awaits each statement.
 *
 * Statements are written for PostgreSQL; `sqlite/dialect.ts` has the few rules that make them
 * SQLite's. Columns named like `isDefault` are booleans on both.
 */
import { type Column, columnOf, fieldOf, type Table } from './tables.ts';

/** A value that a statement is given. Lists are for `= ANY($1::bigint[])`. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number)[];

/** Rows given to one statement, which calls them `r`. */
export interface GivenRows {
  /** The type of each field on PostgreSQL. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly object[];
}

/** Several SELECTs by the names of their results. */
export type Lists = Readonly<Record<string, string>>;

/** What an operation asks of its engine. */
export type Step =
  | { readonly kind: 'query' | 'run'; readonly sql: string; readonly values: readonly Value[] }
  | {
      readonly kind: 'queryEach' | 'queryGroups' | 'runEach';
      readonly sql: string;
      readonly given: GivenRows;
    }
  | {
      readonly kind: 'insert';
      readonly table: Table;
      readonly given: GivenRows;
      /** What follows the values: an `ON CONFLICT`, or nothing. */
      readonly ending: string;
    }
  | { readonly kind: 'insertIds'; readonly table: Table; readonly given: GivenRows }
  | { readonly kind: 'queryLists'; readonly lists: Lists; readonly values: readonly Value[] }
  | { readonly kind: 'together'; readonly operations: readonly Operation<unknown>[] }
  | { readonly kind: 'lock'; readonly name: string };

/** What it gets: rows, results, or how many were written. */
export type StepResult = readonly unknown[] | number;

/** A piece of work in one transaction, or one whole. */
export type Operation<T> = Generator<Step, T, StepResult>;

/** Runs operations. They are passed as functions, because one that is tried again starts anew. */
export interface Engine {
  /** Without a transaction: for one statement, or several that need not see the same instant. */
  run<T>(make: () => Operation<T>): Promise<T>;
  /** In one transaction; a throw rolls everything back. */
  transaction<T>(make: () => Operation<T>): Promise<T>;
  /** On one snapshot, without writing. */
  snapshot<T>(make: () => Operation<T>): Promise<T>;
  /**
   * A long write in short transactions, so that nobody waits for it: each may write so many rows,
   * and the next one follows while there is more to do.
   */
  inSlices<T>(make: (rows: number) => Operation<T | 'more'>): Promise<T>;
}

/** The rows that a statement returns. */
export function* query<Row>(sql: string, values: readonly Value[] = []): Operation<Row[]> {
  return (yield { kind: 'query', sql, values }) as unknown as Row[];
}

/** The first row that a statement returns; null when there is none. */
export function* first<Row>(sql: string, values: readonly Value[] = []): Operation<Row | null> {
  const [row] = yield* query<Row>(sql, values);
  return row ?? null;
}

/**
 * What several SELECTs find at one instant. On PostgreSQL they are one statement, whose lists come
 * as JSON: columns are text, numbers and booleans.
 */
export function* queryLists<T extends Readonly<Record<keyof T, readonly object[]>>>(
  lists: Readonly<Record<keyof T & string, string>>,
  values: readonly Value[],
): Operation<T> {
  const [found] = (yield { kind: 'queryLists', lists, values }) as unknown as T[];
  if (!found) throw new Error('Lists are one row.');
  return found;
}

/** How many rows a statement wrote. */
export function* run(sql: string, values: readonly Value[] = []): Operation<number> {
  return (yield { kind: 'run', sql, values }) as number;
}

/** Waits until nobody else has the lock of this name, and has it until the transaction ends. */
export function* lock(name: string): Operation<void> {
  yield { kind: 'lock', name };
}

/** What a SELECT finds for each of the rows `r`, those of one row together. */
export function* queryEach<Row>(sql: string, given: GivenRows): Operation<Row[]> {
  if (given.rows.length === 0) return [];
  return (yield { kind: 'queryEach', sql, given }) as unknown as Row[];
}

/** The same, as a list for each of the rows; the order of a list is that of the SELECT. */
export function* queryGroups<Row>(sql: string, given: GivenRows): Operation<Row[][]> {
  if (given.rows.length === 0) return [];
  return (yield { kind: 'queryGroups', sql, given }) as unknown as Row[][];
}

/**
 * The results of operations that do not depend on each other: on PostgreSQL, none waits for the
 * one before it.
 */
export function* together<T extends readonly unknown[]>(
  operations: {
    readonly [Index in keyof T]: Operation<T[Index]>;
  },
): Operation<T> {
  return (yield { kind: 'together', operations }) as unknown as T;
}

/** Writes for each of the rows `r`; the statement reads them `FROM {rows}` or `USING {rows}`. */
export function* runEach(sql: string, given: GivenRows): Operation<number> {
  if (given.rows.length === 0) return 0;
  return (yield { kind: 'runEach', sql, given }) as number;
}

/** Adds rows; `fields` are the columns that they give. */
export function* insertRows<Row extends object>(
  table: Table,
  fields: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Operation<void> {
  if (rows.length === 0) return;
  yield { kind: 'insert', table, given: givenRows(table, fields, rows), ending: '' };
}

/**
 * Adds rows, or changes those that have their key already; no two of the rows have one key. Where
 * nothing differs, nothing is written; what differs in `marks` alone, such as the time of the last
 * change, does not count.
 */
export function* saveRows<Row extends object>(
  table: Table,
  fields: readonly (keyof Row & string)[],
  rows: readonly Row[],
  marks: readonly (keyof Row & string)[] = [],
): Operation<void> {
  if (rows.length === 0) return;
  const given = givenRows(table, fields, rows);
  const changed = Object.keys(given.types)
    .map(columnOf)
    .filter((name) => !table.key.includes(name));
  const compared = changed.filter((name) => !marks.map(columnOf).includes(name));
  const list = (prefix: string) => compared.map((name) => `${prefix}.${name}`).join(', ');
  const ending = `ON CONFLICT (${table.key.join(', ')}) DO UPDATE
    SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}
    WHERE (${list('t')}) IS DISTINCT FROM (${list('excluded')})`;
  yield { kind: 'insert', table, given, ending };
}

/** Adds rows whose ids the database gives; the ids, in the order of the rows. */
export function* insertIds<Row extends object>(
  table: Table,
  fields: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Operation<number[]> {
  if (rows.length === 0) return [];
  const given = givenRows(table, fields, rows);
  const added = (yield { kind: 'insertIds', table, given }) as readonly { id: number }[];
  return added.map(({ id }) => id);
}

/** Changes rows found by a key; `fields` are the columns that change. */
export function* updateRows<Row extends object>(
  table: Table,
  fields: readonly (keyof Row & string)[],
  rows: readonly Row[],
  key: readonly string[] = table.key.map(fieldOf),
): Operation<void> {
  const set = fields.map((field) => `${columnOf(field)} = r."${field}"`);
  const where = key.map((field) => `t.${columnOf(field)} = r."${field}"`);
  const sql = `UPDATE ${table.target} AS t SET ${set.join(', ')} FROM {rows}
    WHERE ${where.join(' AND ')}`;
  yield* runEach(sql, givenRows(table, [...key, ...fields], rows));
}

/** Rows of a table with some of its fields. */
export function givenRows(
  table: Table,
  fields: readonly string[],
  rows: readonly object[],
): GivenRows {
  const types = Object.fromEntries(
    table.columns
      .filter(({ name }) => fields.includes(fieldOf(name)))
      .map((column) => [fieldOf(column.name), postgresTypes[column.type]]),
  );
  return { types, rows };
}

const postgresTypes: Readonly<Record<Column['type'], string>> = {
  integer: 'bigint',
  boolean: 'boolean',
  double: 'float8',
  text: 'text',
  bytes: 'bytea',
};
