/**
 * `npm run hour`: one server for an hour at half of its peak, with pages, imports, publications,
 * event streams and webhook deliveries beside it. Prints durations by kind, errors, and the memory
 * of each process over time, and exits with 1 if there was an error. `-- --minutes 3` for a short
 * run. Everything runs on this machine, including the clients. Linux only.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { deliveryTable } from '../src/alerts/channels/delivery-channel-kinds.ts';
import { formatInstant, minuteMs, secondMs } from '../src/kernel/time.ts';
import { makeWorkplace, type Served, type Workplace } from '../test/support/cli.ts';
import { addWebhooks, deliverySettings } from '../test/support/receiver.ts';
import { openCrowd, type StreamCrowd } from '../test/support/stream-crowd.ts';
import { Latencies } from './latencies.ts';
import { MemoryLog } from './memory-log.ts';
import type { SteadyCalls, SteadyReport } from './steady-calls.ts';
import { type BenchStore, benchFolder, collector, dataFolder, prepareStore } from './store.ts';
import { signInAs } from './visitor.ts';
import { ensureWrk, median, runWrk, script, writeRequests, zipf } from './wrk.ts';

const minutes = Number(flagValue('--minutes') ?? 60);
const lengthMs = minutes * minuteMs;
const shareOfPeak = 0.5;
const peakRounds = { count: 3, seconds: 4 };
const connections = 64;
const streams = 100;
/** Accounts with webhooks; the first two accounts are those with large collections. */
const webhookAccounts = { first: 3, count: 10 };
const webhooks = webhookAccounts.count * deliveryTable.webhook.max;
const importEveryMs = 15 * secondMs;
const rowsPerImport = { sales: 1_000, prices: 60 };
const pageEveryMs = 250;
const publishEveryMs = Math.min(10 * minuteMs, lengthMs / 3);
const memoryEveryMs = Math.max(5 * secondMs, lengthMs / 40);
/** How long the last deliveries may take. */
const patienceMs = minuteMs;

const password = 'a collection for an hour';
const say = (text: string) => process.stdout.write(`${text}\n`);
const now = () => formatInstant(Date.now());

if (process.argv[2] === 'receive') receive();
else {
  if (!(minutes > 0)) throw new Error('Say how many minutes: npm run hour -- --minutes 3');
  ensureWrk();
  const isGood = await spendHour(await prepareStore(say));
  process.exit(isGood ? 0 : 1);
}

function flagValue(flag: string): string | undefined {
  const index = process.argv.indexOf(flag);
  return index < 0 ? undefined : process.argv[index + 1];
}

/** Counts deliveries, in a child process; any message is answered with the count. */
function receive(): void {
  let count = 0;
  const fetch = async (request: Request) => {
    await request.text();
    count++;
    return new Response('fine');
  };
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  process.on('message', () => process.send?.(count));
  process.send?.(server.port);
}

interface Receiver {
  readonly url: string;
  count(): Promise<number>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  let answer = Promise.withResolvers<number>();
  const child = Bun.spawn([process.execPath, import.meta.path, 'receive'], {
    ipc: (message) => answer.resolve(message as number),
  });
  const port = await answer.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => {
      answer = Promise.withResolvers();
      child.send('count');
      return answer.promise;
    },
    stop: () => child.kill(),
  };
}

/** Measurements besides those of the calls. */
class Beside {
  readonly kinds = new Map<string, Latencies>();
  readonly errors: string[] = [];

