/** Event streams over HTTP: contents, cost, limits and ends. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { byService } from '../../src/accounts/audit/audit.ts';
import type { TokenHash } from '../../src/accounts/sign-in/session.ts';
import { startServer } from '../../src/api/server.ts';
import { keyStreamsMax, plusPrefix } from '../../src/contract/limits.ts';
import type { EventPage } from '../../src/contract/plus/events.ts';
import { formatInstant, hourMs, minuteMs, secondMs } from '../../src/kernel/time.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../support/engines.ts';
import { openStream, type StreamClient, type StreamOptions } from '../support/event-stream.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { errorFaults } from '../support/openapi.ts';
import { serverSettings } from '../support/server-settings.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
/** Each test has its own account. */
let email: string;
let accounts = 0;
let price = 150;
const clients: StreamClient[] = [];

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
});

afterAll(() => world.close());

beforeEach(async () => {
  email = `reader${++accounts}@example.com`;
  await world.addAccount(email);
  key = await world.addKey(email);
  await change('75192', '6001');
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(options: StreamOptions = {}, callKey = key): Promise<StreamClient> {
  const client = await openStream(world.url, callKey, options);
  clients.push(client);
  return client;
}

/** Lowers the price of sets, which gives each a price change and a new low. */
async function change(...sets: readonly string[]): Promise<void> {
  world.now += minuteMs;
  price -= 0.5;
  const offers = sets.map((set_number) => ({
    kind: 'offer',
    retailer: 'retailer_b',
    set_number,
    observed_at: formatInstant(world.now),
    price,
    in_stock: true,
    seller_type: 'third_party',
  }));
  await world.load(offers);
}

const own = (path: string, init?: RequestInit) => world.call(`${plusPrefix}${path}`, key, init);

async function page(query: string): Promise<EventPage> {
  return ((await (await own(`/events${query}`)).json()) as { data: EventPage }).data;
}

async function keyFacts() {
  const [facts] = (await world.store.accounts.listKeys(email, world.now)) ?? [];
  if (!facts) throw new Error('There is no key.');
  return facts;
}

const brief = (client: StreamClient) =>
  client.events().map(({ number, kind }) => `${number} ${kind}`);

test('sends the same events as the log, from now on', async () => {
  const { next } = await page('');
  const client = await open();
  const headers = ['content-type', 'cache-control', 'x-accel-buffering', 'x-ratelimit-remaining'];
  expect(headers.map((name) => client.headers.get(name))).toEqual([
    'text/event-stream; charset=utf-8',
    'no-store',
    'no',
    '998',
  ]);
  expect(client.messages).toEqual([
    { id: String(next), event: 'position', data: { position: next } },
  ]);
  await change('75192', '6001');
  await client.until(() => client.events().length === 4);
  const { events } = await page(`?after=${next}`);
  expect(client.messages.slice(1)).toEqual(
    events.map((event) => ({ id: String(event.position), event: event.kind, data: event })),
  );
  expect((await keyFacts()).usedToday).toBe(3);
});

test('resumes after the last event read; the header takes precedence over the parameter', async () => {
  const { events, next } = await page('?after=0&limit=250');
  const from = events.at(-4)?.position ?? 0;
  const all = await open({ query: `after=${from}` });
  await all.until(() => all.events().length === 3);
  expect(all.events()).toEqual(events.slice(-3));
  const half = await open({ query: 'after=0', lastEventId: String(events.at(-2)?.position) });
  await half.until(() => half.events().length === 1);
  expect(half.events()).toEqual(events.slice(-1));
  const none = await open({ query: 'after=0', lastEventId: String(next) });
  await change('6001');
  await none.until(() => none.events().length === 2);
  expect(brief(none)).toEqual(['6001 retail.price', '6001 retail.low']);
});

test('a header that is not a position is 400 and named in the message; an empty one is ignored', async () => {
  for (const sent of ['x', '-1', '1.5', '9'.repeat(17)]) {
    const response = await own('/events/stream', { headers: { 'Last-Event-ID': sent } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      `must be a position, such as the last id; got '${sent}'`,
    );
  }
  expect((await open({ lastEventId: '' })).status).toBe(200);
  expect((await keyFacts()).usedToday).toBe(1);
});

test('browsers may send the header from other sites, only on this endpoint', async () => {
  const allowed = async (path: string) => {
    const response = await fetch(`${world.url}${path}`, { method: 'OPTIONS' });
    return response.headers.get('access-control-allow-headers');
  };
  const usual = 'Authorization, Content-Type';
  expect(await allowed(`${plusPrefix}/events/stream`)).toBe(`${usual}, Last-Event-ID`);
  expect(await allowed(`${plusPrefix}/events`)).toBe(`${usual}, If-None-Match`);
  expect(await allowed('/api/v1/set/75192')).toBe(`${usual}, If-None-Match`);
});

test('filters by kind and by holdings, which follow the account', async () => {
  await world.load(smallCollection(email));
  const other = `other${email}`;
  await world.addAccount(other);
  const otherKey = await world.addKey(other);
  const query = 'scope=holdings&kinds=retail.price';
  const held = await open({ query });
  const none = await open({ query }, otherKey);
  const all = await open({ query: 'kinds=retail.price' });
  await change('75192', '6001');
  await held.until(() => held.events().length === 1);
  await all.until(() => all.events().length === 2);
  // Sets bought while the stream is open are included from then on.
  await world.load([
    { kind: 'brickfolio', account: other, name: 'New' },
    {
      kind: 'holding',
      account: other,
      source_id: 'tower',
      brickfolio: 'New',
      set_number: '6001',
      quantity: 1,
      condition: 'sealed',
      purchase_price_usd: 5,
      purchase_date: '2026-01-01',
    },
  ]);
  await change('75192', '6001');
  await held.until(() => held.events().length === 2);
  await none.until(() => none.events().length === 1);
  await all.until(() => all.events().length === 4);
  expect(brief(held)).toEqual(['75192 retail.price', '75192 retail.price']);
  expect(brief(none)).toEqual(['6001 retail.price']);
  expect(none.events()[0]?.position).toBe(all.events()[3]?.position ?? 0);
});

test('filters by watch lists, including items added while the stream is open', async () => {
  const { accounts } = world.store;
  const client = await open({ query: 'scope=watch' });
  const owner = (await accounts.findAccount(email, world.now))?.id ?? 0;
  const list = await accounts.addWatchList(owner, { name: 'Wanted', at: world.now });
  await accounts.saveWatchedItems(owner, typeof list === 'object' ? list.id : 0, {
    items: [{ kind: 'set', key: '6001', number: '6001', targetCents: null, note: '' }],
    at: world.now,
  });
  await change('75192', '6001');
  await client.until(() => client.events().length === 2);
  expect(brief(client)).toEqual(['6001 retail.price', '6001 retail.low']);
});

test('a stream with a rare filter receives its position, and resumes there', async () => {
  const client = await open({ query: 'kinds=history.restated' });
  const before = client.lastId();
  await change('75192');
  const { next } = await page('');
  // Once another stream has read the event, the log was checked.
  const other = await open({ query: `after=${next - 1}` });
  await other.until(() => other.events().length === 1);
  world.now += 15 * secondMs;
  await client.until(() => client.lastId() === String(next));
  expect(client.lastId()).not.toBe(before);
  expect([new Set(client.comments), client.events()]).toEqual([new Set([': heartbeat']), []]);
});

test('a revoked key gets an error event, and the stream ends', async () => {
  const client = await open();
  const { id } = await keyFacts();
  const witness = await open({}, await world.addKey(email));
  await keysById(world.store.accounts).revokeKey(id, world.now);
  await change('75192');
  await witness.until(() => witness.events().length === 2);
  expect(await client.ended).toBe(true);
  const error = { code: 'InvalidApiKey', message: 'This API key is not valid.' };
  expect(client.messages.slice(1)).toEqual([
    { id: client.messages[0]?.id ?? '', event: 'error', data: { error } },
  ]);
  expect(errorFaults({ error }, plusPrefix)).toEqual([]);
});

describe('a silent stream ends without waiting for its next heartbeat', () => {
  // The clock stands still, so no heartbeat is due. Another process ends the key.
  test.each<{ how: string; end: (accounts: Store['accounts']) => Promise<unknown> }>([
    {
      how: 'its key is revoked',
      end: async (accounts) => keysById(accounts).revokeKey((await keyFacts()).id, world.now),
    },
    {
      how: 'its account is closed',
      end: (accounts) => accounts.closeAccount(email, byService, world.now),
    },
    {
      how: 'its account is erased',
      end: (accounts) => accounts.removeAccount(email),
    },
    {
      how: 'a password link revokes all keys',
      end: async (accounts) => {
        const tokenHash = Bun.SHA256.hash(email) as Uint8Array as TokenHash;
        await accounts.addResetLink({ email, tokenHash, expiresAt: world.now + hourMs });
        return accounts.useResetLink(tokenHash, 'hash', world.now);
      },
    },
  ])('$how', async ({ end }) => {
    const elsewhere = await openTestStore(world.folder);
    try {
      const [client, other] = [await open(), await openOther()];
      expect(await end(elsewhere.accounts)).toBeTruthy();
      expect(await client.ended).toBe(true);
      const error = { code: 'InvalidApiKey', message: 'This API key is not valid.' };
      expect(client.messages.at(-1)).toMatchObject({ event: 'error', data: { error } });
      // Streams of other accounts go on.
      await change('75192');
      await other.until(() => other.events().length === 2);
    } finally {
      await elsewhere.close();
    }
  });

  async function openOther(): Promise<StreamClient> {
    const address = `other-${email}`;
    await world.addAccount(address);
    return open({}, await world.addKey(address));
  }
});

test('an account that leaves the plan gets an error event, even without events', async () => {
  const client = await open();
  await world.store.accounts.setPlan(email, 'free');
  world.now += 15 * secondMs;
  expect(await client.ended).toBe(true);
  expect(client.messages.at(-1)?.data).toMatchObject({ error: { code: 'TierRequired' } });
});

test('each hour costs a call; without any left the stream gets an error event and ends', async () => {
  const { id } = await keyFacts();
  await keysById(world.store.accounts).setAllowance(id, 2);
  const client = await open();
  expect((await keyFacts()).usedToday).toBe(1);
  world.now += hourMs;
  await client.until(() => client.comments.length === 1);
  expect((await keyFacts()).usedToday).toBe(2);
  world.now += hourMs;
  expect(await client.ended).toBe(true);
  expect(client.messages.at(-1)).toMatchObject({
    event: 'error',
    data: { error: { code: 'QuotaExceeded' } },
  });
  expect((await keyFacts()).usedToday).toBe(2);
});

describe('the limit of streams per key', () => {
  test('allows that many; one more is refused at no cost until one ends', async () => {
    for (let count = 0; count < keyStreamsMax; count++) await open();
    const refused = await own('/events/stream');
    const body = (await refused.json()) as { error: { code: string } };
    expect([refused.status, body.error.code]).toEqual([429, 'TooManyStreams']);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(String(1_000 - keyStreamsMax));
    expect(errorFaults(body, plusPrefix)).toEqual([]);
    expect((await keyFacts()).usedToday).toBe(keyStreamsMax);
    // Other keys have their own limit, and other requests do not count.
    expect((await open({}, await world.addKey(email))).status).toBe(200);
    expect((await own('/events')).status).toBe(200);
    await clients[0]?.close();
    const isFree = async () => (await own('/events/stream', { method: 'HEAD' })).status !== 429;
    await until(isFree);
    // HEAD does not count.
    expect((await own('/events/stream', { method: 'HEAD' })).status).toBe(200);
    expect((await open()).status).toBe(200);
  });

  test('does not count streams refused because the allowance is used up', async () => {
    const { id } = await keyFacts();
    await keysById(world.store.accounts).setAllowance(id, 0);
    for (let count = 0; count <= keyStreamsMax; count++) {
      const body = (await (await own('/events/stream')).json()) as { error: { code: string } };
      expect(body.error.code).toBe('QuotaExceeded');
    }
  });
});

test('a position that is no longer kept is reported, followed by the events that are', async () => {
  const { next } = await page('');
  await world.store.market.pruneEvents(world.now + 1, 1_000);
  await change('6001');
  const client = await open({ query: `after=${next - 1}` });
  await client.until(() => client.events().length === 2);
  expect(client.messages.slice(0, 2)).toEqual([
    { id: String(next - 1), event: 'position', data: { position: next - 1 } },
    { id: String(next), event: 'stale', data: { oldest: next } },
  ]);
  expect(brief(client)).toEqual(['6001 retail.price', '6001 retail.low']);
});

test('a stopping server ends its streams cleanly and opens no more', async () => {
  const ending = await startWorld();
  await ending.load(smallMarket);
  await ending.addAccount(email);
  const client = await openStream(ending.url, await ending.addKey(email));
  await ending.close();
  expect(await client.ended).toBe(true);
  expect([client.messages.map(({ event }) => event), ending.failures]).toEqual([['position'], []]);
});

test('an open stream does not count as a request in flight', async () => {
  const server = startServer(
    world.store,
    serverSettings(() => world.now, world.failures),
  );
  const streams = [await openStream(server.url, key), await openStream(server.url, key)];
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  expect(server.findFacts().inFlight).toBe(0);
  for (const stream of streams) await stream.close();
  await server.stop();
});

test('there were no failures', () => {
  expect(world.failures).toEqual([]);
});
