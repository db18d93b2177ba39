/**
 * `npm run bench -- --fair`: `GET /set/{number}` during floods of page requests, exports and
 * uploads, and calls of the largest possible account. Everything runs on this machine, including
 * the floods.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Flood, FloodLoop } from './flood.ts';
import { type BenchServer, startBrickmark } from './servers.ts';
import { type BenchStore, benchFolder, heavy } from './store.ts';
import { signInAs } from './visitor.ts';
import { type Load, medianLoad, runWrk, script, writeRequests, zipf } from './wrk.ts';

/** The targets: the rate relative to calm, and the p99 latency. */
const goals = { rate: 0.5, p99Ratio: 5, p99Ms: 50 };

interface Attack {
  readonly name: string;
  readonly loops: readonly FloodLoop[];
}

/** Measures each attack against calm, and reports whether the targets are met. */
export async function benchFair(
  store: BenchStore,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<void> {
  // A trusted proxy, so that requests can claim to be from many networks.
  process.env.BRICKMARK_TRUSTED_PROXIES = '127.0.0.1';
  const server = await startBrickmark();
  try {
    const attacks = await listAttacks(server, store);
    writeRequests((i) => `GET\t/api/v1/set/${zipf(store.sets, i)}\t${store.keys[i % 50]}`);
    await runWrk(server, { script, seconds: 4 });
    const calm: Load[] = [];
    for (let round = 0; round < rounds; round++) {
      calm.push(await runWrk(server, { script, seconds }));
    }
    console.log('\nGET /set/{number}, 32 connections, during floods');
    report('calm', medianLoad(calm), medianLoad(calm), '');
    for (const attack of attacks) {
      const { loads, floodReport } = await underAttack(server, attack, { rounds, seconds });
      report(attack.name, medianLoad(loads), medianLoad(calm), floodReport);
    }
  } finally {
    await server.stop();
  }
}

async function underAttack(
  server: BenchServer,
  { loops }: Attack,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<{ loads: Load[]; floodReport: string }> {
  const flood: Flood = { url: server.url, seconds: rounds * seconds + 2, loops };
  const command = [process.execPath, join(import.meta.dir, 'flood.ts'), JSON.stringify(flood)];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
  await Bun.sleep(1_500);
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round++) {
    loads.push(await runWrk(server, { script, seconds }));
  }
  const floodReport = (await new Response(child.stdout).text()).trim();
  return { loads, floodReport };
}

function report(name: string, load: Load, calm: Load, floodReport: string): void {
  const rate = load.requestsPerSecond / calm.requestsPerSecond;
  const p99Ratio = load.p99Ms / calm.p99Ms;
  const isGood = rate >= goals.rate && p99Ratio <= goals.p99Ratio && load.p99Ms <= goals.p99Ms;
  console.log(
    `  ${name.padEnd(44)}${load.requestsPerSecond.toFixed(0).padStart(7)}/s (${rate.toFixed(2)})` +
      `  median ${load.medianMs.toFixed(2)} ms  p99 ${load.p99Ms.toFixed(1)} ms ` +
      `(${p99Ratio.toFixed(1)} times)  errors ${load.errors}  ${isGood ? 'good' : 'MISSED'}` +
      `${floodReport && `\n${' '.repeat(6)}the flood got ${floodReport}`}`,
  );
}

async function listAttacks(server: BenchServer, store: BenchStore): Promise<Attack[]> {
  const visitor = await signInAs(server.url, heavy);
  const upload = { file: writeCollection(store), fields: await visitor.fieldsOf(importPath) };
  const { cookie } = visitor;
  const search: FloodLoop = { count: 32, path: '/search.json?q=a+a', isFresh: true };
  const pages: FloodLoop = { count: 32, path: '/sign-in', isFresh: true };
  const openApi: FloodLoop = { count: 32, path: '/openapi.json', isFresh: true };
  const keyless: FloodLoop = { count: 32, path: '/api/v1/set/1', isFresh: true };
  const own: FloodLoop = { count: 4, path: '/portfolio', isFresh: false, cookie };
  const lots: FloodLoop = { ...own, path: '/inventory?view=all&sort=-gain' };
  // With a time window it is computed each time; the response has 5 MB.
  const watch = '/api/v1/brickfolio/retail-watch?changed_within=3000d';
  const calls: FloodLoop = { count: 4, path: watch, isFresh: false, key: store.heavyKeys[0] ?? '' };
  const exports: FloodLoop = { count: 6, path: '/account/export', isFresh: false, cookie };
  const uploads: FloodLoop = { count: 2, path: importPath, isFresh: false, cookie, upload };
  const silent: FloodLoop = { count: 16, path: importPath, isFresh: true, cookie, isSilent: true };
  return [
    { name: '32 loops of /search.json, fresh connections', loops: [search] },
    { name: '32 loops of /sign-in, fresh connections', loops: [pages] },
    {
      name: '64 loops of /themes, kept connections',
      loops: [{ ...pages, count: 64, isFresh: false, path: '/themes' }],
    },
    { name: '32 loops of /sign-in, of 200 networks', loops: [{ ...pages, networks: 200 }] },
    { name: '32 loops of /search.json, of 200 networks', loops: [{ ...search, networks: 200 }] },
    { name: '32 loops of /openapi.json, fresh connections', loops: [openApi] },
    { name: '32 loops of calls without a key, fresh', loops: [keyless] },
    { name: '4 loops of /portfolio, 100,000 lots and sales', loops: [own] },
    { name: '4 loops of /inventory of the same account', loops: [lots] },
    { name: '4 loops of its /brickfolio/retail-watch', loops: [calls] },
    { name: '6 loops of /account/export', loops: [exports] },
    { name: '2 loops of imports, 16 silent uploads', loops: [uploads, silent] },
    { name: 'all of it', loops: [search, pages, own, lots, calls, exports, uploads, silent] },
  ];
}

const importPath = '/inventory/import';

/** Existing lots, so that importing them again changes nothing. */
function writeCollection({ sets }: BenchStore): string {
  const path = join(benchFolder, 'upload.ndjson');
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    JSON.stringify({
      kind: 'holding',
      account: heavy.email,
      source_id: `lot-${index}`,
      brickfolio: 'Warehouse',
      set_number: sets[(index * 7919) % sets.length],
      condition: 'sealed',
      quantity: 5,
      purchase_price_usd: 20,
      purchase_date: '2025-01-01',
    }),
  );
  writeFileSync(path, lines.join('\n'));
  return path;
}
