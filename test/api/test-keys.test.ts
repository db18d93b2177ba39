/** Test keys: fixed data, forced errors, no private data, and no use of the allowance. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseKey } from '../../src/accounts/keys/keys.ts';
import { scopeBits } from '../../src/accounts/keys/scopes.ts';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { pools } from '../../src/http/pools.ts';
import { everyEndpoint, textOf } from '../support/endpoints.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { callTool, connectHttp } from '../support/mcp.ts';
import { answerFaults, errorFaults } from '../support/openapi.ts';
import { until } from '../support/until.ts';
import { batch, startWorld, type World } from '../support/world.ts';

const email = 'tester@example.com';
let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount(email);
  await world.load(smallCollection(email));
  await world.makeBulkFiles();
  key = await world.addKey(email, { isTest: true, allowance: 5 });
});

afterAll(() => world.close());

const keyRow = async () => (await world.store.accounts.listKeys(email, world.now))?.[0];

async function errorOf(path: string, init?: RequestInit) {
  const response = await world.call(path, key, init);
  const body = (await response.json()) as { error: { code: string } };
  expect(errorFaults(body)).toEqual([]);
  return { response, status: response.status, code: body.error.code };
}

async function dataOf<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await world.call(path, key, init);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

test('has the form of other keys, a mark, and counts as one of five', async () => {
  expect(parseKey(key)).not.toBeNull();
  expect(key).toStartWith('bmk_7e57');
  await world.addAccount('five@example.com');
  for (let made = 0; made < 5; made++) {
    await world.addKey('five@example.com', { isTest: made % 2 === 0 });
  }
  await expect(world.addKey('five@example.com', { isTest: true })).rejects.toThrow('5 active');
});

/** Requests for the fixed items. */
const fixed: Readonly<Record<string, string>> = {
  getSet: '/set/10482-1',
  getMinifig: '/minifig/COA0007',
  searchSets: '/catalog/sets/search?q=harbour',
  searchMinifigs: '/catalog/minifigs/search?q=captain',
  getSetHistory: '/set/10482/history?condition=used',
  getSetRetailPrices: '/set/10482/retail-prices',
  getMaxBuy: '/api/plus/v1/max-buy?set=10482',
  getWaysToSell: '/api/plus/v1/set/10482/ways-to-sell',
  getSetEvidence: '/api/plus/v1/set/10482/evidence',
  getMinifigEvidence: '/api/plus/v1/minifig/coa0007/evidence',
  listEntries: '/brickfolio/entries?brickfolio_id=1',
};

describe.each(everyEndpoint)('%s', (name, good) => {
  const endpoint: Endpoint = allEndpoints[name];
  const path = fixed[name] ?? good.path;

  test('has fixed data, valid against the OpenAPI document, at no cost', async () => {
    const response = await world.call(path, key, good.init);
    expect(response.headers.get('x-key-test')).toBe('true');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('5');
    if (endpoint.tag === 'Bulk') return expect(response.status).toBe(404);
    expect(response.status).toBe(200);
    const text = await response.text();
    // Nothing of the account, and nothing of the market; a batch echoes what was sent.
    if (name !== 'getBatch') expect(text).not.toMatch(/75192|Grand Castle|cas001/);
    if (endpoint.kind === 'stream') return expect(text).toContain('event: retail.price');
    expect(answerFaults(name, JSON.parse(text))).toEqual([]);
    expect((await keyRow())?.countedToday).toBe(0);
    const again = await world.call(path, key, good.init);
    expect(((await again.json()) as { data: unknown }).data).toEqual(JSON.parse(text).data);
  });

  test('is refused without the scope, as for other keys', async () => {
    if (endpoint.needs.length === 0) return;
    const other = endpoint.needs.includes('market') ? 'sales' : 'market';
    await world.addAccount(`${name}@example.com`);
    const options = { isTest: true, scopes: scopeBits([other]) };
    const scoped = await world.addKey(`${name}@example.com`, options);
    const response = await world.call(path, scoped, good.init);
    expect(response.status).toBe(403);
    await textOf(response);
  });
});

test('has items with and without values, and no others', async () => {
  const batchOf = { sets: ['10482', '10483-1', '10484', '75192'], minifigs: ['coa0012'] };
  const { sets, minifigs, summary } = await dataOf<{
    sets: { set_number: string; new_value_usd?: number | null; found: boolean }[];
    minifigs: object[];
    summary: object;
  }>('/catalog/batch', batch(batchOf));
  expect(sets.map((set) => [set.set_number, set.new_value_usd, set.found])).toEqual([
    ['10482', 168.4, true],
    ['10483', 58.1, true],
    ['10484', null, true],
    ['75192', undefined, false],
  ]);
  expect(minifigs).toMatchObject([{ minifig_number: 'coa0012', current_value_usd: null }]);
  expect(summary).toEqual({ requested: 5, found: 4 });
  for (const number of ['10482', '10483', '10484']) {
    const response = await world.call(`/set/${number}`, key);
    expect(answerFaults('getSet', await response.json())).toEqual([]);
  }
  for (const path of ['/set/75192', '/minifig/cas001', '/set/75192/history']) {
    expect(await errorOf(path)).toMatchObject({ status: 404, code: 'NotFound' });
  }
  expect(await dataOf<null>('/set/75192/retail-prices')).toBeNull();
  expect(await dataOf<object>('/retail-prices?asin=B0EXAMPLE1')).not.toHaveProperty('paid');
});

