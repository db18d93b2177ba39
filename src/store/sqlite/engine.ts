/** Runs operations synchronously on one SQLite connection. */
import type { Engine, GivenRows, Operation, Step, StepResult, Value } from '../sql/operation.ts';
import { columnOf, type Table } from '../sql/tables.ts';
import { inSnapshot, inTransaction, type StoreFile } from './database.ts';
import { onlyReading, toSqlite, toSqliteEach } from './dialect.ts';
import { inSlices } from './slices.ts';

export function sqliteEngine(db: StoreFile): Engine {
  const cache = new Map<string, Prepared>();
  const statement = (sql: string, translate: (sql: string) => string): Prepared => {
    const known = cache.get(sql);
    if (known) return known;
    const prepared = prepare(db, translate(sql), booleansOf(sql));
    cache.set(sql, prepared);
    return prepared;
  };
  const readToSqlite = (sql: string) => toSqlite(onlyReading(sql));
  const runStep = (step: Step): StepResult => {
    switch (step.kind) {
      case 'query':
        return statement(step.sql, readToSqlite).all(step.values.map(toBinding));
      case 'runRows':
        return statement(step.sql, toSqlite).all(step.values.map(toBinding));
      case 'run':
        return statement(step.sql, toSqlite).run(step.values.map(toBinding));
      case 'lock':
        // A write transaction is exclusive.
        return 0;
      case 'together':
        return step.operations.map((operation) => runToEnd(operation, runStep));
      case 'queryLists': {
        const bindings = step.values.map(toBinding);
        const lists = Object.entries(step.lists);
        const found = () =>
          lists.map(([name, sql]) => {
            const prepared = statement(sql, readToSqlite);
            // A statement gets the first values, as many as it has parameters.
            return [name, prepared.all(bindings.slice(0, prepared.paramsCount))];
          });
        return [Object.fromEntries(db.inTransaction ? found() : inSnapshot(db, found))];
      }
      case 'insert':
        return runForEach(statement(insertSql(step, step.ending), toSqlite), step.given);
      case 'insertIds': {
        const prepared = statement(insertSql(step, ''), toSqlite);
        const fields = Object.keys(step.given.types);
        return step.given.rows.map((row) => ({ id: prepared.add(bindingsOf(row, fields)) }));
      }
      case 'runEach': {
        const fields = Object.keys(step.given.types);
        const prepared = statement(step.sql, (sql) => toSqliteEach(sql, fields));
        return runForEach(prepared, step.given);
      }
      default: {
        const fields = Object.keys(step.given.types);
        const prepared = statement(step.sql, (sql) => toSqliteEach(onlyReading(sql), fields));
        const groups = step.given.rows.map((row) => prepared.all(bindingsOf(row, fields)));
        return step.kind === 'queryGroups' ? groups : groups.flat();
      }
    }
  };
  const runNow = <T>(make: () => Operation<T>): T => runToEnd(make(), runStep);
  return {
    run: async (make) => runNow(make),
    transaction: async (make) => inTransaction(db, () => runNow(make)),
    snapshot: async (make) => inSnapshot(db, () => runNow(make)),
    inSlices: (make) => inSlices(db, (rows) => runNow(() => make(rows))),
  };
}

/** Errors of a statement are thrown into the operation. */
export function runToEnd<T>(operation: Operation<T>, runStep: (step: Step) => StepResult): T {
  let next = operation.next();
  while (!next.done) {
    let result: StepResult;
    try {
      result = runStep(next.value);
    } catch (error) {
      next = operation.throw(error);
      continue;
    }
    next = operation.next(result);
  }
  return next.value;
}

type Binding = string | number | boolean | null | Uint8Array;

interface Prepared {
  readonly paramsCount: number;
  all(bindings: readonly Binding[]): object[];
  run(bindings: readonly Binding[]): number;
  /** Returns the id of the inserted row; faster than RETURNING. */
  add(bindings: readonly Binding[]): number;
}

function prepare(db: StoreFile, sql: string, booleans: ReadonlySet<string>): Prepared {
  const statement = db.prepared(sql);
  let converted: readonly string[] | null = null;
  return {
    paramsCount: statement.paramsCount,
    all: (bindings) => {
      const rows = statement.all(...bindings) as Record<string, unknown>[];
      // The names are only known once the statement has run.
      converted ??= statement.columnNames.filter((name) => booleans.has(name));
      for (const name of converted) {
        for (const row of rows) row[name] = row[name] === null ? null : row[name] === 1;
      }
      return rows;
    },
    run: (bindings) => statement.run(...bindings).changes,
    add: (bindings) => Number(statement.run(...bindings).lastInsertRowid),
  };
}

/** The results that a statement casts to boolean: SQLite returns them as 0 and 1. */
function booleansOf(sql: string): Set<string> {
  return new Set(Array.from(sql.matchAll(/::boolean AS "?(\w+)/g), ([, name = '']) => name));
}

function toBinding(value: Value): Binding {
  return Array.isArray(value) ? listBinding(value) : (value as Binding);
}

/** A list for `json_each`. Lone surrogates are replaced, as in single values. */
function listBinding(list: readonly (string | number)[]): string {
  const wellFormed = (each: string | number) =>
    typeof each === 'string' ? each.toWellFormed() : each;
  return JSON.stringify(list.map(wellFormed));
}

function bindingsOf(row: object, fields: readonly string[]): Binding[] {
  const bindings: Binding[] = [];
  for (const field of fields)
    bindings.push(toBinding((row as Record<string, Value>)[field] ?? null));
  return bindings;
}

function insertSql(
  { table, given }: { readonly table: Table; readonly given: GivenRows },
  ending: string,
): string {
  const fields = Object.keys(given.types);
  const marks = fields.map((_, index) => `$${index + 1}`);
  return `INSERT INTO ${table.target} AS t (${fields.map(columnOf).join(', ')})
    VALUES (${marks.join(', ')}) ${ending}`;
}

function runForEach(statement: Prepared, { types, rows }: GivenRows): number {
  const fields = Object.keys(types);
  let written = 0;
  for (const row of rows) written += statement.run(bindingsOf(row, fields));
  return written;
}
