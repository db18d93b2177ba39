/**
 * The same store on SQLite and on a durable, temporary PostgreSQL (`npm run bench:postgres`):
 * rates, costs per request on each side, row sizes, and the time of `move`. Everything shares this
 * machine, so costs are more meaningful than rates.
 */
import { PostgresServer } from '../test/support/postgres-server.ts';
import { processSeconds } from './process-seconds.ts';
import { getEntries, getSet, postBatch, type RequestLine, searchSets } from './requests.ts';
import { type BenchServer, startBrickmark } from './servers.ts';
import { command, prepareStore } from './store.ts';
import { ensureWrk, runWrk, script, writeRequests } from './wrk.ts';

const measured: Readonly<Record<string, RequestLine>> = {
  'GET /set/{number}': getSet,
  'entries, pages of 50': getEntries,
  'search, repeated': searchSets,
  'batch of 100': postBatch,
};

const seconds = process.argv.includes('--quick') ? 3 : 10;
const warmSeconds = 4;
ensureWrk();
const store = await prepareStore((text) => console.error(text));
const postgres = await PostgresServer.launch({ isDurable: true });
try {
  await postgres.query('CREATE DATABASE bench');
  const moved = JSON.parse(await command('move', '--to', postgres.url('bench')));
  console.log(`moved ${moved.rows} rows in ${moved.seconds} s\n`);
  // Otherwise autovacuum would do it while the first rounds are measured.
  await postgres.query('VACUUM ANALYZE', 'bench');
  const database = ['--database', postgres.url('bench')];
  await measure('embedded', () => startBrickmark());
  await measure('PostgreSQL', () => startBrickmark(undefined, database));
  await measure('PostgreSQL, 2 workers', () =>
    startBrickmark(undefined, [...database, '--workers', '2']),
  );
  await showSizes();
} finally {
  await postgres.remove();
}

async function measure(name: string, start: () => Promise<BenchServer>): Promise<void> {
  console.log(name);
  const server = await start();
  try {
    let setsPerSecond = 0;
    for (const [what, line] of Object.entries(measured)) {
      const perSecond = await measureRequests(server, what, line);
      setsPerSecond ||= perSecond;
      console.log(`    ${(perSecond / setsPerSecond).toFixed(2)} of GET /set/{number}`);
    }
  } finally {
    await server.stop();
  }
}

/** Returns the requests per second. */
async function measureRequests(
  server: BenchServer,
  what: string,
  line: RequestLine,
): Promise<number> {
  writeRequests((index) => line(store, index));
  await runWrk(server, { script, seconds: warmSeconds });
  await untilQuiet();
  const [cpu, databaseCpu, wal] = [
    processSeconds(server.pid),
    processSeconds(postgres.pid),
    await walBytes(),
  ];
  const load = await runWrk(server, { script, seconds });
  const requests = load.requestsPerSecond * seconds;
  const micros = (used: number) => `${((used / requests) * 1e6).toFixed(0)} µs`;
  console.log(
    `  ${what}: ${load.requestsPerSecond.toFixed(0)}/s, median ${load.medianMs.toFixed(1)} ms, ` +
      `p99 ${load.p99Ms.toFixed(1)} ms, ${load.errors} errors\n` +
      `    a request: ${micros(processSeconds(server.pid) - cpu)} here, ` +
      `${micros(processSeconds(postgres.pid) - databaseCpu)} in PostgreSQL, ` +
      `${(((await walBytes()) - wal) / requests).toFixed(0)} bytes of its log`,
  );
  return load.requestsPerSecond;
}

/** After its start, a server reads the catalog in the background, which is not work of calls. */
async function untilQuiet(): Promise<void> {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()";
  for (let quiet = 0; quiet < 20; quiet++) {
    if ((await postgres.query(sql)).length > 0) quiet = -1;
    await Bun.sleep(100);
  }
}

async function walBytes(): Promise<number> {
  const sql = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes";
  const [row] = await postgres.query<{ bytes: string }>(sql);
  return Number(row?.bytes);
}

async function showSizes(): Promise<void> {
  const rows = await postgres.query<{ name: string; bytes: string; rows: string }>(
    `SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid) AS bytes,
       greatest(n_live_tup, 1) AS rows
     FROM pg_stat_user_tables ORDER BY 2 DESC LIMIT 12`,
    'bench',
  );
  console.log('\ntable, rows, bytes for each with its indexes');
  for (const { name, bytes, rows: count } of rows) {
    console.log(`  ${name}  ${count}  ${(Number(bytes) / Number(count)).toFixed(0)}`);
  }
}
