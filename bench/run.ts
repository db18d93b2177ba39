/**
 * The benchmark: Brickmark compared with bare servers that return the same bytes, as ratios within
 * one run. `npm run bench`, with these options after `--`:
 *
 * --quick           a short run
 * --answers         single calls and batches only
 * --fair            API calls during floods
 * --against COMMIT  also the build of another commit
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { comparedBuild, conditions } from './builds.ts';
import { benchFair } from './fair.ts';
import { benchMillion } from './million.ts';
import { benchPortfolio } from './portfolio.ts';
import { getSet, postBatch, type RequestLine, searchSets, searchTerms } from './requests.ts';
import { type BenchServer, startBrickmark, startBuild, startPeers } from './servers.ts';
import { type BenchStore, benchFolder, command, prepareStore } from './store.ts';
import { ensureWrk, type Load, median, medianLoad, runWrk, script, writeRequests } from './wrk.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 2 : 5;
const seconds = isQuick ? 2 : 5;
const warmSeconds = 4;
const say = (text: string) => console.error(text);

ensureWrk();
console.log(conditions());
const compared = comparedBuild(process.argv);
const store = await prepareStore(say);
if (process.argv.includes('--fair')) {
  await benchFair(store, { rounds: isQuick ? 1 : 3, seconds });
  process.exit(0);
}
const comparedStore = compared && (await prepareStore(say, compared));
await benchAnswers('GET /set/{number}', getSet);
await benchAnswers('POST /catalog/batch, 100 sets', postBatch);
if (process.argv.includes('--answers')) process.exit(0);
const brickmark = await startBrickmark();
try {
  await benchSearch(store);
  await benchPortfolio(brickmark, store, { rounds, seconds });
  await benchImport(store);
} finally {
  await brickmark.stop();
  // The import has changed the store, so the next run creates a new one.
  rmSync(join(benchFolder, 'store.json'));
}
await benchMillion(isQuick ? 100_000 : 1_000_000);

/**
 * Answers compared with bare peers and another build. Rounds are interleaved, so that load on the
 * machine affects all equally; every round restarts the servers, since the same program differs by
 * a tenth between starts.
 */
