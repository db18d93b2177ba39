/**
 * The first requests after `/readyz` reports that a server is ready, on a copy of the store in a
 * folder: `npm run bench:ready -- FOLDER`. Prints the time and the CPU time of the server and its
 * helpers for each, then their memory. With `--postgres`, the copy is moved to a PostgreSQL of its
 * own first; `--workers N` needs it. Linux only.
 */
import { Database } from 'bun:sqlite';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { memoryReport } from './memory-log.ts';
import { processSeconds } from './process-seconds.ts';
import { commandIn, run } from './store.ts';
import { signInAs } from './visitor.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('--')) {
  throw new Error('Say which folder has the store: npm run bench:ready -- FOLDER');
}
const workersIndex = process.argv.indexOf('--workers');
const workers = workersIndex < 0 ? [] : ['--workers', process.argv[workersIndex + 1] ?? '2'];
const port = Number(process.env.BENCH_PORT ?? 18_090);
const lotCount = 5_000;
const owner = { email: 'first-requests@brickmark.example', password: 'a first portfolio' };
const brickmark = join(import.meta.dir, '..', 'bin', 'brickmark');
const url = `http://127.0.0.1:${port}`;

const place = mkdtempSync(join(tmpdir(), 'brickmark-ready-'));
const postgres = process.argv.includes('--postgres') ? await PostgresServer.launch() : null;
try {
  const data = join(place, 'data');
  cpSync(folder, data, { recursive: true });
  const key = await addOwner(data);
  await measure(key, postgres ? await moveTo(postgres, data) : ['--data', data]);
} finally {
  await postgres?.remove();
  rmSync(place, { recursive: true, force: true });
}

/** An account with a key and a large collection. */
async function addOwner(data: string): Promise<string> {
  const { email, password } = owner;
  await run(data, ['account', 'add', email, '--plan', 'reseller', '--password-stdin'], password);
  const made = await commandIn(data, 'key', 'add', email, '--allowance', '100000');
  using market = new Database(join(data, 'market.db'), { readonly: true });
  const sets = market
    .query<{ key: string }, [number]>(
      `SELECT key FROM item WHERE kind = 'set' AND part_of IS NULL
       ORDER BY id * 7919 % 10007 LIMIT ?`,
    )
    .all(lotCount);
  const lots = Array.from({ length: lotCount }, (_, index) => ({
    kind: 'holding',
    account: email,
    source_id: `lot-${index}`,
    brickfolio: 'Warehouse',
    set_number: sets[index % sets.length]?.key,
    condition: index % 3 === 0 ? 'used' : 'sealed',
    quantity: 1,
    purchase_price_usd: 20,
    purchase_date: `2025-0${1 + (index % 9)}-15`,
  }));
  const file = join(place, 'lots.ndjson');
  const lines = [{ kind: 'brickfolio', account: email, name: 'Warehouse' }, ...lots];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  await commandIn(data, 'import', 'feed', file);
  return JSON.parse(made).key;
}

/** Returns the flags that select the store. */
async function moveTo(server: PostgresServer, data: string): Promise<string[]> {
  await server.query('CREATE DATABASE bench');
  const database = server.url('bench');
  await commandIn(data, 'move', '--to', database);
  return ['--database', database];
}

async function measure(key: string, store: readonly string[]): Promise<void> {
  const started = performance.now();
  const command = [brickmark, 'serve', ...store, ...workers, '--port', String(port)];
  const server = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' });
  try {
    await untilReady();
    const cpu = processSeconds(server.pid);
    const seconds = (performance.now() - started) / 1_000;
    console.log(`ready after ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU time`);
    const { cookie } = await time(server.pid, 'sign-in', () => signInAs(url, owner));
    const page = (path: string) => () => get(path, { Cookie: cookie });
    const call = (path: string) => () => get(path, { Authorization: `Bearer ${key}` });
    await time(server.pid, 'home page', () => get('/', {}));
    await time(server.pid, 'search, page', page('/market?q=castle'));
    await time(server.pid, 'deals, page', page('/deals'));
    await time(server.pid, 'portfolio, page', page('/portfolio'));
    await time(server.pid, 'search, API', call('/api/v1/catalog/sets/search?q=castle'));
    await time(server.pid, 'deals, API', call('/api/plus/v1/deals'));
    console.log('\nmemory');
    for (const line of memoryReport(server.pid)) console.log(line);
  } finally {
    server.kill('SIGTERM');
    await server.exited;
  }
}

async function untilReady(): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await Bun.sleep(10);
}

async function time<T>(pid: number, name: string, work: () => Promise<T>): Promise<T> {
  const before = processSeconds(pid);
  const start = performance.now();
  const done = await work();
  const ms = performance.now() - start;
  const cpuMs = 1_000 * (processSeconds(pid) - before);
  console.log(
    `${name.padEnd(18)}${ms.toFixed(0).padStart(6)} ms, ${cpuMs.toFixed(0)} ms of CPU time`,
  );
  return done;
}

async function get(path: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url + path, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
}
