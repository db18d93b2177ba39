/** Runs the operations of a store on PostgreSQL, one statement after the other. */
import type { Engine, GivenRows, Operation, Step, StepResult, Value } from '../sql/operation.ts';
import { columnOf, type Table } from '../sql/tables.ts';
import { copyRows } from './bulk.ts';
import type { Client, Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';
import { retried } from './retried.ts';

/** From so many rows on, sending them as a COPY is worth its two extra round trips. */
const copiedFrom = 100;

/** Rows in one slice of a long write: a statement may take only so long. */
const sliceRows = 2_000;

/** Operations on PostgreSQL. What it has certainly undone is tried again. */
export function postgresEngine(client: Client): Engine {
  const transaction = <T>(make: () => Operation<T>) =>
    retried(() => client.transaction((tx) => runToEnd(tx, make())));
  return {
    run: (make) => runToEnd(client, make()),
    transaction,
    snapshot: (make) => client.snapshot((tx) => runToEnd(tx, make())),
    inSlices: async (make) => {
      for (;;) {
        const written = await transaction(() => make(sliceRows));
        if (written !== 'more') return written;
      }
    },
  };
}

/** What reads, and nothing else. */
export type Reader = Pick<Connection, 'query'>;

/** Operations that only read, on whatever can be read from. */
export function postgresReading(reader: Reader): Pick<Engine, 'run'> {
  return { run: (make) => advance(make(), (step) => readStep(reader, step)) };
}

/** Runs an operation on a connection. */
export function runToEnd<T>(connection: Connection, operation: Operation<T>): Promise<T> {
  return advance(operation, (step) => runStep(connection, step));
}

/** What a statement throws is thrown where it was asked for. */
async function advance<T>(
  operation: Operation<T>,
  answer: (step: Step) => Promise<StepResult>,
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

async function readStep(reader: Reader, step: Step): Promise<StepResult> {
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
      return Promise.all(
        step.operations.map((each) => advance(each, (inner) => readStep(reader, inner))),
      );
    default:
      throw new Error(`A '${step.kind}' does not only read.`);
  }
}

/**
 * A SELECT for each of the rows. Because of its OFFSET it is not joined in any other way than row
 * by row: each is looked up by an index, however large the table is, and its order stays.
 */
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

/** Rows are numbered in the order in which they come, so the ids in order are those of the rows. */
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
 * The rows of `$1` as a table `r`; `n` is their place in the list. Bytes are slow to send as text,
 * so those of all rows are one value, `$2`, and a row tells where its own begin and how many.
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
