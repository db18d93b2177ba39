/** Runs the operations of a store on PostgreSQL, one statement after the other. */
import type { Engine, GivenRows, Operation, Step, StepResult, Value } from '../sql/operation.ts';
import { columnOf } from '../sql/tables.ts';
import { copyRows } from './bulk.ts';
import type { Client, Connection } from './client.ts';
import { jsonBytes, jsonRows } from './json-rows.ts';
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

/** Runs an operation on a connection; what a statement throws is thrown where it was asked for. */
export async function runToEnd<T>(connection: Connection, operation: Operation<T>): Promise<T> {
  let next = operation.next();
  while (!next.done) {
    let result: StepResult;
    try {
      result = await runStep(connection, next.value);
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
    case 'query':
      return connection.query<object>(step.sql, step.values);
    case 'run':
      return connection.run(step.sql, step.values);
    case 'queryEach': {
      const sql = `SELECT found.* FROM ${recordset(step.given)}
        CROSS JOIN LATERAL (${step.sql}) AS found ORDER BY r.n`;
      return connection.query<object>(sql, [given(step.given)]);
    }
    case 'runEach': {
      const sql = step.sql.replaceAll('{rows}', recordset(step.given));
      return connection.run(sql, [given(step.given)]);
    }
    case 'lock':
      return connection.run('SELECT pg_advisory_xact_lock(hashtextextended($1::text, 42))', [
        step.name,
      ]);
    case 'queryLists': {
      const lists = Object.entries(step.lists).map(
        ([name, sql]) => `coalesce((SELECT json_agg(l) FROM (${sql}) AS l), '[]') AS "${name}"`,
      );
      return connection.query<object>(`SELECT ${lists.join(', ')}`, step.values);
    }
    case 'insert':
      return insert(connection, step.table.target, step.given);
    case 'insertIds':
      return insertIds(connection, step.table.target, step.given);
  }
}

async function insert(connection: Connection, target: string, rows: GivenRows): Promise<number> {
  const fields = Object.keys(rows.types);
  const columns = fields.map(columnOf);
  const hasBytes = Object.values(rows.types).includes('bytea');
  if (rows.rows.length >= copiedFrom && !hasBytes) {
    const cells = rows.rows.map((row) => fields.map((field) => (row as Cells)[field] ?? null));
    await copyRows(connection, { name: target, columns }, cells);
    return cells.length;
  }
  return connection.run(insertSql(target, rows), [given(rows)]);
}

/** Rows are numbered in the order in which they come, so the ids in order are those of the rows. */
async function insertIds(
  connection: Connection,
  target: string,
  rows: GivenRows,
): Promise<{ id: number }[]> {
  const sql = `${insertSql(target, rows)} RETURNING id`;
  const added = await connection.query<{ id: number }>(sql, [given(rows)]);
  return added.sort((a, b) => a.id - b.id);
}

function insertSql(target: string, rows: GivenRows): string {
  const fields = Object.keys(rows.types);
  const values = fields.map((field) => `r."${field}"`);
  return `INSERT INTO ${target} (${fields.map(columnOf).join(', ')})
    SELECT ${values.join(', ')} FROM ${recordset(rows)} ORDER BY r.n`;
}

type Cells = Record<string, string | number | boolean | null>;

/** The rows of `$1` as a table `r`; `n` is their place in the list. */
function recordset({ types }: GivenRows): string {
  const columns = Object.entries(types).map(
    ([field, type]) => `"${field}" ${type === 'bytea' ? 'text' : type}`,
  );
  const fields = Object.entries(types).map(([field, type]) =>
    type === 'bytea' ? `decode(g."${field}", 'base64') AS "${field}"` : `g."${field}"`,
  );
  return `(SELECT g.n, ${fields.join(', ')}
    FROM json_to_recordset($1::text::json) AS g(n integer, ${columns.join(', ')})) AS r`;
}

function given({ types, rows }: GivenRows): string {
  const fields = Object.entries(types);
  return jsonRows(
    rows.map((row, n) => {
      const record: Record<string, Value> = { n };
      for (const [field, type] of fields) {
        const value = (row as Record<string, Value>)[field] ?? null;
        record[field] = type === 'bytea' ? jsonBytes(value as Uint8Array | null) : value;
      }
      return record;
    }),
  );
}
