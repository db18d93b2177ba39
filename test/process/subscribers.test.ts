/**
 * Servers, deliveries and publications are killed, and connections dropped, at random while prices
 * change: every subscriber ends with exactly the events of the log. A short run is part of the
 * suite; `npm run faults:events` has more seeds (EVENT_SEEDS sets the number).
 */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../simulator/market/random.ts';
import type { Event } from '../../src/contract/plus/events.ts';
import { formatInstant, hourMs, minuteMs, parseInstant } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { childrenOf, signal } from '../support/processes.ts';
import { programCommand } from '../support/program.ts';
import { addWebhook, deliverySettings } from '../support/receiver.ts';
import { stock } from '../support/stocked.ts';
import {
  latestPosition,
  listEvents,
  type Receiver,
  type Subscriber,
  startFaultyReceiver,
  startPoller,
  startStream,
} from '../support/subscribers.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';
import type { FeedLine } from '../support/world.ts';

const seeds = Number(process.env.EVENT_SEEDS ?? 1);
const steps = 8;
const setCount = 30;
/** The test starts many processes one after the other. */
const testMsMax = 900_000;

const email = 'a@example.com';
const start = parseInstant(commandNow) ?? 0;
const stepAt = (step: number) => start + step * hourMs;
const numberOf = (index: number) => String(1000 + index);

let place: Workplace;
let key: string;
let server: Served;
let env: Record<string, string>;

beforeEach(async () => {
  place = makeWorkplace();
  env = deliverySettings(place);
  const account = { email, plan: 'reseller', allowance: 10_000_000 } as const;
  const sets = Array.from({ length: setCount }, (_, index) => ({
    kind: 'set',
    set_number: numberOf(index),
    title: `Hut ${index}`,
    theme: 'Huts',
    release_date: '2025-01-01',
  }));
  const random = new Random(0, 'first prices');
  const lines = [...sets, ...offers(random, 0)];
  [key = ''] = await stock(place, { accounts: [account], lines });
});

afterEach(() => place.close());

/** The offers of all sets in an hour. */
function offers(random: Random, step: number): FeedLine[] {
  return Array.from({ length: setCount }, (_, index) => ({
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: numberOf(index),
    observed_at: formatInstant(stepAt(step)),
    price: 30 + random.below(40),
    seller_type: 'retailer',
    in_stock: random.chance(0.9),
  }));
}

/** Starts the server, or restarts it an hour later, when all retries are due. */
async function serve(step: number): Promise<void> {
  server = await place.serve({ now: formatInstant(stepAt(step)), env });
}

/** Imports prices in a process that is killed after a while. */
async function importAndKill(step: number, feed: string, afterMs: number): Promise<void> {
  const path = join(place.folder, `${step}.ndjson`);
  writeFileSync(path, feed);
  const child = Bun.spawn([...(await programCommand()), 'import', 'feed', path], {
    cwd: place.folder,
    env: await place.env(formatInstant(stepAt(step))),
    stdout: 'ignore',
    stderr: 'ignore',
  });
  await Bun.sleep(afterMs);
  child.kill('SIGKILL');
  await child.exited;
}

const faults = ['server', 'delivery', 'publishing', 'connections', 'none'] as const;

/** Changes prices during a random failure. */
async function takeStep(random: Random, step: number, subscribers: readonly Subscriber[]) {
  const stdin = offers(random, step)
    .map((line) => JSON.stringify(line))
    .join('\n');
  const fault = random.pick(faults);
  const waitMs = random.between(0, 400);
  if (fault === 'publishing') return importAndKill(step, stdin, 100 + waitMs);
  const now = formatInstant(stepAt(step));
  const importing = place.json(['import', 'feed', '-'], { stdin, now });
  await Bun.sleep(waitMs);
  if (fault === 'connections') for (const each of subscribers) each.cut();
  if (fault === 'delivery') for (const pid of childrenOf(server.pid)) signal(pid, 'SIGKILL');
  if (fault === 'server') {
    await server.kill('SIGKILL');
    await serve(step);
  }
  await importing;
}

test.each(Array.from({ length: seeds }, (_, seed) => seed + 1))(
  'seed %d: every subscriber ends with the events of the log',
  async (seed) => {
    const random = new Random(seed, 'faults');
    await serve(0);
    const target = () => ({ url: server.url, key });
    const from = await latestPosition(target());
    const clients = [
      startPoller(target, from),
      startStream(target, from),
      // A slow stream, which hardly ever reads recent events.
      startStream(target, from, 'limit=1'),
    ];
    const receiver = await startFaultyReceiver({
      random: new Random(seed, 'receiver'),
      faultsMax: 6,
    });
    const hook = { accountId: 1, address: receiver.url, at: start, position: from };
    const { secret } = await addWebhook(place, hook);
    for (let step = 1; step <= steps; step++) await takeStep(random, step, [...clients, receiver]);
    // Data left unpublished by a killed process is published with the next import.
    const last = offers(random, steps + 1).map((line) => JSON.stringify(line));
    const now = formatInstant(stepAt(steps + 1));
    await place.json(['import', 'feed', '-'], { stdin: last.join('\n'), now });
    const log = await listEvents(target(), from);
    expect(log.length).toBeGreaterThan(setCount * steps * 0.5);
    // Failed deliveries are retried in a later hour.
    const isAllReceived = () => receiver.received.length >= log.length;
    for (let step = steps + 2; !isAllReceived(); step++) {
      await server.kill('SIGTERM');
      await serve(step);
      await until(
        async () => isAllReceived() || (await isHourOver(step, log.at(-1)?.position ?? 0)),
      );
    }
    const isThere = ({ received }: Subscriber) =>
      received.at(-1)?.position === log.at(-1)?.position;
    await until(() => clients.every(isThere));
    await receiver.stop();
    expectWhole(receiver, log, secret);
    for (const client of clients) {
      await client.stop();
      expect(client.received).toEqual(log);
    }
  },
  testMsMax,
);

/** Whether all events up to a position are queued, and none is due before a later hour. */
async function isHourOver(step: number, position: number): Promise<boolean> {
  const busy = await onTables(
    place.data,
    'SELECT 1 FROM private.channel WHERE position < ? OR next_at <= ?',
    [position, stepAt(step) + minuteMs],
  );
  return busy.length === 0;
}

/** Every event arrived, in order per item, and repeated messages are identical. */
function expectWhole(
  { received, arrivals }: Receiver,
  log: readonly Event[],
  secret: string,
): void {
  const inOrder = received.toSorted((a, b) => a.position - b.position);
  expect(inOrder).toEqual([...log]);
  for (const events of Map.groupBy(received, ({ number }) => number).values()) {
    expect(events).toEqual(events.toSorted((a, b) => a.position - b.position));
  }
  const bodies = Map.groupBy(arrivals, ({ id }) => id);
  expect(bodies.size).toBe(log.length);
  expect(arrivals.length).toBeGreaterThan(log.length);
  for (const tries of bodies.values()) {
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1);
  }
  expect(arrivals.filter((arrival) => !arrival.isSignedWith(secret))).toEqual([]);
}
