/** Bulk files as people load them: the lines of the docs run in DuckDB, and tables agree. */
// @runs SQLite (rest): needs DuckDB
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { bulkTables } from '../src/contract/plus/bulk-columns.ts';
import { bulkFileTypes } from '../src/market/published/bulk.ts';
import { manifestName } from '../src/publish/bulk/bulk-export.ts';
import { BulkExporter } from '../src/publish/bulk/bulk-export.work.ts';
import { targetOf } from '../src/publish/bulk/bulk-target.work.ts';
import { smallMarket } from './support/market.ts';
import { openWorld } from './support/stored-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-duckdb-'));
let connection: DuckDBConnection;

beforeAll(async () => {
  const world = await openWorld();
  await world.load(smallMarket);
  await world.makeBulkFiles();
  await new BulkExporter({
    store: world.store.market,
    target: targetOf({ kind: 'folder', path: folder }),
    clock: () => world.now,
    holder: 'test',
    onFailure: (error) => {
      throw error;
    },
  }).step();
  await world.close();
  // As downloaded: without the name of the edition.
  const { edition } = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  for (const name of readdirSync(join(folder, edition))) {
    copyFileSync(join(folder, edition, name), join(folder, name));
  }
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET file_search_path = '${folder}'`);
});
afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

async function query(sql: string) {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

const page = readFileSync(resolve(import.meta.dir, '../docs/plus-api.md'), 'utf8');
const examples = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);

test('the docs have lines for DuckDB', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

test.each(examples)('finds rows with %s', async (sql) => {
  expect((await query(sql)).length).toBeGreaterThan(0);
});

test.each(bulkFileTypes)('CSV and Parquet have the same rows of %s', async (type) => {
  const described = await query(`DESCRIBE FROM '${type}.parquet'`);
  expect(described.map(({ column_name }) => String(column_name))).toEqual(
    bulkTables[type].columns.map(({ name }) => name),
  );
  const columns = described.map((row) => `'${row.column_name}': '${row.column_type}'`);
  const csv = `read_csv('${type}.csv.gz', columns = {${columns.join(', ')}})`;
  const [counted] = await query(`SELECT count(*)::INT AS count FROM '${type}.parquet'`);
  expect(counted?.count).toBeGreaterThan(0);
  for (const [one, other] of [
    [csv, `'${type}.parquet'`],
    [`'${type}.parquet'`, csv],
  ]) {
    expect(await query(`FROM ${one} EXCEPT ALL FROM ${other}`)).toEqual([]);
  }
});

test('columns have the types of their values', async () => {
  const described = await query(`DESCRIBE FROM 'sets.parquet'`);
  const types = Object.fromEntries(described.map((row) => [row.column_name, row.column_type]));
  expect(types).toMatchObject({
    set_number: 'VARCHAR',
    pieces: 'INTEGER',
    new_value_usd: 'DOUBLE',
    release_date: 'DATE',
    value_range_calculated_at: 'TIMESTAMP',
  });
  const [retail] = await query(`SELECT typeof(retailer_a_at_lowest) AS flag FROM 'retail.parquet'`);
  expect(retail).toEqual({ flag: 'BOOLEAN' });
});

test('tables have the values of the documents', async () => {
  const [differing] = await query(`SELECT count(*)::INT AS count
    FROM 'sets.parquet' t JOIN read_json('sets.jsonl.gz') d USING (set_number)
    WHERE t.new_value_usd IS DISTINCT FROM d.new_value_usd
      OR t.title IS DISTINCT FROM d.title OR t.release_date IS DISTINCT FROM d.release_date
      OR t.value_range_low IS DISTINCT FROM d.value_range.low`);
  expect(differing).toEqual({ count: 0 });
});
