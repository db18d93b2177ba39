/**
 * The costs of a larger installation: `npm run bench:growth`, or `npm run bench:growth -- 1 10 100`
 * for other multiples. Makes a market with its accounts, imports, values and serves it with the
 * embedded store, and prints a table with a column for each multiple. CPU time, which other
 * programs hardly affect.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saleRecord } from '../simulator/market/feed-records.ts';
import { Random } from '../simulator/market/random.ts';
import { createKey } from '../src/accounts/keys/api-keys.work.ts';
import { dayMs } from '../src/kernel/time.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { anAccount, aSale } from '../test/support/builders.ts';
import { peakOf, runMeasured } from '../test/support/measured.ts';
import { applyRows, rowsOf } from '../test/support/own-rows.ts';
import { childrenOf } from '../test/support/processes.ts';
import { type MarketFiles, type MarketSize, writeMarket } from './market-feeds.ts';
import { processSeconds } from './process-seconds.ts';
import { type BenchServer, startBrickmark } from './servers.ts';
import { benchFolder } from './store.ts';

/** Everything at 1×. Sets are looked at every hour of a year. */
const base = { sets: 2_500, sales: 100_000, watchedSets: 100, looksPerSet: 8_760, accounts: 100 };
/** Above this multiple there are no looks: they would take most of the time, and are linear. */
const looksUpTo = 10;
const lotsPerAccount = 50;
const salesDays = 5 * 365;
const warmCalls = 20_000;
const calls = 40_000;
const callsAtOnce = 32;

const brickmark = join(import.meta.dir, '..', 'bin', 'brickmark');
const folder = join(benchFolder, 'growth');
const data = join(folder, 'data');

/** Results by name; each is text for its column. */
type Column = Map<string, string>;

const given = process.argv.slice(2).map(Number);
const multiples = given.length > 0 ? given : [1, 10];
if (!multiples.every((multiple) => multiple > 0)) {
  console.error('Name multiples to measure: npm run bench:growth -- 1 10');
  process.exit(2);
}
const columns: Column[] = [];
for (const multiple of multiples) columns.push(await measure(multiple));
printTable(columns);

async function measure(multiple: number): Promise<Column> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const size = sizeOf(multiple);
  const column: Column = new Map();
  const note = (name: string, text: string) => {
    column.set(name, text);
    console.error(`${multiple}×  ${name}: ${text}`);
  };
  noteSize(size, note);
  const files = await writeMarket(folder, size);
  const step = async (name: string, ...words: string[]) => note(name, await stepCost(words));
  await step('import the catalog', 'import', 'feed', files.catalog, '--no-value');
  await step('import the sales', 'import', 'feed', ...files.sales, '--no-value');
  if (size.watchedSets > 0) {
    await step('import the looks', 'import', 'feed', files.looks, '--no-value');
  }
  await step('learn, value and publish everything', 'value');
  await step("import and publish a day's sales", 'import', 'feed', writeDay(files, size.sales));
  note('`market.db` on disk', megabytes(statSync(join(data, 'market.db')).size));
  const before = process.cpuUsage();
  const keys = await addAccounts(size.accounts, files.numbers);
  const { user, system } = process.cpuUsage(before);
  note('add the accounts', seconds((user + system) / 1e6));
  note('`accounts.db` on disk', megabytes(statSync(join(data, 'accounts.db')).size));
  await serve(files.numbers, keys, note);
  rmSync(folder, { recursive: true, force: true });
  return column;
}

type Size = MarketSize & { readonly accounts: number };

function sizeOf(multiple: number): Size {
  return {
    sets: Math.round(base.sets * multiple),
    sales: Math.round(base.sales * multiple),
    later: 0,
    watchedSets: multiple > looksUpTo ? 0 : Math.round(base.watchedSets * multiple),
    looksPerSet: base.looksPerSet,
    accounts: Math.round(base.accounts * multiple),
  };
}

function noteSize(size: Size, note: (name: string, text: string) => void): void {
  const count = (number: number) => number.toLocaleString('en-US');
  note('sets', count(size.sets));
  note('sales', count(size.sales));
  if (size.watchedSets > 0) note('looks', count(size.watchedSets * size.looksPerSet));
  note(`accounts with a key and ${lotsPerAccount} lots each`, count(size.accounts));
}

/** Runs a command; its CPU time and peak memory. */
async function stepCost(words: readonly string[]): Promise<string> {
  const took = await runMeasured([brickmark, ...words, '--json', '--data', data]);
  if (took.status !== 0) throw new Error(`'${words.join(' ')}' failed: ${took.stderr}`);
  return `${seconds(took.cpuSeconds)}, ${megabytes(took.memory)}`;
}

