/**
 * Operations of a store, written once for both engines. An operation is a generator that yields
 * statements and receives their results. SQLite runs it synchronously, so no other request can
 * interfere; PostgreSQL awaits each statement. What writes or locks is an `Operation` and needs a
 * transaction; what only reads is a `Reading`. Statements are in PostgreSQL's dialect;
 * `sqlite/dialect.ts` translates them. A result is a boolean on both engines if the statement casts
 * it (`::boolean AS "isOn"`); `columnsOf` does so for boolean columns.
 */
import { type Column, columnOf, columnsOf, fieldOf, fieldsOf, type Table } from './tables.ts';

/** A parameter of a statement. Lists are for `= ANY($1::bigint[])`. */
export type Value = string | number | boolean | null | Uint8Array | readonly (string | number)[];

/** Rows as a parameter of a statement, where they are the table `r`. */
export interface GivenRows {
  /** PostgreSQL types by field. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly object[];
}

/** SELECTs by the names of their results. */
export type Lists = Readonly<Record<string, string>>;

/** A statement that only reads. */
export type ReadStep =
  | { readonly kind: 'query'; readonly sql: string; readonly values: readonly Value[] }
  | {
      readonly kind: 'queryEach' | 'queryGroups';
      readonly sql: string;
      readonly given: GivenRows;
    }
  | { readonly kind: 'queryLists'; readonly lists: Lists; readonly values: readonly Value[] }
  | { readonly kind: 'together'; readonly operations: readonly Reading<unknown>[] };

/** A statement that an operation yields. */
export type Step =
  | ReadStep
  | { readonly kind: 'run' | 'runRows'; readonly sql: string; readonly values: readonly Value[] }
  | { readonly kind: 'runEach'; readonly sql: string; readonly given: GivenRows }
  | {
      readonly kind: 'insert';
      readonly table: Table;
      readonly given: GivenRows;
      /** An `ON CONFLICT` clause, or empty. */
      readonly ending: string;
    }
  | { readonly kind: 'insertIds'; readonly table: Table; readonly given: GivenRows }
  | { readonly kind: 'together'; readonly operations: readonly Operation<unknown>[] }
  | { readonly kind: 'lock'; readonly name: string };

/** Rows, results of operations, or the number of written rows. */
export type StepResult = readonly unknown[] | number;

/** Work that runs inside one transaction. */
export type Operation<T> = Generator<Step, T, StepResult>;

/** Work that only reads. The compiler accepts none that contains a writing operation. */
export type Reading<T> = Generator<ReadStep, T, StepResult>;

/** Runs operations. They are passed as functions, because a retry starts a new generator. */
export interface Engine {
  /** Without a transaction: for a single statement, or several that need no common snapshot. */
  readonly run: Runs<ReadStep>;
  /** In one transaction, which is rolled back if the operation throws. */
  readonly transaction: Runs<Step>;
  /** On one snapshot. */
  readonly snapshot: Runs<ReadStep>;
  /**
   * A long write as several short transactions, so that others need not wait. Each may write `rows`
   * rows and returns 'more' until it is done.
   */
  inSlices<T>(make: (rows: number) => Operation<T | 'more'>): Promise<T>;
}

/** A way to run generators that yield certain steps. */
export type Runs<Steps extends Step> = <T>(
  make: () => Generator<Steps, T, StepResult>,
) => Promise<T>;

type Operations<Steps extends Step = Step> = Readonly<
  Record<string, (...given: never[]) => Generator<Steps, unknown, StepResult>>
>;

/** Methods with the parameters of the operations, and promises of their results. */
export type Methods<Named extends Operations> = {
  readonly [Name in keyof Named]: Named[Name] extends (
    ...given: infer Given
  ) => Operation<infer Result>
    ? (...given: Given) => Promise<Result>
    : never;
};

/** Methods of a store that run one operation each: `methods(engine.transaction, { addKey })`. */
export function methods<Steps extends Step, Named extends Operations<Steps>>(
  run: Runs<Steps>,
  operations: Named,
): Methods<Named> {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    (...given: never[]) => run(() => operation(...given)),
  ]);
  return Object.fromEntries(entries) as Methods<Named>;
}

export function* query<Row>(sql: string, values: readonly Value[] = []): Reading<Row[]> {
  return (yield { kind: 'query', sql, values }) as unknown as Row[];
}

export function* first<Row>(sql: string, values: readonly Value[] = []): Reading<Row | null> {
  const [row] = yield* query<Row>(sql, values);
  return row ?? null;
}

/**
 * Results of several SELECTs on one snapshot. On PostgreSQL they are one statement that returns
 * JSON, so columns must be text, numbers or booleans.
 */
