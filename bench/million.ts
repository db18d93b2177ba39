/**
 * Imports and publishes a million sales of twenty thousand sets in chronological order, compared
 * with parsing the same file and inserting it in one transaction into a table with the same
 * indexes. Then measures how soon a running server shows one more sale.
 */

import { Database } from 'bun:sqlite';
import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeCatalog } from '../simulator/market/catalog.ts';
import { rateRecord, saleRecord, setRecord } from '../simulator/market/feed-records.ts';
import { Rates } from '../simulator/market/fx.ts';
import { marketSales } from '../simulator/market/market-sales.ts';
import { makeWorld } from '../simulator/market/world.ts';
import { scriptsIn } from '../src/store/sql/migrations.ts';
import { marketMigrations } from '../src/store/sqlite/schema.ts';
import { startBrickmark } from './servers.ts';
import { benchFolder, commandIn } from './store.ts';

const seed = 9;
const sets = 20_000;
const folder = join(benchFolder, 'million');
const files = {
  catalog: join(folder, 'catalog.ndjson'),
  sales: join(folder, 'sales.ndjson'),
  one: join(folder, 'one.ndjson'),
  reference: join(folder, 'reference.db'),
  data: join(folder, 'data'),
};

export async function benchMillion(sales: number): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const set = await writeFeeds(sales);
  await commandIn(files.data, 'import', 'feed', files.catalog);
  const plain = await seconds(insertPlainly);
  const whole = await seconds(() => commandIn(files.data, 'import', 'feed', files.sales));
  console.log(`\n${sales} sales of ${sets} sets: ingested, valued and published`);
  console.log(
    `  ${whole.toFixed(1)} s; parsed and inserted plainly ${plain.toFixed(1)} s; ` +
      `ratio ${(whole / plain).toFixed(2)}`,
  );
  await benchOneSale(set);
  rmSync(folder, { recursive: true, force: true });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Writes catalog and sales; returns the number of a set with sales. */
async function writeFeeds(count: number): Promise<string> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  // A few more than needed, since their number is random.
  const salesPerSet = (1.02 * count) / sets;
  const size = { sets, salesPerSet, minifigs: 0, salesPerMinifig: 0, offerYears: 0 };
  const world = makeWorld({ seed, today, size });
  const catalog = makeCatalog(world);
  const rates = new Rates(world);
  const records = [
    ...rates.list().map(rateRecord),
    ...catalog.sets.map(({ facts }) => setRecord(facts)),
  ];
  writeFileSync(files.catalog, records.map((record) => JSON.stringify(record)).join('\n'));
  const sales = [...marketSales(world, catalog, rates)].flat().map(({ sale }) => sale);
  sales.sort((a, b) => a.soldAt - b.soldAt);
  const writer = Bun.file(files.sales).writer();
  for (const sale of sales.slice(0, count)) writer.write(`${JSON.stringify(saleRecord(sale))}\n`);
  await writer.end();
  return sales[0]?.itemKey ?? '';
}

/** The minimum work: parsing the file and inserting the rows. */
async function insertPlainly(): Promise<void> {
  const db = new Database(files.reference, { create: true });
  db.run('PRAGMA journal_mode = WAL');
  db.run('PRAGMA synchronous = NORMAL');
  db.run('PRAGMA cache_size = -32000');
  for (const sql of scriptsIn(marketMigrations)) db.run(sql);
  const insert = db.query(
    `INSERT INTO sale (item_id, source, source_id, condition, price_cents, shipping_cents,
       currency, quantity, sold_at, channel, seller, completeness, ingested_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const ids = new Map<string, number>();
  const at = Date.now();
  db.run('BEGIN');
  for await (const line of createInterface({ input: createReadStream(files.sales) })) {
    const sale = JSON.parse(line);
    const id = ids.get(sale.item) ?? ids.size + 1;
    ids.set(sale.item, id);
    insert.run(
      id,
      sale.source,
      sale.source_id,
      sale.condition,
      Math.round(sale.price * 100),
      Math.round((sale.shipping ?? 0) * 100),
      sale.currency ?? 'USD',
      sale.quantity ?? 1,
      Date.parse(sale.sold_at),
      sale.channel ?? null,
      sale.seller ?? null,
      sale.completeness ?? null,
      at,
    );
  }
  db.run('COMMIT');
  db.close();
}

/** Imports a sale during serving; the start-up time of the command counts. */
async function benchOneSale(set: string): Promise<void> {
  await commandIn(files.data, 'account', 'add', 'one@brickmark.example', '--plan', 'reseller');
  const made = await commandIn(files.data, 'key', 'add', 'one@brickmark.example');
  const headers = { Authorization: `Bearer ${JSON.parse(made).key}` };
  const server = await startBrickmark(files.data);
  const value = async () => {
    const response = await fetch(`${server.url}/api/v1/set/${set}`, { headers });
    const { data } = (await response.json()) as { data: { value_range: unknown } };
    return JSON.stringify(data.value_range);
  };
  try {
    const before = await value();
    const sale = { kind: 'sale', source: 'bench', source_id: '1', item_type: 'set', item: set };
    const facts = { condition: 'sealed', price: 50, sold_at: new Date().toISOString() };
    writeFileSync(files.one, JSON.stringify({ ...sale, ...facts }));
    const start = performance.now();
    const importing = commandIn(files.data, 'import', 'feed', files.one);
    while ((await value()) === before) await Bun.sleep(10);
    const shown = performance.now() - start;
    await importing;
    console.log(
      `  one more sale is shown after ${shown.toFixed(0)} ms, the start of the command included`,
    );
  } finally {
    await server.stop();
  }
}
