/** Batches of any rows have the same result on PostgreSQL as rows one by one on SQLite. */
// @runs PostgreSQL, PostgreSQL 17: compares it with SQLite
import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { aSale, aSet } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { anyBatches, knottyBatches } from '../../../test/support/market-rows.ts';
import { asLooks } from '../../../test/support/offer-looks.ts';
import { partitionSales } from '../../../test/support/partitions.ts';
import { applyRowsPlainly, learningInputsReader } from '../../../test/support/plain-ingest.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import type { MarketIngest } from '../../ingest/runner/market-ingest.store.ts';
import { marketIngest } from '../../ingest/runner/market-ingest.store.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import { loadLearningInputs as loadInputs } from '../../market/values/inputs.store.ts';
import { methods } from '../sql/operation.ts';
import { openDatabase } from '../sqlite/database.ts';
import { marketMigrations } from '../sqlite/schema.ts';
import { type Client, openClient } from './client.ts';
import { postgresEngine } from './engine.ts';
import { marketEngine, marketWriting } from './writing.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** All tables that imports write, with their sort order. */
const tables = [
  ['published', 'meta', 'name'],
  ['published', 'item', 'id'],
  ['published', 'alias', 'key, item_id, source'],
  ['source', 'catalog_record', 'item_id, source'],
  ['source', 'set_minifig', 'set_id, minifig_key, source'],
  ['source', 'sale', 'source, source_id'],
  ['source', 'offer', 'item_id, retailer, observed_at'],
  ['source', 'listings', 'item_id, condition, channel'],
  ['source', 'part_out', 'item_id, condition, source'],
  ['published', 'fx', 'currency, date'],
  ['source', 'retail_state', 'item_id, retailer'],
  ['source', 'retail_week', 'item_id, week'],
] as const;

function ingestOf(client: Client): MarketIngest {
  return marketIngest(postgresEngine(client), marketEngine(marketWriting(client, true)));
}

function openSqlite(): Database {
  return openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
}

async function postgresRows(client: Client): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const [schema, table, order] of tables) {
    const rows = await client.query<object>(`SELECT * FROM ${schema}.${table} ORDER BY ${order}`);
    const plain = rows.map((row) => ({ ...row }));
    all[table] = table === 'offer' ? asLooks(plain) : plain;
  }
  return all;
}

function sqliteRows(db: Database): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [, table, order] of tables) {
    const rows = db.query<object, []>(`SELECT * FROM ${table} ORDER BY ${order}`).all();
    all[table] = rows.map((row) => withBoolean(row as Record<string, unknown>));
  }
  return all;
}

/** SQLite has no booleans. */
function withBoolean(row: Record<string, unknown>): Record<string, unknown> {
  const { in_stock: inStock } = row;
  return typeof inStock === 'number' ? { ...row, in_stock: inStock === 1 } : row;
}

/** Statements that reset the tables to a new store. */
function emptying(nameOf: (table: (typeof tables)[number]) => string, meta: string): string {
  const deletions = tables.toReversed().map((table) => `DELETE FROM ${nameOf(table)};`);
  return `${deletions.join('\n')}
    INSERT INTO ${meta} VALUES ('publish_stamp', 0), ('parameters_change', 0)`;
}

/**
 * State that publishing leaves: retail states, which late offers delete, and learned parameters.
 */
function published(source: string, rest = source): string {
  return `INSERT INTO ${source}retail_state (item_id, retailer, fold_version, checked_at, state)
      SELECT id, 'retailer_a', 1, ${Date.UTC(2026, 9, 6)}, '{}' FROM ${rest}item WHERE true
      ON CONFLICT DO NOTHING;
    DELETE FROM ${rest}meta WHERE name = 'parameters_changed_from'`;
}

/** Sales in one table, and with a partition per month. */
const layouts = ['PostgreSQL', 'PostgreSQL with partitions'] as const;

