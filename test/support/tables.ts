/**
 * The tables behind a store, whichever engine keeps them: for tests that look past the store, or
 * that damage what it holds. Statements are those that both engines understand.
 */
import { Database } from 'bun:sqlite';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, openClient } from '../../src/store/postgres/client.ts';
import type { Value } from '../../src/store/sql/operation.ts';
import { databaseOf } from './engines.ts';

/** A value that both engines take. */
export type Plain = string | number | null | Uint8Array;

/** Runs one statement on the tables of a store, with `?` for values; the rows it returns. */
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
 * Runs several statements without values, by name; the rows that each returns. On PostgreSQL they
 * share a connection, which costs far more than a statement does.
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

/** Lets the ids of a table go on from a number. */
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

/** Everything that is stored, by the name of the file or the table that holds it. */
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

/** Both files as one; no table is in both. */
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
