/**
 * Direct access to a store's tables on either engine, for tests that bypass the store or corrupt
 * its data. Statements must work on both engines.
 */
import { Database } from 'bun:sqlite';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, openClient } from '../../src/store/postgres/client.ts';
import type { Value } from '../../src/store/sql/operation.ts';
import { databaseOf } from './engines.ts';

export type Plain = string | number | null | Uint8Array;

/** Runs one statement with `?` placeholders and returns its rows. */
export async function onTables<T>(
  folder: string,
  sql: string,
  values: readonly Plain[] = [],
): Promise<T[]> {
  const url = await databaseOf(folder);
  if (url === null) return onFiles(folder, (db) => db.query<T, Plain[]>(sql).all(...values));
  let count = 0;
  const numbered = sql.replaceAll('?', () => `$${++count}`);
  return onDatabase(url, (tx) => tx.query<T>(numbered, values as readonly Value[]));
}

/**
 * Runs several named statements and returns their rows. On PostgreSQL they share a connection,
 * which is far more expensive than a statement.
 */
export async function onTablesEach<Name extends string>(
  folder: string,
  statements: Readonly<Record<Name, string>>,
): Promise<Record<Name, object[]>> {
  const named = Object.entries<string>(statements) as [Name, string][];
  const url = await databaseOf(folder);
  const found: Partial<Record<Name, object[]>> = {};
  if (url === null) {
    onFiles(folder, (db) => {
      for (const [name, sql] of named) found[name] = db.query<object, []>(sql).all();
    });
  } else {
    await onDatabase(url, async (tx) => {
      for (const [name, sql] of named) found[name] = await tx.query<object>(sql);
    });
  }
  return found as Record<Name, object[]>;
}

/** The start of a statement that inserts many rows: `numbers` has the column `n`, from 1 up. */
export const numbersTo = (last: number): string =>
  `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;

/** Makes the next generated ID of a table `last` + 1. */
export async function skipIds(folder: string, table: string, last: number): Promise<void> {
  const url = await databaseOf(folder);
  if (url === null) {
    onFiles(folder, (db) => {
      db.run('DELETE FROM private.sqlite_sequence WHERE name = ?', [table]);
      db.run('INSERT INTO private.sqlite_sequence (name, seq) VALUES (?, ?)', [table, last]);
    });
    return;
  }
  const sql = "SELECT setval(pg_get_serial_sequence($1, 'id'), $2)";
  await onDatabase(url, (tx) => tx.query(sql, [`private.${table}`, last]));
}

export interface Stall {
  readonly table: string;
  readonly rows: number;
}

/**
 * Makes inserts into a table of the market hang once it has `rows` rows, so that a process can be
 * killed at that moment on any machine. Returns a function that ends this after the kill.
 */
export async function stallInserts(folder: string, stall: Stall): Promise<() => Promise<void>> {
  const url = await databaseOf(folder);
  const [begin, end] = url === null ? stallOnSqlite(stall) : stallOnPostgres(stall);
  const runAll = async (statements: readonly string[]) => {
    for (const sql of statements) await onTables(folder, sql);
  };
  await runAll(begin);
  return () => runAll(end);
}

type Statements = readonly string[];

function stallOnSqlite({ table, rows }: Stall): [begin: Statements, end: Statements] {
  return [
    [
      // A view, since triggers cannot use WITH.
      `CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
       SELECT count(*) AS n FROM n`,
      `CREATE TRIGGER stall BEFORE INSERT ON ${table}
       WHEN (SELECT count(*) FROM ${table}) >= ${rows} BEGIN SELECT n FROM endless; END`,
    ],
    ['DROP TRIGGER stall', 'DROP VIEW endless'],
  ];
}

function stallOnPostgres({ table, rows }: Stall): [begin: Statements, end: Statements] {
  return [
    [
      `CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT
       AS $$ BEGIN
         IF (SELECT count(*) FROM ${table}) >= ${rows} THEN PERFORM pg_sleep(600); END IF;
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER stall BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION stall()`,
    ],
    [
      // PostgreSQL would notice only after the statement that its client was killed.
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      'DROP FUNCTION stall CASCADE',
    ],
  ];
}

/** All stored bytes, by file or table. */
export async function everythingStored(folder: string): Promise<[name: string, Buffer][]> {
  const url = await databaseOf(folder);
  if (url === null) {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name))]);
  }
  return onDatabase(url, async (tx) => {
    const tables = await tx.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('private', 'published', 'source')`,
    );
    const stored: [string, Buffer][] = [];
    for (const { name } of tables) {
      const rows = await tx.query<{ row: string }>(`SELECT r::text AS row FROM ${name} AS r`);
      stored.push([name, Buffer.from(rows.map(({ row }) => row).join('\n'))]);
    }
    return stored;
  });
}

/** Opens both files as one database; no table is in both. */
function onFiles<T>(folder: string, work: (db: Database) => T): T {
  const db = new Database(join(folder, 'market.db'));
  try {
    db.run('PRAGMA busy_timeout = 5000');
    db.run('ATTACH ? AS private', [join(folder, 'accounts.db')]);
    return work(db);
  } finally {
    db.close();
  }
}

async function onDatabase<T>(url: string, work: (tx: Connection) => Promise<T>): Promise<T> {
  const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
  try {
    return await client.transaction(async (tx) => {
      await tx.query('SET LOCAL search_path = published, source, private');
      return work(tx);
    });
  } finally {
    await client.close();
  }
}
