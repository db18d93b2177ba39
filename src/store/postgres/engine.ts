/** Runs operations on PostgreSQL. */
import type {
  Engine,
  GivenRows,
  Operation,
  Reading,
  ReadStep,
  Step,
  StepResult,
  Value,
} from '../sql/operation.ts';
import { columnOf, type Table } from '../sql/tables.ts';
import { copyRows } from './bulk.ts';
import type { Client, Connection } from './client.ts';
import { retried } from './retried.ts';

/** COPY is faster from this many rows on, despite two more round trips. */
const copiedFrom = 100;

/** Rows per slice of a long write, within the statement timeout. */
const sliceRows = 2_000;

/** Transactions that were certainly rolled back are retried. */
export function postgresEngine(client: Client): Engine {
  const transaction = <T>(make: () => Operation<T>) =>
    retried(() => client.transaction((tx) => runToEnd(tx, make())));
  return {
    ...postgresReading(client),
    transaction,
    snapshot: (make) => client.snapshot((tx) => read(tx, make())),
    inSlices: async (make) => {
      for (;;) {
        const written = await transaction(() => make(sliceRows));
        if (written !== 'more') return written;
      }
    },
  };
}

export type Reader = Pick<Connection, 'query'>;

export function postgresReading(reader: Reader): Pick<Engine, 'run'> {
  return { run: (make) => read(reader, make()) };
}

function read<T>(reader: Reader, reading: Reading<T>): Promise<T> {
  return advance(reading, (step) => readStep(reader, step));
}

export function runToEnd<T>(connection: Connection, operation: Operation<T>): Promise<T> {
  return advance(operation, (step) => runStep(connection, step));
}

/** Errors of a statement are thrown into the operation. */
async function advance<T, Steps extends Step>(
  operation: Generator<Steps, T, StepResult>,
  answer: (step: Steps) => Promise<StepResult>,
): Promise<T> {
  let next = operation.next();
  while (!next.done) {
    let result: StepResult;
    try {
      result = await answer(next.value);
    } catch (error) {
      next = operation.throw(error);
      continue;
    }
    next = operation.next(result);
  }
  return next.value;
}

function runStep(connection: Connection, step: Step): Promise<StepResult> {
  switch (step.kind) {
    case 'run':
      return connection.run(step.sql, step.values);
    case 'runRows':
      return connection.query<object>(step.sql, step.values);
    case 'runEach': {
      const sql = step.sql.replaceAll('{rows}', recordset(step.given));
      return connection.run(sql, valuesOf(step.given));
    }
    case 'lock':
      return connection.run('SELECT pg_advisory_xact_lock(hashtextextended($1::text, 42))', [
        step.name,
      ]);
    case 'insert':
      return insert(connection, step);
    case 'insertIds':
      return insertIds(connection, step);
    case 'together':
      return Promise.all(step.operations.map((operation) => runToEnd(connection, operation)));
    default:
      return readStep(connection, step);
  }
}

async function readStep(reader: Reader, step: ReadStep): Promise<StepResult> {
  switch (step.kind) {
    case 'query':
      return reader.query<object>(step.sql, step.values);
    case 'queryEach':
      return reader.query<object>(
        `SELECT found.* FROM ${lateral(step.sql, step.given)} ORDER BY r.n`,
        valuesOf(step.given),
      );
    case 'queryGroups': {
      const groups = step.given.rows.map((): object[] => []);
      const rows = await reader.query<{ n: number }>(
        `SELECT r.n, found.* FROM ${lateral(step.sql, step.given)}`,
        valuesOf(step.given),
      );
      for (const { n, ...row } of rows) groups[n]?.push(row);
      return groups;
    }
    case 'queryLists': {
      const lists = Object.entries(step.lists).map(
        ([name, sql]) => `coalesce((SELECT json_agg(l) FROM (${sql}) AS l), '[]') AS "${name}"`,
      );
      return reader.query<object>(`SELECT ${lists.join(', ')}`, step.values);
    }
    case 'together':
      return Promise.all(step.operations.map((each) => read(reader, each)));
  }
}

/** OFFSET 0 prevents other joins, so each row uses an index and the order is kept. */
function lateral(sql: string, rows: GivenRows): string {
  return `${recordset(rows)}
    CROSS JOIN LATERAL (SELECT * FROM (${sql}) AS each OFFSET 0) AS found`;
}

async function insert(
  connection: Connection,
  { table, given, ending }: Extract<Step, { kind: 'insert' }>,
): Promise<number> {
  const fields = Object.keys(given.types);
  const columns = fields.map(columnOf);
  const hasBytes = Object.values(given.types).includes('bytea');
  if (given.rows.length >= copiedFrom && !hasBytes && ending === '') {
    const cells = given.rows.map((row) => fields.map((field) => (row as Cells)[field] ?? null));
    await copyRows(connection, { name: table.target, columns }, cells);
    return cells.length;
  }
  return connection.run(`${insertSql(table, given)} ${ending}`, valuesOf(given));
}

/** Ids are generated in the order of the rows. */
async function insertIds(
  connection: Connection,
  { table, given }: Extract<Step, { kind: 'insertIds' }>,
): Promise<{ id: number }[]> {
  const sql = `${insertSql(table, given)} RETURNING id`;
  const added = await connection.query<{ id: number }>(sql, valuesOf(given));
  return added.sort((a, b) => a.id - b.id);
}

function insertSql({ target }: Table, given: GivenRows): string {
  const fields = Object.keys(given.types);
  const values = fields.map((field) => `r."${field}"`);
  return `INSERT INTO ${target} AS t (${fields.map(columnOf).join(', ')})
    SELECT ${values.join(', ')} FROM ${recordset(given)} ORDER BY r.n`;
}

type Cells = Record<string, string | number | boolean | null>;

/**
 * The rows of `$1` as table `r`, with index `n`. Bytes are slow to send as text, so the bytes of
 * all rows are in `$2`, and each row has the start and length of its own.
 */
function recordset({ types }: GivenRows): string {
  const columns = Object.entries(types).map(([field, type]) =>
    type === 'bytea' ? `"${field}" integer, "${field}Length" integer` : `"${field}" ${type}`,
  );
  const fields = Object.entries(types).map(([field, type]) =>
    type === 'bytea'
      ? `substr($2::bytea, g."${field}", g."${field}Length") AS "${field}"`
      : `g."${field}"`,
  );
  return `(SELECT g.n, ${fields.join(', ')}
    FROM json_to_recordset($1::text::json) AS g(n integer, ${columns.join(', ')})) AS r`;
}

function valuesOf({ types, rows }: GivenRows): Value[] {
  const fields = Object.entries(types);
  const bytes: Uint8Array[] = [];
  let end = 0;
  const records = rows.map((row, n) => {
    const record: Record<string, Value> = { n };
    for (const [field, type] of fields) {
      const value = (row as Record<string, Value>)[field] ?? null;
      if (type !== 'bytea') record[field] = value;
      else if (value instanceof Uint8Array) {
        record[field] = end + 1;
        record[`${field}Length`] = value.length;
        bytes.push(value);
        end += value.length;
      }
    }
    return record;
  });
  const hasBytes = fields.some(([, type]) => type === 'bytea');
  return hasBytes ? [jsonRows(records), Buffer.concat(bytes)] : [jsonRows(records)];
}

/** A lone surrogate in JSON. Escaped text may match as well, which is harmless. */
const loneSurrogate = /\\ud[89a-f]/;

/** Rows for `json_to_recordset`. PostgreSQL rejects lone surrogates, so they are replaced. */
function jsonRows(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  if (!loneSurrogate.test(text)) return text;
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}
