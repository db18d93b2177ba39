/**
 * One table of sales compared with partitions by month, on PostgreSQL: `npm run bench:partitions`,
 * or `npm run bench:partitions -- MILLIONS MONTHS`. Both have the same made-up sales of 25,000
 * sets. All figures are CPU time, of this process and of PostgreSQL.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { Random } from '../simulator/market/random.ts';
import { dayMs, monthOf, monthStart } from '../src/kernel/time.ts';
import type { MarketRow } from '../src/market/source-rows/market-ingest.ts';
import { openPostgresStore } from '../src/store/postgres/store.ts';
import type { Store } from '../src/store/store.ts';
import { anImport, aSale, setRow } from '../test/support/builders.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { processSeconds } from './process-seconds.ts';

const [millions = 1, months = 60] = process.argv.flatMap((word) =>
  /^\d+$/.test(word) ? Number(word) : [],
);
const sets = 25_000;
const sales = millions * 1_000_000;
/** As in imports. */
const rowsPerBatch = 50_000;
const lookups = 2_000;
const lookupsAtOnce = 100;

const thisMonth = monthOf(Date.now());
const firstMonth = thisMonth - months;
const recipe = join(import.meta.dir, '..', 'docs', 'examples', 'partition-sales.sql');

const postgres = await PostgresServer.launch({
  isDurable: true,
  settings: {
    fsync: 'off',
    autovacuum: 'off',
    shared_buffers: '512MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '8GB',
    max_locks_per_transaction: '1024',
  },
});
try {
  await measure('plain', false);
  await measure('by_month', true);
} finally {
  await postgres.remove();
}

async function measure(name: string, isPartitioned: boolean): Promise<void> {
  console.log(`\n${name}: ${sales} sales, ${months} months`);
  await postgres.query(`CREATE DATABASE ${name}`);
  const url = postgres.url(name);
  const sql = new SQL({ url, max: 1 });
  const run = (text: string) => sql.unsafe(text).simple();
  const store = await openPostgresStore(url, {
    isServing: false,
    clock: null,
    replicaUrl: null,
    connections: 4,
  });
  try {
    await addSets(store);
    await fill(run);
    if (isPartitioned) {
      await timed('partition them', () => run(readFileSync(recipe, 'utf8')));
    }
    await run('VACUUM ANALYZE source.sale');
    await printSizes(sql);
    await measureImports(store);
    await measureLookups(store);
    await measureUpkeep(run, isPartitioned);
    await printSizes(sql);
  } finally {
    await store.close();
    await sql.close();
    await postgres.query(`DROP DATABASE ${name}`);
  }
}

async function addSets(store: Store): Promise<void> {
  const rows = Array.from({ length: sets }, (_, index) => setRow(numberOf(index)));
  await store.market.applyRows(rows, Date.now());
}

/** Sales in order of time, as imports add them; some sets have many, most have few. */
async function fill(run: (text: string) => Promise<unknown>): Promise<void> {
  const [from, until] = [monthStart(firstMonth), monthStart(thisMonth)];
  await run(`
    ALTER TABLE source.sale DROP CONSTRAINT sale_pkey;
    DROP INDEX source.sale_item, source.sale_foreign;
    INSERT INTO source.sale
    SELECT 1 + floor(${sets} * pow(random(), 2))::bigint, 'ebay',
      ((n * 2654435761) % 1000000000039)::text, CASE WHEN n % 3 = 0 THEN 'used' ELSE 'sealed' END,
      2000 + n % 20000, n % 900, CASE WHEN n % 5 = 0 THEN 'EUR' ELSE 'USD' END, 1,
      ${from} + floor(n * (${until - from}::float8 / ${sales}))::bigint, 'auction', NULL, NULL,
      ${from}, NULL
    FROM generate_series(0, ${sales - 1}) AS n;
    ALTER TABLE source.sale ADD PRIMARY KEY (source, source_id);
    CREATE INDEX sale_item ON source.sale (item_id, sold_at);
    CREATE INDEX sale_foreign ON source.sale (currency, sold_at, retracted_at)
      WHERE currency <> 'USD'`);
}