export function* queryLists<T extends Readonly<Record<keyof T, readonly object[]>>>(
  lists: Readonly<Record<keyof T & string, string>>,
  values: readonly Value[],
): Reading<T> {
  const [found] = (yield { kind: 'queryLists', lists, values }) as unknown as T[];
  if (!found) throw new Error('Lists are one row.');
  return found;
}

/** Returns the number of written rows. */
export function* run(sql: string, values: readonly Value[] = []): Operation<number> {
  return (yield { kind: 'run', sql, values }) as number;
}

/** Returns whether any row was written. */
export function* runAny(sql: string, values: readonly Value[] = []): Operation<boolean> {
  return (yield* run(sql, values)) > 0;
}

/** Rows of a statement that writes (`RETURNING`) or locks them (`FOR UPDATE`). */
export function* runRows<Row>(sql: string, values: readonly Value[] = []): Operation<Row[]> {
  return (yield { kind: 'runRows', sql, values }) as unknown as Row[];
}

export function* runFirst<Row>(sql: string, values: readonly Value[] = []): Operation<Row | null> {
  const [row] = yield* runRows<Row>(sql, values);
  return row ?? null;
}

/** Acquires a named lock until the end of the transaction. */
export function* lock(name: string): Operation<void> {
  yield { kind: 'lock', name };
}

/** Runs a SELECT for each row `r`; all results in one list, in order of the rows. */
export function* queryEach<Row>(sql: string, given: GivenRows): Reading<Row[]> {
  if (given.rows.length === 0) return [];
  return (yield { kind: 'queryEach', sql, given }) as unknown as Row[];
}

/** Runs a SELECT for each row `r`; one list per row, each in the order of the SELECT. */
export function* queryGroups<Row>(sql: string, given: GivenRows): Reading<Row[][]> {
  if (given.rows.length === 0) return [];
  return (yield { kind: 'queryGroups', sql, given }) as unknown as Row[][];
}

/**
 * Results of independent operations. PostgreSQL runs them concurrently: on several connections, or
 * within a transaction on one, without waiting for each other's results. SQLite runs them in order.
 */
export function together<T extends readonly unknown[]>(
  operations: { readonly [Index in keyof T]: Reading<T[Index]> },
): Reading<T>;
export function together<T extends readonly unknown[]>(
  operations: { readonly [Index in keyof T]: Operation<T[Index]> },
): Operation<T>;
export function* together<T extends readonly unknown[]>(
  operations: { readonly [Index in keyof T]: Operation<T[Index]> },
): Operation<T> {
  return (yield { kind: 'together', operations }) as unknown as T;
}

/** Runs a statement for the rows `r`, which it reads with `FROM {rows}` or `USING {rows}`. */
export function* runEach(sql: string, given: GivenRows): Operation<number> {
  if (given.rows.length === 0) return 0;
  return (yield { kind: 'runEach', sql, given }) as number;
}

/** Inserts rows with all of their fields that the table has. */
export function* insertRows(table: Table, rows: readonly object[]): Operation<void> {
  if (rows.length === 0) return;
  yield { kind: 'insert', table, given: wholeRows(table, rows), ending: '' };
}

/** Inserts a row, unless there is one with its key; returns whether it did. */
export function* addRow(table: Table, row: object): Operation<boolean> {
  const given = wholeRows(table, [row]);
  const step = { kind: 'insert', table, given, ending: 'ON CONFLICT DO NOTHING' } as const;
  return ((yield step) as number) > 0;
}

/**
 * Inserts or updates rows by their keys, which must be distinct. A row is not written if nothing
 * differs, apart from `marks` such as the time of the last change.
 */
export function* saveRows<Row extends object>(
  table: Table,
  rows: readonly Row[],
  marks: readonly (keyof Row & string)[] = [],
): Operation<void> {
  if (rows.length === 0) return;
  const given = wholeRows(table, rows);
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

/** Adds to counts: rows with the same key become one, with the sums of their other columns. */
export function* addCounts(table: Table, rows: readonly object[]): Operation<void> {
  const counts = table.columns.map(({ name }) => name).filter((name) => !table.key.includes(name));
  const sums = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const added = { ...row } as Record<string, unknown>;
    const sum = sums.getOrInsert(table.key.map((name) => added[fieldOf(name)]).join(' '), added);
    if (sum === added) continue;
    for (const field of counts.map(fieldOf)) sum[field] = Number(sum[field]) + Number(added[field]);
  }
  if (sums.size === 0) return;
  const given = givenRows(table, fieldsOf(table), [...sums.values()]);
  const ending = `ON CONFLICT (${table.key.join(', ')}) DO UPDATE
    SET ${counts.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}`;
  yield { kind: 'insert', table, given, ending };
}

/** Inserts rows with generated ids; returns the ids in the order of the rows. */
export function* insertIds(table: Table, rows: readonly object[]): Operation<number[]> {
  if (rows.length === 0) return [];
  const given = wholeRows(table, rows, ['id']);
  const added = (yield { kind: 'insertIds', table, given }) as readonly { id: number }[];
  return added.map(({ id }) => id);
}