/** A feed with the new sales of one day. */
function writeDay({ numbers }: MarketFiles, sales: number): string {
  const random = new Random(36, 'day');
  const path = join(folder, 'day.ndjson');
  const lines = Array.from({ length: Math.ceil(sales / salesDays) }, (_, index) => {
    const itemKey = numbers[Math.floor(random.fraction() * numbers.length)] ?? '';
    const soldAt = Date.now() - Math.floor(random.fraction() * dayMs);
    return JSON.stringify(saleRecord(aSale({ itemKey, sourceId: `day-${index}`, soldAt })));
  });
  writeFileSync(path, lines.join('\n'));
  return path;
}

/** Adds accounts with a key and lots each; returns the keys. */
async function addAccounts(count: number, numbers: readonly string[]): Promise<string[]> {
  const random = new Random(36, 'lots');
  const store = openSqliteStore(data);
  const keys: string[] = [];
  const at = Date.now();
  for (let index = 0; index < count; index++) {
    const email = `owner-${index}@brickmark.example`;
    await store.accounts.addAccount(anAccount({ email, plan: 'reseller', at }));
    const key = { email, name: '', allowance: 1_000_000, expiresAt: null, at };
    const made = await createKey(store.accounts, key, (bytes) =>
      crypto.getRandomValues(new Uint8Array(bytes)),
    );
    if ('refusal' in made) throw new Error(made.refusal);
    keys.push(made.key);
    const { brickfolio, lot } = rowsOf(email);
    const lots = Array.from({ length: lotsPerAccount }, (_, place) => {
      const number = numbers[Math.floor(random.fraction() * numbers.length)] ?? '';
      return lot(`lot-${place}`, { number });
    });
    await applyRows(store.accounts, [brickfolio('Shelf'), ...lots], at);
  }
  await store.close();
  return keys;
}

/** Calls from all keys in turn, then pages. */
async function serve(
  numbers: readonly string[],
  keys: readonly string[],
  note: (name: string, text: string) => void,
): Promise<void> {
  const server = await startBrickmark(data);
  try {
    const random = new Random(36, 'calls');
    const get = async (path: string, index: number) => {
      const headers = { Authorization: `Bearer ${keys[index % keys.length]}` };
      const response = await fetch(`${server.url}${path}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    };
    const getSet = (index: number) => {
      const number = numbers[Math.floor(numbers.length * random.fraction() ** 3)];
      return get(`/api/v1/set/${number}`, index);
    };
    await get(`/api/v1/set/${numbers[0]}`, 0);
    note('serve: CPU until the first answer', seconds(processSeconds(server.pid)));
    await spread(warmCalls, getSet);
    note('a call of `GET /set/{number}`', await costEach(server, calls, getSet));
    const analytics = (index: number) => get('/api/v1/brickfolio/analytics?period=1y', index);
    const owners = Math.min(keys.length, 1_000);
    note('the analytics of an account', await costEach(server, owners, analytics));
    note('memory of the process that answers calls', megabytes(peakOf(server.pid)));
    await get('/api/v1/catalog/sets/search?q=castle', 0);
    for (const page of ['/', '/deals', `/sets/${numbers[0]}`]) await get(page, 0);
    note('memory with search, and of all processes with pages', memoryOf(server.pid));
  } finally {
    await server.stop();
  }
}

async function costEach(
  server: BenchServer,
  count: number,
  call: (index: number) => Promise<void>,
): Promise<string> {
  const before = processSeconds(server.pid);
  await spread(count, call);
  const each = (processSeconds(server.pid) - before) / count;
  return each < 0.001 ? `${(each * 1e6).toFixed(0)} µs` : `${(each * 1e3).toFixed(1)} ms`;
}

async function spread(count: number, call: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: callsAtOnce }, client));
}

/** Peak of the server itself, and the sum over all its processes now. */
function memoryOf(pid: number): string {
  const now = (each: number) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  };
  const all = [pid, ...childrenOf(pid)].reduce((sum, each) => sum + now(each), 0);
  return `${megabytes(peakOf(pid))}, ${megabytes(all)}`;
}

function printTable(results: readonly Column[]): void {
  const names = new Set(results.flatMap((column) => [...column.keys()]));
  console.log(`| CPU time, memory | ${multiples.map((multiple) => `${multiple}×`).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(results.length)}`);
  for (const name of names) {
    console.log(`| ${name} | ${results.map((column) => column.get(name) ?? '').join(' | ')} |`);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}