/** A month of new sales, the same again, and its undo. */
async function measureImports(store: Store): Promise<void> {
  const { market } = store;
  const now = Date.now();
  const rows = newSales(Math.min(200_000, Math.round(sales / months)));
  const id = await market.logImport(anImport({ startedAt: now, endedAt: now }));
  const load = async (importId: number | null) => {
    for (let from = 0; from < rows.length; from += rowsPerBatch) {
      await market.applyRows(rows.slice(from, from + rowsPerBatch), now, importId);
    }
  };
  await timed('import a month', () => load(id), rows.length);
  await timed('import it again', () => load(null), rows.length);
  await timed('undo the import', () => market.undoImport(id, now), rows.length);
}

function newSales(count: number): MarketRow[] {
  const random = new Random(36, 'partitions');
  const since = Date.now() - 10 * dayMs;
  return Array.from({ length: count }, (_, index): MarketRow => {
    const itemKey = numberOf(Math.floor(sets * random.fraction() ** 2));
    const sourceId = `new-${Math.floor(random.fraction() * 1e12)}-${index}`;
    const soldAt = since + Math.floor((index / count) * 9 * dayMs);
    return { kind: 'sale', sale: aSale({ source: 'ebay', sourceId, itemKey, soldAt }) };
  });
}

/** The rows of sets, as for valuing them. */
async function measureLookups(store: Store): Promise<void> {
  const random = new Random(36, 'lookups');
  const ids = Array.from({ length: lookups }, () => 1 + Math.floor(sets * random.fraction()));
  const load = async () => {
    for (let from = 0; from < ids.length; from += lookupsAtOnce) {
      await store.market.loadLearningInputs(ids.slice(from, from + lookupsAtOnce), Date.now());
    }
  };
  await timed('read the sales of a set', load, lookups);
}

/** Maintenance by an operator, which needs no Brickmark. */
async function measureUpkeep(
  run: (text: string) => Promise<unknown>,
  isPartitioned: boolean,
): Promise<void> {
  const [from, until] = [monthStart(firstMonth), monthStart(firstMonth + 1)];
  const within = `sold_at >= ${from} AND sold_at < ${until}`;
  const oldest = `source.sale_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
  await timed('count a month', () => run(`SELECT count(*) FROM source.sale WHERE ${within}`));
  await timed('dump a month', async () => {
    const columns = isPartitioned ? `TABLE ${oldest}` : `SELECT * FROM source.sale WHERE ${within}`;
    await run(`CREATE TEMP TABLE dumped AS ${columns}`);
  });
  await timed('remove a month', () =>
    run(isPartitioned ? `DROP TABLE ${oldest}` : `DELETE FROM source.sale WHERE ${within}`),
  );
  await timed('vacuum', () => run('VACUUM source.sale'));
  await timed('rebuild the indexes', () => run('REINDEX TABLE source.sale'));
}

async function printSizes(sql: SQL): Promise<void> {
  const rows = await sql.unsafe(`
    SELECT coalesce(sum(pg_table_size(c.oid)), 0)::float8 AS rows,
      coalesce(sum(pg_indexes_size(c.oid)), 0)::float8 AS indexes,
      max(pg_indexes_size(c.oid))::float8 AS largest
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'source' AND c.relname LIKE 'sale%' AND c.relkind = 'r'`);
  const [size] = rows as { rows: number; indexes: number; largest: number }[];
  const megabytes = (bytes = 0) => `${Math.round(bytes / 2 ** 20)} MB`;
  console.log(
    `  rows ${megabytes(size?.rows)}, indexes ${megabytes(size?.indexes)}, ` +
      `largest of a table ${megabytes(size?.largest)}`,
  );
}

/** Prints CPU and elapsed time; per piece, if there are pieces. */
async function timed(name: string, work: () => Promise<unknown>, pieces = 0): Promise<void> {
  const start = performance.now();
  const [own, database] = [process.cpuUsage(), processSeconds(postgres.pid)];
  await work();
  const { user, system } = process.cpuUsage(own);
  const [here, there] = [(user + system) / 1e6, processSeconds(postgres.pid) - database];
  const each = pieces > 0 ? `, ${(((here + there) / pieces) * 1e6).toFixed(0)} µs each` : '';
  console.log(
    `  ${name}: ${(here + there).toFixed(2)} s of CPU (database ${there.toFixed(2)})${each}, ` +
      `${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

function numberOf(index: number): string {
  return String(100_000 + index);
}
