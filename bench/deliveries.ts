/**
 * The speed of deliveries to many webhooks, and their effect on API calls: `npm run
 * bench:deliveries`, or `npm run bench:deliveries -- WEBHOOKS EVENTS`. All webhooks are on this
 * machine, and one never responds. Set BRICKMARK_TEST_DATABASE_URL to run it on PostgreSQL.
 */
import { deliveryTable } from '../src/alerts/channels/delivery-channel-kinds.ts';
import { formatInstant, minuteMs } from '../src/kernel/time.ts';
import { makeWorkplace, type Served } from '../test/support/cli.ts';
import { childrenOf, helperOf } from '../test/support/processes.ts';
import { addWebhooks, deliverySettings } from '../test/support/receiver.ts';
import { stock } from '../test/support/stocked.ts';
import { usageOf } from '../test/support/stream-crowd.ts';
import type { FeedLine } from '../test/support/world.ts';

const webhooks = Number(process.argv[2] ?? 1_000);
const events = Number(process.argv[3] ?? 10);
/** The rate of API calls meanwhile. */
const callsPerSecond = 200;
const calmMs = 6_000;
const patienceMs = 10 * minuteMs;

const numberOf = (index: number) => String(1_000 + index);
const now = () => formatInstant(Date.now());

if (process.argv[2] === 'receive') receive();
else await measure();

/** The receiver, in a child process, which reports how many messages it accepted. */
function receive(): void {
  let count = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/count') return Response.json({ count });
      await request.text();
      if (pathname === '/0') return new Promise<Response>(() => {});
      count++;
      return new Response('fine');
    },
  });
  process.send?.(server.port);
}

async function measure(): Promise<void> {
  const place = makeWorkplace();
  const { promise: port, resolve } = Promise.withResolvers<number>();
  const receiver = Bun.spawn([process.execPath, import.meta.path, 'receive'], {
    ipc: (message) => resolve(message as number),
  });
  try {
    const address = `http://127.0.0.1:${await port}`;
    const accounts = Math.ceil(webhooks / deliveryTable.webhook.max);
    const [key = ''] = await stock(place, {
      accounts: Array.from({ length: accounts }, (_, index) => ({
        email: `owner-${index}@example.com`,
        plan: 'reseller' as const,
        ...(index === 0 && { allowance: 10_000_000 }),
      })),
      lines: Array.from({ length: events }, (_, index) => setLines(index)).flat(),
    });
    const server = await place.serve({ now: now(), env: deliverySettings(place) });
    const calm = await callFor(server, key, () => Bun.sleep(calmMs));
    await addWebhooks(
      place,
      Array.from({ length: webhooks }, (_, index) => ({
        accountId: 1 + Math.floor(index / deliveryTable.webhook.max),
        address: `${address}/${index}`,
        at: Date.now(),
        kinds: ['retail.price'] as const,
      })),
    );
    // The delivery process starts before there is anything to send.
    while (helperOf(server.pid, 'delivery') === null) await Bun.sleep(50);
    await Bun.sleep(3_000);
    const before = cpuBelow(server.pid);
    const lines = Array.from({ length: events }, (_, index) => offerLine(index, 60, 1));
    const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
    // In a child process, since this one measures.
    const { status } = await place.start(['import', 'feed', '-', '--strict'], {
      stdin,
      now: now(),
    });
    if (status !== 0) throw new Error('The prices were not imported.');
    const start = performance.now();
    const busy = await callFor(server, key, async () => {
      const wanted = events * (webhooks - 1);
      while ((await countAt(address)) < wanted) {
        if (performance.now() - start > patienceMs) throw new Error('Not all of it arrived.');
        await Bun.sleep(100);
      }
    });
    const took = performance.now() - start;
    const cpu = cpuBelow(server.pid) - before;
    report({ took, cpu, calm, busy });
  } finally {
    receiver.kill();
    await place.close();
  }
}

function setLines(index: number): FeedLine[] {
  const set = { kind: 'set', set_number: numberOf(index), title: `Hut ${index}`, theme: 'Huts' };
  return [{ ...set, release_date: '2025-01-01' }, offerLine(index, 100, 0)];
}

function offerLine(index: number, price: number, minute: number): FeedLine {
  return {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: numberOf(index),
    observed_at: formatInstant(Date.UTC(2026, 10, 15, 11, minute)),
    price,
    seller_type: 'retailer',
    in_stock: true,
  };
}

async function countAt(address: string): Promise<number> {
  return ((await (await fetch(`${address}/count`)).json()) as { count: number }).count;
}

/** Calls at a steady rate during some work; returns the sorted durations. */
async function callFor(
  server: Served,
  key: string,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  const calling = (async () => {
    const start = performance.now();
    const pending: Promise<void>[] = [];
    for (let index = 0; !isOver; index++) {
      await Bun.sleep(Math.max(0, start + (index * 1_000) / callsPerSecond - performance.now()));
      const asked = performance.now();
      const answer = server.get(`/set/${numberOf(index % events)}`, key);
      pending.push(
        answer.then(async (response) => {
          if (!response.ok) throw new Error(await response.text());
          await response.text();
          times.push(performance.now() - asked);
        }),
      );
    }
    await Promise.all(pending);
  })();
  await work().finally(() => {
    isOver = true;
  });
  await calling;
  return times.sort((a, b) => a - b);
}

/** The CPU seconds of a server's child processes. */
function cpuBelow(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + usageOf(child).cpuSeconds, 0);
}

function report(measured: {
  readonly took: number;
  readonly cpu: number;
  readonly calm: readonly number[];
  readonly busy: readonly number[];
}): void {
  const share = (times: readonly number[], part: number) =>
    `${(times[Math.floor(times.length * part)] ?? 0).toFixed(1)} ms`;
  const line = (name: string, times: readonly number[]) =>
    `${name}: ${times.length} calls, median ${share(times, 0.5)}, p99 ${share(times, 0.99)}`;
  const { took, cpu, calm, busy } = measured;
  process.stdout.write(
    [
      `${events * webhooks} deliveries to ${webhooks} webhooks, one of which never answers:`,
      `all others arrived ${(took / 1_000).toFixed(1)} s after the import had ended;`,
      `the process that sends computed for ${cpu.toFixed(1)} s.`,
      line('GET /set/{number} before', calm),
      line('GET /set/{number} meanwhile', busy),
      '',
    ].join('\n'),
  );
}
