/**
 * The benchmark: Brickmark beside bare servers that return the same bytes, in one run, as ratios.
 * `npm run bench` (add `-- --quick` for a short look).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchServer, startBrickmark, startPeers } from './servers.ts';
import { type BenchStore, benchFolder, command, prepareStore } from './store.ts';
import { ensureWrk, type Load, runWrk } from './wrk.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 2 : 5;
const seconds = isQuick ? 2 : 5;
const preparedRequests = 20_000;
const script = join(import.meta.dir, 'requests.lua');
const say = (text: string) => console.error(text);

ensureWrk();
const store = await prepareStore(say);
const brickmark = await startBrickmark();
const servers = [brickmark];
try {
  const path = `/api/v1/set/${store.sets[0]}`;
  const headers = { Authorization: `Bearer ${store.keys[0]}` };
  servers.push(...(await startPeers(await fetch(`${brickmark.url}${path}`, { headers }))));
  writeRequests((i) => `GET\t/api/v1/set/${zipf(store.sets, i)}\t${store.keys[i % 50]}`);
  report('GET /set/{number}', await compare(servers));
  reportMemory(brickmark);
  await benchSearch(store);
  await benchImport(store);
} finally {
  for (const server of servers) await server.stop();
}

/** Interleaved rounds, so that a slow moment of the machine hits all alike. */
async function compare(all: readonly BenchServer[]): Promise<Map<string, Load>> {
  const loads = new Map<string, Load[]>(all.map((server) => [server.name, []]));
  for (const server of all) await runWrk(server.url, { script, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const server of all) {
      loads.get(server.name)?.push(await runWrk(server.url, { script, seconds }));
    }
  }
  return new Map([...loads].map(([name, list]) => [name, medianLoad(list)]));
}

function medianLoad(loads: readonly Load[]): Load {
  const median = (pick: (load: Load) => number) =>
    loads.map(pick).sort((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN;
  return {
    requestsPerSecond: median((load) => load.requestsPerSecond),
    medianMs: median((load) => load.medianMs),
    p99Ms: median((load) => load.p99Ms),
    errors: loads.reduce((sum, load) => sum + load.errors, 0),
  };
}

function report(title: string, loads: ReadonlyMap<string, Load>): void {
  console.log(`\n${title}, 32 connections`);
  const own = loads.get('brickmark');
  for (const [name, load] of loads) {
    const ratio = own ? own.requestsPerSecond / load.requestsPerSecond : Number.NaN;
    console.log(
      `  ${name.padEnd(16)}${load.requestsPerSecond.toFixed(0).padStart(8)}/s  ` +
        `median ${load.medianMs.toFixed(2)} ms  p99 ${load.p99Ms.toFixed(2)} ms  ` +
        `errors ${load.errors}${name === 'brickmark' ? '' : `  ratio ${ratio.toFixed(2)}`}`,
    );
  }
  if (own) console.log(`  p99 over median: ${(own.p99Ms / own.medianMs).toFixed(1)}`);
}

/** How much memory the server holds after serving the whole catalog. */
function reportMemory(server: BenchServer): void {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  console.log(`  memory while serving: ${(kilobytes / 1024).toFixed(0)} MB`);
}

/** Searches that were never asked before, one after the other; then the same ones again. */
async function benchSearch({ keys }: BenchStore): Promise<void> {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const terms = [...letters].flatMap((a) => [...letters].map((b) => a + b)).slice(0, 300);
  const time = async (term: string) => {
    const start = performance.now();
    const url = `${brickmark.url}/api/v1/catalog/sets/search?q=${term}`;
    await (await fetch(url, { headers: { Authorization: `Bearer ${keys[0]}` } })).arrayBuffer();
    return performance.now() - start;
  };
  const times: number[] = [];
  for (const term of terms) times.push(await time(term));
  const sorted = times.sort((a, b) => a - b);
  console.log('\nGET /catalog/sets/search, two characters');
  console.log(`  first time, with the round trip: median ${sorted[150]?.toFixed(2)} ms`);
  writeRequests((i) => `GET\t/api/v1/catalog/sets/search?q=${terms[i % 300]}\t${keys[i % 50]}`);
  const again = await runWrk(brickmark.url, { script, seconds });
  console.log(`  again: ${again.requestsPerSecond.toFixed(0)}/s, errors ${again.errors}`);
}

/** The same load while a large import runs beside it. */
async function benchImport({ keys, sets }: BenchStore): Promise<void> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const feed = join(benchFolder, 'sales.ndjson');
  const writer = Bun.file(feed).writer();
  const run = Date.now();
  for (let i = 0; i < rows; i++) {
    const soldAt = new Date(run - (i % 1500) * 86_400_000 - 3_600_000).toISOString();
    const price = 20 + ((i * 7919) % 20_000) / 100;
    writer.write(
      `{"kind":"sale","source":"bench${run}","source_id":"${i}","item_type":"set",` +
        `"item":"${sets[i % sets.length]}","condition":"${i % 3 ? 'sealed' : 'used'}",` +
        `"price":${price},"sold_at":"${soldAt}"}\n`,
    );
  }
  await writer.end();
  writeRequests((i) => `GET\t/api/v1/set/${zipf(sets, i)}\t${keys[i % 50]}`);
  const start = performance.now();
  let isDone = false;
  const importing = command('import', 'feed', feed).finally(() => {
    isDone = true;
  });
  const loads: Load[] = [];
  while (!isDone) loads.push(await runWrk(brickmark.url, { script, seconds: 3 }));
  await importing;
  console.log(`\nGET /set/{number} while ${rows} sales are imported, valued and published`);
  const load = medianLoad(loads);
  console.log(
    `  ${load.requestsPerSecond.toFixed(0)}/s  median ${load.medianMs.toFixed(2)} ms  ` +
      `p99 ${load.p99Ms.toFixed(2)} ms (${(load.p99Ms / load.medianMs).toFixed(1)} times)  ` +
      `errors ${load.errors}; the import took ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
}

/** Prepares the requests of the next load. */
function writeRequests(line: (index: number) => string): void {
  const file = join(benchFolder, 'requests.txt');
  const lines = Array.from({ length: preparedRequests }, (_, index) => line(index));
  writeFileSync(file, `${lines.join('\n')}\n`);
  process.env.BENCH_REQUESTS = file;
}

/** A member by a Zipf law: the first are asked for far more often than the last. */
function zipf<T>(members: readonly T[], index: number): T {
  const uniform = ((index * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
  const rank = Math.floor(members.length ** uniform) - 1;
  return members[Math.min(rank, members.length - 1)] ?? (members[0] as T);
}