test('has pages, cursors and tags', async () => {
  const second = await dataOf<object>('/catalog/sets/search?q=harbour&limit=1&offset=1');
  expect(second).toMatchObject({
    results: [{ set_number: '10483' }],
    pagination: { total: 3, limit: 1, offset: 1, has_more: true },
  });
  const { next } = await dataOf<{ next: number }>('/api/plus/v1/events?after=0');
  const rest = await dataOf<object>(`/api/plus/v1/events?after=${next}`);
  expect(rest).toEqual({ events: [], next, has_more: false });
  const tag = (await world.call('/set/10482', key)).headers.get('etag') ?? '';
  const unchanged = await world.call('/set/10482', key, { headers: { 'If-None-Match': tag } });
  expect(unchanged.status).toBe(304);
});

test('forces 429 and 500 by number, anywhere in a request', async () => {
  const quota = await errorOf('/set/99429');
  expect(quota).toMatchObject({ status: 429, code: 'QuotaExceeded' });
  expect(quota.response.headers.get('retry-after')).toBe(String(12 * 3600));
  expect(quota.response.headers.get('x-ratelimit-remaining')).toBe('0');
  const asked: [string, RequestInit?][] = [
    ['/set/99429-1/history'],
    ['/catalog/batch', batch({ sets: ['10482', '99429'] })],
    ['/salesledger?offset=99429'],
    ['/catalog/sets/search?q=99429'],
    ['/retail-prices?set=99429'],
  ];
  for (const [path, init] of asked) expect((await errorOf(path, init)).status).toBe(429);
  const failures = world.failures.length;
  expect(await errorOf('/minifig/99500')).toMatchObject({ status: 500, code: 'InternalError' });
  expect((await errorOf('/brickfolio/entries?offset=99500')).status).toBe(500);
  // They are not faults of the server.
  expect(world.failures).toHaveLength(failures);
  // With other keys, these are numbers like any other.
  await world.addAccount('plain@example.com');
  const plain = await world.addKey('plain@example.com');
  expect((await world.call('/set/99429', plain)).status).toBe(404);
});

test('validates input like other keys, and needs the plan', async () => {
  expect(await errorOf('/set/10482?colour=red')).toMatchObject({ status: 400 });
  expect(await errorOf('/catalog/batch', batch({ sets: [] }))).toMatchObject({ status: 400 });
  await world.addAccount('free-tester@example.com', 'free');
  const free = await world.addKey('free-tester@example.com', { isTest: true });
  expect((await world.call('/set/10482', free)).status).toBe(403);
});

test('is answered at most 40 times a second, after a burst', async () => {
  const start = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async () => (await world.call('/set/10482', key)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(performance.now() - start).toBeGreaterThanOrEqual(450);
});

test('beyond the calls that may wait, it is told when to try again, at no cost', async () => {
  await world.addAccount('hasty@example.com');
  const hasty = await world.addKey('hasty@example.com', { isTest: true });
  const ending = new AbortController();
  const { signal } = ending;
  const { perAccount, waitingEach } = pools.testKeys;
  // The slow calls have all turns, and the others wait.
  const calls = Array.from({ length: perAccount + waitingEach + 1 }, (_, index) =>
    world.call(index < perAccount ? '/set/99010' : '/set/10482', hasty, { signal }),
  );
  const refused = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    const [after, left] = ['retry-after', 'x-ratelimit-remaining'].map((name) =>
      response.headers.get(name),
    );
    return { status: response.status, ...error, after, left };
  };
  const message = 'Too many calls with test keys are waiting. Try again in 5 seconds.';
  const facts = { message, after: '5', left: '1000' };
  expect(await refused(await Promise.race(calls))).toEqual({
    status: 500,
    code: 'InternalError',
    ...facts,
  });
  const ofPlus = await world.call('/api/plus/v1/max-buy?set=10482', hasty);
  expect(ofPlus.headers.get('x-ratelimit-cost')).toBe('0');
  expect(await refused(ofPlus)).toEqual({ status: 429, code: 'TooManyRequests', ...facts });
  ending.abort();
  await Promise.allSettled(calls);
});

test('has no count, not even that of the key whose place it takes', async () => {
  const owner = 'places@example.com';
  const { accounts } = world.store;
  await world.addAccount(owner);
  const keys: string[] = [];
  for (let made = 0; made < 5; made++) keys.push(await world.addKey(owner, { allowance: 3 }));
  for (const each of keys) for (let call = 0; call < 3; call++) await world.call('/set/1', each);
  const [first] = (await accounts.listKeys(owner, world.now)) ?? [];
  await keysById(accounts).revokeKey(first?.id ?? 0, world.now);
  const tester = await world.addKey(owner, { isTest: true, allowance: 3 });
  for (const path of ['/set/10482', '/set/99500', '/api/plus/v1/usage', '/set/10482?x=1']) {
    const { headers } = await world.call(path, tester);
    expect([path, headers.get('x-ratelimit-remaining')]).toEqual([path, '3']);
  }
  const listed = await accounts.listKeys(owner, world.now);
  expect(listed?.at(-1)).toMatchObject({ isTest: true, usedToday: 0, countedToday: 0 });
  // Another key in the place continues its count.
  await keysById(accounts).revokeKey(listed?.at(-1)?.id ?? 0, world.now);
  const next = await world.addKey(owner, { allowance: 4 });
  expect((await world.call('/set/1', next)).headers.get('x-ratelimit-remaining')).toBe('0');
});

test('works with AI apps, and its last use is known', async () => {
  const client = await connectHttp(world.url, key);
  try {
    const found = await callTool(client, 'get_values', { sets: ['10482'] });
    expect(found).toMatchObject({ isError: false, data: { budget: { remaining: 5 } } });
  } finally {
    await client.close();
  }
  await until(async () => (await keyRow())?.lastUsedAt === world.now);
});
