/**
 * Streams across restarts and kills of the server while prices change: a client that resumes after
 * the last complete event gets every event of the log exactly once.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { plusPrefix } from '../../src/contract/limits.ts';
import type { Event, EventPage } from '../../src/contract/plus/events.ts';
import { minuteMs } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { openStream, type StreamClient } from '../support/event-stream.ts';
import { smallMarket } from '../support/market.ts';
import { stock } from '../support/stocked.ts';
import { openCrowd, usageOf } from '../support/stream-crowd.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let keys: string[];
let key: string;
let changes = 0;

beforeAll(async () => {
  place = makeWorkplace();
  const accounts = Array.from({ length: 10 }, (_, index) => ({
    email: `a${index}@example.com`,
    plan: 'reseller' as const,
    allowance: 1_000,
  }));
  keys = await stock(place, { accounts, lines: smallMarket });
  [key = ''] = keys;
});

afterAll(() => place.close());

/** Changes a price with an import by another process. */
async function change(): Promise<void> {
  changes++;
  const now = new Date(Date.parse(commandNow) + changes * minuteMs).toISOString();
  const line = {
    kind: 'offer',
    retailer: 'retailer_b',
    set_number: '75192',
    observed_at: now,
    price: 180 - changes,
    in_stock: true,
    seller_type: 'third_party',
  };
  const ran = await place.run(['import', 'feed', '-'], { stdin: JSON.stringify(line), now });
  expect(ran.status).toBe(0);
}

async function logAfter(server: Served, position: string): Promise<Event[]> {
  const response = await fetch(`${server.url}${plusPrefix}/events?limit=250&after=${position}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return ((await response.json()) as { data: EventPage }).data.events;
}

test('no event is missed or repeated, whether the server is stopped or killed', async () => {
  const seen: Event[] = [];
  let server = await place.serve();
  let client: StreamClient = await openStream(server.url, key);
  const begin = client.lastId() ?? '';
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await change();
    await client.until(() => client.events().length >= 2);
    // Its event may arrive before or after the end of the server.
    const changing = change();
    const ending = server.kill(signal);
    expect(await client.ended).toBe(signal === 'SIGTERM');
    await Promise.all([changing, ending]);
    seen.push(...client.events());
    await change();
    server = await place.serve();
    client = await openStream(server.url, key, { lastEventId: client.lastId() ?? '' });
  }
  await change();
  const log = await logAfter(server, begin);
  expect(log.length).toBeGreaterThan(changes);
  await client.until(() => seen.length + client.events().length >= log.length);
  seen.push(...client.events());
  expect(seen).toEqual(log);
  await client.close();
});

// `npm run bench:streams` has a thousand.
test('a hundred streams get all events, from a process that stays small', async () => {
  const server = await place.serve();
  const members = keys.flatMap((key) => Array.from({ length: 10 }, () => ({ key, query: '' })));
  const crowd = await openCrowd(server.url, members);
  await change();
  await until(() => crowd.counts.every((count) => count === 2));
  expect([crowd.counts.length, crowd.countEnded()]).toEqual([100, 0]);
  if (process.platform === 'linux') expect(usageOf(server.pid).peakMb).toBeLessThan(200);
  crowd.close();
  await server.kill('SIGTERM');
});
