/** Quota across clients, processes, midnight and kills: exact and durable. */
// @runs SQLite, PostgreSQL, PostgreSQL 17: several processes count calls
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { stock } from '../support/stocked.ts';

let place: Workplace;

beforeEach(async () => {
  place = makeWorkplace();
  const sets = Array.from({ length: 200 }, (_, index) => ({
    kind: 'set',
    set_number: String(1000 + index),
    title: 'Hut',
    theme: 'Huts',
  }));
  await stock(place, { accounts: [{ email: 'a@example.com', plan: 'reseller' }], lines: sets });
});

afterEach(() => place.close());

async function newKey(allowance?: number): Promise<{ key: string; key_id: number }> {
  const more = allowance ? ['--allowance', String(allowance)] : [];
  return place.json(['key', 'add', 'a@example.com', ...more]);
}

async function usedOf(keyId: number, now?: string): Promise<number> {
  const options = now ? { now } : {};
  const { keys } = await place.json<{ keys: { key_id: number; used_today: number }[] }>(
    ['key', 'list', 'a@example.com'],
    options,
  );
  return keys.find((key) => key.key_id === keyId)?.used_today ?? -1;
}

/** Calls with many clients until `end`; returns the granted cost. */
async function hammer(
  clients: number,
  call: (client: number, round: number) => Promise<{ granted: number; isOver: boolean }>,
): Promise<number> {
  const totals = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      let total = 0;
      for (let round = 0; round < 1000; round++) {
        const { granted, isOver } = await call(client, round);
        total += granted;
        if (isOver) break;
      }
      return total;
    }),
  );
  return totals.reduce((sum, total) => sum + total, 0);
}

function batchOf(server: Served, key: string, count: number): Promise<Response> {
  const sets = Array.from({ length: count }, (_, index) => String(1000 + index));
  return fetch(`${server.url}/api/v1/catalog/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ sets }),
  });
}

test('50 concurrent clients of a key with 1000 calls are granted exactly 1000, including batches', async () => {
  const server = await place.serve();
  const { key, key_id } = await newKey();
  const granted = await hammer(50, async (client, round) => {
    const size = (client + round) % 5 === 0 ? 7 : 1;
    const response =
      size === 1
        ? await server.get(`/set/${1000 + ((client * 7 + round) % 200)}`, key)
        : await batchOf(server, key, size);
    await response.arrayBuffer();
    // A batch that exceeds the rest is refused, while single calls are granted.
    return {
      granted: response.status === 200 ? size : 0,
      isOver: response.status === 429 && size === 1,
    };
  });
  expect(granted).toBe(1000);
  expect(await usedOf(key_id)).toBe(1000);
});

test('two server processes on one store share one allowance', async () => {
  const servers = [await place.serve(), await place.serve()];
  const { key, key_id } = await newKey(300);
  const granted = await hammer(20, async (client, round) => {
    const response = await (servers[client % 2] as Served).get(`/set/${1000 + round}`, key);
    await response.arrayBuffer();
    return { granted: Number(response.status === 200), isOver: response.status === 429 };
  });
  expect(granted).toBe(300);
  expect(await usedOf(key_id)).toBe(300);
});

test('the allowance is reset at midnight UTC', async () => {
  const { key, key_id } = await newKey(2);
  const evening = await place.serve({ now: '2026-11-15T22:00:00Z' });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await evening.get('/set/1000', key)).status);
  expect(statuses).toEqual([200, 200, 429]);
  await evening.kill('SIGTERM');
  const morning = await place.serve({ now: '2026-11-16T00:00:01Z' });
  const response = await morning.get('/set/1000', key);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('1');
  expect(await usedOf(key_id, '2026-11-16T00:01:00Z')).toBe(1);
});