/** Inserts a row with a generated id, which is returned. */
export function* insertRow(table: Table, row: object): Operation<number> {
  const [id] = yield* insertIds(table, [row]);
  if (id === undefined) throw new Error(`Nothing was inserted into '${table.name}'.`);
  return id;
}

/** Values by field. */
type Values = Readonly<Record<string, Value>>;

export function* hasRow(table: Table, where: Values): Reading<boolean> {
  const conditions = equations(table, where).join(' AND ');
  const sql = `SELECT 1 FROM ${table.target} WHERE ${conditions} LIMIT 1`;
  return (yield* first(sql, Object.values(where))) !== null;
}

/** How many rows have these values. */
export function* countRows(table: Table, where: Values): Reading<number> {
  const conditions = equations(table, where).join(' AND ');
  const sql = `SELECT count(*)::float8 AS n FROM ${table.target} WHERE ${conditions}`;
  return (yield* first<{ n: number }>(sql, Object.values(where)))?.n ?? 0;
}

/** The row with these values; without `fields`, all of its fields. */
export function findRow<Row>(
  table: Table,
  where: Values,
  fields?: readonly string[],
): Reading<Row | null> {
  return first(selection(table, where, fields), Object.values(where));
}

/** All rows with these values. The order names the table `t`, as in `t.id DESC`. */
export function listRows<Row>(
  table: Table,
  where: Values,
  { order, fields }: { readonly order: string; readonly fields?: readonly string[] },
): Reading<Row[]> {
  return query(`${selection(table, where, fields)} ORDER BY ${order}`, Object.values(where));
}

function selection(table: Table, where: Values, fields: readonly string[] | undefined): string {
  const conditions = equations(table, where).join(' AND ');
  return `SELECT ${columnsOf(table, 't', fields)} FROM ${table.target} AS t WHERE ${conditions}`;
}

/** Sets values in all rows with certain values; returns the number of rows. */
export function changeRows(table: Table, changes: Values, where: Values): Operation<number> {
  const values = [...Object.values(changes), ...Object.values(where)];
  const set = equations(table, changes);
  return run(
    `UPDATE ${table.target} SET ${set.join(', ')}
     WHERE ${equations(table, where, set.length).join(' AND ')}`,
    values,
  );
}

/** Deletes all rows of an account from some tables. */
export function* deleteOf(accountId: number, from: readonly Table[]): Operation<void> {
  for (const table of from) yield* deleteRows(table, { accountId });
}

/** Deletes all rows with these values; returns the number of rows. */
export function deleteRows(table: Table, where: Values): Operation<number> {
  const sql = `DELETE FROM ${table.target} WHERE ${equations(table, where).join(' AND ')}`;
  return run(sql, Object.values(where));
}

/** `column = $1::type` for each value; its parameters come after some others. */
function equations(table: Table, values: Values, others = 0): string[] {
  return Object.keys(values).map((field, index) => {
    const column = table.columns.find(({ name }) => name === columnOf(field));
    if (!column) throw new Error(`The table '${table.name}' has no field '${field}'.`);
    return `${column.name} = $${others + index + 1}::${postgresTypes[column.type]}`;
  });
}

/** Updates rows by a key; `fields` are the columns to write. */
export function* updateRows<Row extends object>(
  table: Table,
  fields: readonly (keyof Row & string)[],
  rows: readonly Row[],
  key: readonly string[] = table.key.map(fieldOf),
): Operation<void> {
  const set = fields.map((field) => `${columnOf(field)} = r."${field}"`);
  const sql = `UPDATE ${table.target} AS t SET ${set.join(', ')} FROM {rows}
    WHERE ${hasKeyOfRow(key)}`;
  yield* runEach(sql, givenRows(table, [...key, ...fields], rows));
}

/** Deletes the rows that have the key of one of these. */
export function deleteEach(
  table: Table,
  rows: readonly object[],
  key: readonly string[] = table.key.map(fieldOf),
): Operation<number> {
  const sql = `DELETE FROM ${table.target} AS t USING {rows} WHERE ${hasKeyOfRow(key)}`;
  return runEach(sql, givenRows(table, key, rows));
}

function hasKeyOfRow(key: readonly string[]): string {
  return key.map((field) => `t.${columnOf(field)} = r."${field}"`).join(' AND ');
}

/** Rows with all of their fields that the table has, but some. */
function wholeRows(table: Table, rows: readonly object[], but: readonly string[] = []): GivenRows {
  const fields = fieldsOf(table, but).filter((field) => rows.some((row) => field in row));
  return givenRows(table, fields, rows);
}

/** Rows with some fields of a table. */
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