  async measure(kind: string, work: () => Promise<unknown>): Promise<void> {
    const start = performance.now();
    try {
      await work();
      const known = this.kinds.get(kind) ?? new Latencies();
      this.kinds.set(kind, known);
      known.add(performance.now() - start);
    } catch (error) {
      this.errors.push(`${kind}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** Returns whether everything went well. */
async function spendHour(store: BenchStore): Promise<boolean> {
  const place = makeWorkplace();
  const receiver = await startReceiver();
  try {
    cpSync(dataFolder, place.data, { recursive: true });
    await runCommand(place, ['account', 'password', collector], password);
    const server = await place.serve({ now: now(), env: deliverySettings(place) });
    const callsPerSecond = Math.round((await findPeak(server, store)) * shareOfPeak);
    say(`${callsPerSecond} calls per second for ${minutes} minutes.`);
    const crowd = await openCrowd(server.url, streamsOf(store));
    await addWebhooks(place, webhooksAt(receiver.url));
    const beside = new Beside();
    const memory = new MemoryLog(server.pid, say);
    const calling = startCalls(server, callsPerSecond);
    await Promise.all([
      every(memoryEveryMs, async () => memory.note(await calling.recent())),
      every(importEveryMs, (round) =>
        beside.measure('import', () => importRound(place, store, round)),
      ),
      // The first minutes show everything without it.
      every(publishEveryMs, async (round) => {
        if (round > 0) await beside.measure('publication', () => runCommand(place, ['value']));
      }),
      visitPages(server, store, beside),
    ]);
    const calls = await calling.end();
    await checkDeliveries(receiver, crowd, beside);
    crowd.close();
    beside.errors.push(...faultsOf(server));
    return report(calls, beside, memory);
  } finally {
    receiver.stop();
    await place.close();
  }
}

async function runCommand(place: Workplace, words: readonly string[], stdin = ''): Promise<void> {
  const { status, stderr } = await place.start(words, { stdin, now: now() });
  if (status !== 0) throw new Error(`'${words.join(' ')}' failed: ${stderr}`);
}

/** The highest rate of the same calls, in calls per second, with nothing beside them. */
async function findPeak(server: Served, store: BenchStore): Promise<number> {
  writeRequests((index) => requestLine(store, index));
  const rates: number[] = [];
  for (let round = 0; round <= peakRounds.count; round++) {
    const load = await runWrk(server, { script, seconds: peakRounds.seconds });
    // The warm-up, in which wrk gives up on calls that take two seconds.
    if (round === 0) continue;
    if (load.errors > 0) throw new Error(`${load.errors} calls failed before the hour.`);
    rates.push(load.requestsPerSecond);
  }
  const peak = median(rates);
  say(`The peak is ${peak.toFixed(0)} calls per second.`);
  return peak;
}

/** Nine calls in ten are for sets; the rest is of every other kind. */
function requestLine({ sets, minifigs, keys, collectorKeys }: BenchStore, index: number): string {
  const key = keys[index % keys.length];
  const set = zipf(sets, index);
  const others = [
    `GET\t/api/v1/minifig/${zipf(minifigs, index)}\t${key}`,
    `GET\t/api/v1/set/${set}/history\t${key}`,
    `GET\t/api/v1/set/${set}/retail-prices\t${key}`,
    `GET\t/api/v1/catalog/sets/search?q=${set.slice(0, 3)}\t${key}`,
    `POST\t/api/v1/catalog/batch\t${key}\t${JSON.stringify({ sets: [set] })}`,
    `GET\t/api/v1/brickfolio/entries?limit=50\t${collectorKeys[index % collectorKeys.length]}`,
    `GET\t/api/v1/brickfolio/analytics?period=1y\t${collectorKeys[index % collectorKeys.length]}`,
    `GET\t/api/plus/v1/deals?limit=20\t${key}`,
    `GET\t/api/plus/v1/max-buy?set=${set}\t${key}`,
    `GET\t/api/plus/v1/events?limit=20\t${key}`,
  ];
  const other = index % 10 === 9 ? others[Math.floor(index / 10) % others.length] : null;
  return other ?? `GET\t/api/v1/set/${set}\t${key}`;
}

function streamsOf({ keys }: BenchStore) {
  return Array.from({ length: streams }, (_, index) => ({
    key: keys[index % keys.length] ?? '',
    query: 'kinds=retail.price',
  }));
}

function webhooksAt(url: string) {
  return Array.from({ length: webhooks }, (_, index) => ({
    accountId: webhookAccounts.first + (index % webhookAccounts.count),
    address: `${url}/${index}`,
    at: Date.now(),
    kinds: ['retail.price'] as const,
  }));
}

/** Calls from another process. */
function startCalls(server: Served, callsPerSecond: number) {
  const file = join(benchFolder, 'requests.txt');
  const plan: SteadyCalls = { url: server.url, callsPerSecond, connections, file };
  const client = join(import.meta.dir, 'steady-calls.ts');
  let answer = Promise.withResolvers<SteadyReport>();
  const child = Bun.spawn([process.execPath, client, JSON.stringify(plan)], {
    ipc: (message) => answer.resolve(message as SteadyReport),
    stderr: 'inherit',
  });
  const ask = (message: string): Promise<SteadyReport> => {
    answer = Promise.withResolvers();
    child.send(message);
    return answer.promise;
  };
  return {
    /** The calls since it was last asked. */
    recent: async (): Promise<string> => {
      const { kinds } = await ask('recent');
      return (
        kinds.map(
          ({ p99Ms, maxMs }) => `p99 ${p99Ms.toFixed(1)}, most ${maxMs.toFixed(0)} ms`,
        )[0] ?? ''
      );
    },
    end: async (): Promise<SteadyReport> => {
      const report = await ask('end');
      child.kill();
      return report;
    },
  };
}

/** Repeats something until the hour is over; a slow round delays the next one. */
async function every(ms: number, work: (round: number) => Promise<void>): Promise<void> {
  const start = performance.now();
  for (let round = 0; ; round++) {
    const wait = start + round * ms - performance.now();
    if (performance.now() - start + Math.max(0, wait) >= lengthMs) return;
    if (wait > 0) await Bun.sleep(wait);
    await work(round);
  }
}

/** New sales of many sets, and new prices of some. */
function importRound(place: Workplace, { sets }: BenchStore, round: number): Promise<void> {
  const setAt = (index: number) => sets[index % sets.length];
  const sales = Array.from({ length: rowsPerImport.sales }, (_, index) => ({
    kind: 'sale',
    source: 'hour',
    source_id: `${round}-${index}`,
    item_type: 'set',
    item: setAt(round * rowsPerImport.sales + index),
    condition: index % 3 ? 'sealed' : 'used',
    price: 20 + ((index * 7919) % 20_000) / 100,
    sold_at: now(),
  }));
  const prices = Array.from({ length: rowsPerImport.prices }, (_, index) => ({
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: setAt(index),
    observed_at: now(),
    price: 60 + (round % 2) * 20,
    seller_type: 'retailer',
    in_stock: true,
  }));
  const lines = [...sales, ...prices].map((line) => JSON.stringify(line));
  return runCommand(place, ['import', 'feed', '-', '--strict'], lines.join('\n'));
}

async function visitPages(server: Served, store: BenchStore, beside: Beside): Promise<void> {
  const { cookie } = await signInAs(server.url, { email: collector, password });
  const paths = ['/', '/search?q=castle', '/deals', '/portfolio', '/inventory', '/sets/{number}'];
  await every(pageEveryMs, (round) => {
    const path = paths[round % paths.length] ?? '/';
    return beside.measure(`page ${path}`, async () => {
      const address = path.replace('{number}', zipf(store.sets, round));
      const response = await fetch(server.url + address, { headers: { Cookie: cookie } });
      await response.text();
      if (response.status !== 200) throw new Error(`answered with ${response.status}`);
    });
  });
}

/** Every stream must have every event, and every webhook too. */
async function checkDeliveries(
  receiver: Receiver,
  crowd: StreamCrowd,
  { errors }: Beside,
): Promise<void> {
  const end = performance.now() + patienceMs;
  const events = () => Math.max(...crowd.counts);
  const isComplete = async () =>
    crowd.counts.every((count) => count === events()) &&
    (await receiver.count()) >= events() * webhooks;
  while (!(await isComplete()) && performance.now() < end) await Bun.sleep(secondMs);
  const delivered = await receiver.count();
  say(`${events()} events on ${streams} streams, ${delivered} deliveries to ${webhooks} webhooks.`);
  if (events() === 0) errors.push('there was no event');
  if (!(await isComplete())) errors.push('not every stream and webhook has every event');
  if (crowd.countEnded() > 0) errors.push(`${crowd.countEnded()} streams ended`);
}

/** Faults that the server or a helper logged, and helpers that ended. */
function faultsOf(server: Served): string[] {
  return server
    .errors()
    .split('\n')
    .filter((line) => /"level":"error"|The process for|ended\. Restarting/.test(line))
    .map((line) => `logged: ${line.slice(0, 500)}`);
}

function report(calls: SteadyReport, beside: Beside, memory: MemoryLog): boolean {
  const others = Array.from(beside.kinds, ([kind, measured]) => measured.toReport(kind));
  say(`\n${'kind'.padEnd(42)}   count    median       p99       most`);
  for (const { kind, count, medianMs, p99Ms, maxMs } of [...calls.kinds, ...others]) {
    const cells = [medianMs, p99Ms, maxMs].map((ms) => `${ms.toFixed(1)} ms`.padStart(10));
    say(`${kind.padEnd(42)}${String(count).padStart(9)}${cells.join(' ')}`);
  }
  say('\nmemory');
  for (const line of memory.summary()) say(line);
  const errors = [
    ...Object.entries(calls.errors).map(([reason, count]) => `${count} × ${reason}`),
    ...beside.errors,
  ];
  say(errors.length === 0 ? '\nno errors' : `\n${errors.length} errors:\n${errors.join('\n')}`);
  return errors.length === 0;
}