describe.skipIf(!isPostgres).each(layouts)('%s', (layout) => {
  let folder: string;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-same-ingest-'));
    const url = (await databaseOf(folder)) ?? '';
    client = openClient(url, { max: 2, statementMs: 0, name: 'test' });
    if (layout === 'PostgreSQL with partitions') await partitionSales(url, now);
  });

  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const empty = () =>
    client.script(emptying(([schema, table]) => `${schema}.${table}`, 'published.meta'));

  test('a batch has the same outcomes, tables including ids, and inputs as its rows one by one', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => 12 - index);
    const ingest = ingestOf(client);
    const { loadInputs: loadLearningInputs } = methods(postgresEngine(client).run, { loadInputs });
    const numRuns = Number(process.env.INGEST_RUNS ?? runsOnEngine(100));
    const db = openSqlite();
    await fc.assert(
      fc.asyncProperty(anyBatches, async (batches) => {
        await empty();
        db.run(emptying(([, table]) => table, 'meta'));
        for (const [index, rows] of batches.entries()) {
          const expected = applyRowsPlainly(db, rows, now + index);
          expect(await ingest.applyRows(rows, now + index)).toEqual(expected);
          expect(await postgresRows(client)).toEqual(sqliteRows(db));
          const inputs = learningInputsReader(db)(ids, now);
          expect(await loadLearningInputs(ids, now)).toEqual(inputs);
          db.run(published(''));
          await client.script(published('source.', 'published.'));
        }
      }),
      { seed: 77, numRuns, examples: knottyBatches.map((batches) => [batches]) },
    );
    db.close();
  });

  const set: MarketRow = { kind: 'set', source: 'feed', facts: aSet({ number: '1' }) };
  const sale = (sourceId: string, seller: string | null = null): MarketRow => ({
    kind: 'sale',
    sale: aSale({ itemKey: '1', sourceId, seller }),
  });

  test('a failed batch writes nothing, and uses up no id', async () => {
    await empty();
    const ingest = ingestOf(client);
    const before = await postgresRows(client);
    // PostgreSQL cannot store U+0000.
    await expect(ingest.applyRows([set, sale('a', 'no\u0000body')], now)).rejects.toThrow(
      'Unicode',
    );
    expect(await postgresRows(client)).toEqual(before);
    await ingest.applyRows([set], now);
    const ids = await client.query<{ id: number }>('SELECT id FROM published.item');
    expect(ids.map(({ id }) => id)).toEqual([1]);
  });

  test('a rehearsal has the same outcomes, even after a failure, and is rolled back', async () => {
    await empty();
    await ingestOf(client).applyRows([set], now);
    const before = await postgresRows(client);
    const undoable = await client.undoable();
    const rehearsed = ingestOf(undoable);
    expect(await rehearsed.applyRows([sale('a')], now)).toEqual([{ kind: 'added' }]);
    await expect(rehearsed.applyRows([sale('b', 'no\u0000body')], now)).rejects.toThrow('Unicode');
    expect(await rehearsed.applyRows([sale('a'), sale('b')], now)).toEqual([
      { kind: 'unchanged' },
      { kind: 'added' },
    ]);
    await undoable.close();
    expect(await postgresRows(client)).toEqual(before);
  });

  test('text is returned as stored', async () => {
    await empty();
    const sellers = [
      '\\N',
      '\\',
      'a\tb',
      'a\nb',
      'a\r\nb',
      '',
      ' ',
      '"',
      '{},',
      'NULL',
      'Žofie 🧱',
    ];
    const ids = sellers.map((seller) => `${seller}!`);
    const rows = sellers.map((seller, index) => sale(ids[index] ?? '', seller));
    await ingestOf(client).applyRows([set, ...rows], now);
    const stored = await client.query<{ source_id: string; seller: string }>(
      'SELECT source_id, seller FROM source.sale',
    );
    const found = new Map(stored.map((row) => [row.source_id, row.seller]));
    expect(ids.map((id) => found.get(id) ?? null)).toEqual(sellers);
    const again = await ingestOf(client).applyRows(rows, now);
    expect(again.every(({ kind }) => kind === 'unchanged')).toBe(true);
    const changed = rows.map((row) =>
      row.kind === 'sale'
        ? { ...row, sale: { ...row.sale, seller: `${row.sale.seller}\\t` } }
        : row,
    );
    await ingestOf(client).applyRows(changed, now);
    expect((await ingestOf(client).applyRows(changed, now))[0]).toEqual({ kind: 'unchanged' });
  });

  test('set numbers are found by key, in the requested order', async () => {
    await empty();
    const facts = aSet({ number: '9S' });
    await ingestOf(client).applyRows([set, { kind: 'set', source: 'feed', facts }], now);
    const found = await ingestOf(client).findNumbers('set', ['9s', 'none', '1']);
    expect([...found]).toEqual([
      ['9s', '9S'],
      ['1', '1'],
    ]);
    expect(await ingestOf(client).findNumbers('set', [])).toEqual(new Map());
  });
});