async function benchAnswers(title: string, request: RequestLine): Promise<void> {
  const loads = new Map<string, Load[]>();
  let megabytes = 0;
  for (let round = 0; round < rounds; round++) {
    const own = await startBrickmark();
    const servers = [own];
    try {
      if (compared) servers.push(await startBuild(compared));
      servers.push(...(await startPeers(await medianAnswer(own, request))));
      for (const server of servers) await load(server, request, warmSeconds);
      for (const server of servers) {
        const measured = await load(server, request, seconds);
        loads.set(server.name, [...(loads.get(server.name) ?? []), measured]);
      }
      megabytes = Math.max(megabytes, memoryOf(own));
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  report(title, loads);
  console.log(`  memory while serving: ${megabytes.toFixed(0)} MB`);
}

function load(server: BenchServer, request: RequestLine, seconds: number): Promise<Load> {
  const keysOf = server.name === compared?.name ? comparedStore : store;
  writeRequests((index) => request(keysOf ?? store, index));
  return runWrk(server, { script, seconds });
}

/** The response of median length, for the peers to return. */
async function medianAnswer(server: BenchServer, request: RequestLine): Promise<Response> {
  const answers = await Promise.all(
    Array.from({ length: 101 }, async (_, index) => {
      const response = await send(server, request(store, index));
      return { response, length: (await response.clone().arrayBuffer()).byteLength };
    }),
  );
  const middle = answers.sort((a, b) => a.length - b.length)[50];
  if (!middle) throw new Error('There was no answer.');
  return middle.response;
}

function send(server: BenchServer, request: string): Promise<Response> {
  const [method = '', path = '', key = '', body = null] = request.split('\t');
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    // As wrk, which does not ask for compression.
    'Accept-Encoding': 'identity',
  };
  return fetch(`${server.url}${path}`, { method, headers, body });
}

function report(title: string, rounds: ReadonlyMap<string, readonly Load[]>): void {
  console.log(`\n${title}, 32 connections, median of the rounds`);
  const own = rounds.get('brickmark') ?? [];
  for (const [name, loads] of rounds) {
    const load = medianLoad(loads);
    console.log(
      `  ${name.padEnd(16)}${load.requestsPerSecond.toFixed(0).padStart(8)}/s  ` +
        `median ${load.medianMs.toFixed(2)} ms  p99 ${load.p99Ms.toFixed(2)} ms  ` +
        `CPU ${load.cpuPerAnswer.toFixed(1)} µs  errors ${load.errors}` +
        (name === 'brickmark' ? '' : ratios(own, loads)),
    );
  }
  const load = medianLoad(own);
  console.log(`  p99 over median: ${(load.p99Ms / load.medianMs).toFixed(1)}`);
}

/** How Brickmark relates to a peer, round by round; above 1 it is faster, or takes less time. */
function ratios(own: readonly Load[], peer: readonly Load[]): string {
  const rate = own.map((load, i) => load.requestsPerSecond / (peer[i]?.requestsPerSecond ?? NaN));
  const cpu = own.map((load, i) => (peer[i]?.cpuPerAnswer ?? NaN) / load.cpuPerAnswer);
  return `  ratio ${spread(rate)}, by CPU ${spread(cpu)}`;
}

function spread(numbers: readonly number[]): string {
  const [low, middle, high] = [Math.min(...numbers), median(numbers), Math.max(...numbers)];
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Resident memory in megabytes. */
function memoryOf(server: BenchServer): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Searches that are not cached, one after the other; then the same again. */
async function benchSearch(store: BenchStore): Promise<void> {
  const time = async (term: string) => {
    const start = performance.now();
    const url = `${brickmark.url}/api/v1/catalog/sets/search?q=${term}`;
    await (
      await fetch(url, { headers: { Authorization: `Bearer ${store.keys[0]}` } })
    ).arrayBuffer();
    return performance.now() - start;
  };
  const times: number[] = [];
  for (const term of searchTerms) times.push(await time(term));
  const sorted = times.sort((a, b) => a - b);
  console.log('\nGET /catalog/sets/search, two characters');
  console.log(`  first time, with the round trip: median ${sorted[150]?.toFixed(2)} ms`);
  writeRequests((index) => searchSets(store, index));
  const again = await runWrk(brickmark, { script, seconds });
  console.log(`  again: ${again.requestsPerSecond.toFixed(0)}/s, errors ${again.errors}`);
}

/** The same load during a large import. */
async function benchImport(store: BenchStore): Promise<void> {
  const { sets } = store;
  const rows = isQuick ? 100_000 : 1_000_000;
  const feed = join(benchFolder, 'sales.ndjson');
  const writer = Bun.file(feed).writer();
  const run = Date.now();
  for (let i = 0; i < rows; i++) {
    const soldAt = new Date(run - (i % 1500) * 86_400_000 - 3_600_000).toISOString();
    const price = (2_000 + ((i * 7919) % 20_000)) / 100;
    writer.write(
      `{"kind":"sale","source":"bench${run}","source_id":"${i}","item_type":"set",` +
        `"item":"${sets[i % sets.length]}","condition":"${i % 3 ? 'sealed' : 'used'}",` +
        `"price":${price},"sold_at":"${soldAt}"}\n`,
    );
  }
  await writer.end();
  writeRequests((index) => getSet(store, index));
  const start = performance.now();
  let isDone = false;
  const importing = command('import', 'feed', feed).finally(() => {
    isDone = true;
  });
  const loads: Load[] = [];
  await runWrk(brickmark, { script, seconds: 1 });
  while (!isDone) loads.push(await runWrk(brickmark, { script, seconds: 3 }));
  await importing;
  console.log(`\nGET /set/{number} while ${rows} sales are imported, valued and published`);
  const load = medianLoad(loads);
  console.log(
    `  ${load.requestsPerSecond.toFixed(0)}/s  median ${load.medianMs.toFixed(2)} ms  ` +
      `p99 ${load.p99Ms.toFixed(2)} ms (${(load.p99Ms / load.medianMs).toFixed(1)} times)  ` +
      `errors ${load.errors}; the import took ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
}
