/** Guarantees of every endpoint, tested over HTTP in loops over both endpoint tables. */
// @runs SQLite, PostgreSQL, PostgreSQL 17: calls every endpoint
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Brickmark } from '../../clients/typescript/src/index.ts';
import { mayUseAlerts } from '../../src/accounts/sign-in/attempt-limits.work.ts';
import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import { type Endpoint, isTagged } from '../../src/contract/endpoint.ts';
import { formatInstant } from '../../src/kernel/time.ts';
import { runClientExamples } from '../support/client-examples.ts';
import { callClient, everyEndpoint, textOf } from '../support/endpoints.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { answerFaults, errorFaults } from '../support/openapi.ts';
import { withOwnIds } from '../support/own-things.ts';
import { startWorld, type World, withPrefix } from '../support/world.ts';

let world: World;
let key: string;
let freeKey: string;
/** Of an account that has used up every limit besides the allowance and the rate. */
let busyKey: string;
const busyEmail = 'busy@example.com';
/** A world with a closed store that was never read. */
let broken: World;
let brokenKey: string;

beforeAll(async () => {
  [world, broken] = await Promise.all([startWorld(), startWorld()]);
  for (const each of [world, broken]) await each.load(smallMarket);
  await broken.addAccount('a@example.com');
  brokenKey = await broken.addKey('a@example.com');
  await broken.store.close();
  await world.addAccount('loops@example.com');
  await world.addAccount('free@example.com', 'free');
  await world.load(smallCollection('loops@example.com'));
  await world.makeBulkFiles();
  key = await world.addKey('loops@example.com', { allowance: 10_000 });
  freeKey = await world.addKey('free@example.com');
  await useUpLimits();
});

afterAll(async () => {
  await world.close();
  await broken.close().catch(() => {});
});

async function useUpLimits(): Promise<void> {
  const { accounts } = world.store;
  await world.addAccount(busyEmail);
  busyKey = await world.addKey(busyEmail, { allowance: 10_000 });
  const account = await accounts.findAccount(busyEmail, world.now);
  const by = { accountId: account?.id ?? 0, at: world.now };
  for (const use of ['add', 'test', 'resend'] as const)
    while (await mayUseAlerts(accounts, use, by));
}

/** Endpoints with a limit of their own, besides the allowance and the rate. */
const limitedEndpoints: EndpointName[] = [
  'createWebhook',
  'changeWebhook',
  'testWebhook',
  'rotateWebhookSecret',
];

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function used(): Promise<number> {
  const keys = await world.store.accounts.listKeys('loops@example.com', world.now);
  return keys?.[0]?.usedToday ?? -1;
}

async function expectError(response: Response, status: number, code: string): Promise<string> {
  const body = (await response.json()) as { error: { code: string; message: string } };
  expect(errorFaults(body)).toEqual([]);
  expect({ status: response.status, code: body.error.code }).toEqual({ status, code });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-api-version')).toBe('1');
  expect(response.headers.get('x-request-id')).toMatch(uuid);
  return body.error.message;
}

test('the tests below cover exactly the endpoints of the contract', () => {
  expect(Object.keys(allEndpoints)).toEqual(everyEndpoint.map(([name]) => name));
});

describe.each(everyEndpoint)('%s', (name, good) => {
  const endpoint: Endpoint = allEndpoints[name];
  const isStream = endpoint.kind === 'stream';
  const onPath = Object.values<Endpoint>(allEndpoints).filter(
    ({ prefix, path }) => prefix === endpoint.prefix && path === endpoint.path,
  );
  const hasGet = onPath.some(({ method }) => method === 'GET');
  const url = () => `${world.url}${withPrefix(good.path)}`;

  test('responds 200 in the envelope, valid against the OpenAPI document, at its cost', async () => {
    const before = await used();
    const response = await world.call(good.path, key, good.init);
    expect(response.status).toBe(200);
    expect(await used()).toBe(before + good.cost);
    const headers = (header: string) => response.headers.get(header);
    expect(headers('x-request-id')).toMatch(uuid);
    expect(Number(headers('x-ratelimit-remaining'))).toBe(10_000 - (await used()));
    expect(headers('x-ratelimit-reset')).toBe('2026-11-16T00:00:00.000Z');
    expect(headers('access-control-allow-origin')).toBe('*');
    if (isStream) {
      await textOf(response);
      return expect(headers('content-type')).toBe('text/event-stream; charset=utf-8');
    }
    if (endpoint.kind === 'file') {
      expect(headers('content-type')).toBe('application/gzip');
      const hash = createHash('sha256').update(await response.bytes());
      return expect(headers('etag')).toBe(`"${hash.digest('hex')}"`);
    }
    const body = (await response.json()) as { meta: object };
    expect(answerFaults(name, body)).toEqual([]);
    expect(body.meta).toEqual({
      request_id: headers('x-request-id') ?? '',
      api_version: headers('x-api-version'),
      rate_limit: {
        limit: Number(headers('x-ratelimit-limit')),
        remaining: Number(headers('x-ratelimit-remaining')),
        reset: headers('x-ratelimit-reset'),
      },
    });
  });

  test('gives the client the same data, and the budget', async () => {
    const send = async (address: string, init: RequestInit) =>
      fetch(await withOwnIds(address, { store: world.store, key, at: world.now }), init);
    const client = new Brickmark({ url: world.url, key, fetch: send });
    const answered = await callClient(client, name);
    expect(client.budget?.remaining).toBe(10_000 - (await used()));
    const response = await world.call(good.path, key, good.init);
    if (isStream) return await textOf(response);
    if (endpoint.kind === 'file') {
      const text = Bun.gunzipSync(await response.bytes());
      return expect(answered).toEqual(Bun.JSONL.parse(text));
    }
    const { data } = (await response.json()) as { data: object };
    // The second one changes something else.
    if (endpoint.effect) return expect(Object.keys(answered ?? {})).toEqual(Object.keys(data));
    expect(answered).toEqual(data);
  });

  test('responds 304 to its own ETag at its cost, and 200 to any other', async () => {
    const asking = (tag: string | null, init = good.init) =>
      world.call(good.path, key, {
        ...init,
        headers: { ...init?.headers, ...(tag !== null && { 'If-None-Match': tag }) },
      });
    const first = await asking(null);
    const tag = first.headers.get('etag');
    const before = await textOf(first);
    const preflight = await fetch(url(), { method: 'OPTIONS' });
    const allowed = preflight.headers.get('access-control-allow-headers') ?? '';
    expect(allowed.includes('If-None-Match')).toBe(onPath.some(isTagged));
    if (!isTagged(endpoint)) {
      expect(tag).toBeNull();
      const again = await asking('*');
      expect(again.status).toBe(200);
      await textOf(again);
      return;
    }
    for (const init of [good.init, { ...good.init, method: 'HEAD' }]) {
      const spent = await used();
      const unchanged = await asking(`"other", ${tag}`, init);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
      // An unchanged response costs at most one call.
      expect(await used()).toBe(spent + Math.min(good.cost, 1));
      const headers = (response: Response) =>
        [...response.headers.keys()].filter((name) => !/^content-|^date$/.test(name));
      expect(headers(unchanged)).toEqual(headers(first));
      expect(unchanged.headers.get('etag')).toBe(tag);
      expect(unchanged.headers.get('x-request-id')).toMatch(uuid);
      expect(unchanged.headers.get('x-ratelimit-remaining')).toBe(String(10_000 - (await used())));
    }
    const other = await asking('W/"other"');
    expect([other.status, other.headers.get('etag')]).toEqual([200, tag]);
    const dataOf = (text: string) => text.replace(/,"meta":.*/, '');
    expect(dataOf(await textOf(other))).toBe(dataOf(before));
  });

  test('responds 401 without a key, with another scheme, and with an invalid key', async () => {
    const headers = (authorization: string) => ({
      ...good.init,
      headers: { ...good.init?.headers, Authorization: authorization },
    });
    await expectError(await fetch(url(), good.init ?? {}), 401, 'MissingApiKey');
    await expectError(await fetch(url(), headers('Basic abc')), 401, 'MissingApiKey');
    const unknown = `Bearer bmk_${'0'.repeat(48)}`;
    await expectError(await fetch(url(), headers('Bearer nonsense')), 401, 'InvalidApiKey');
    await expectError(await fetch(url(), headers(unknown)), 401, 'InvalidApiKey');
  });

  test('responds 403 on the free plan, with the rate headers, at no cost', async () => {
    const response = await world.call(good.path, freeKey, good.init);
    await expectError(response, 403, 'TierRequired');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('1000');
  });

  test('responds 400 to an unknown parameter and names it, at no cost', async () => {
    const before = await used();
    const path = `${good.path}${good.path.includes('?') ? '&' : '?'}colour=red`;
    const response = await world.call(path, key, good.init);
    expect(await expectError(response, 400, 'BadRequest')).toContain("'colour'");
    expect(response.headers.get('x-ratelimit-limit')).toBe('10000');
    expect(await used()).toBe(before);
  });

  test('responds 405 with Allow to another method, before checking the key', async () => {
    const other = ['PATCH', 'DELETE'].find((each) => onPath.every(({ method }) => method !== each));
    const response = await fetch(url(), { method: other ?? 'PUT' });
    await expectError(response, 405, 'MethodNotAllowed');
    const methods = onPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
    expect(response.headers.get('allow')).toBe([...methods, 'OPTIONS'].join(', '));
    expect(response.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('responds to OPTIONS with 204, Allow and the CORS headers, free and without a key', async () => {
    const before = await used();
    const response = await fetch(url(), {
      method: 'OPTIONS',
      headers: { Origin: 'https://sheet.example.com', 'Access-Control-Request-Method': 'GET' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toContain('OPTIONS');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(await used()).toBe(before);
  });

  const spent = good.cost === 0 ? '200 as ever' : '429 with Retry-After';
  test(`responds ${spent} when the allowance is used up, at no cost`, async () => {
    await world.addAccount(`${name}@example.com`);
    const poor = await world.addKey(`${name}@example.com`, { allowance: Math.max(1, good.cost) });
    if (good.cost === 0) await world.call('/catalog/themes', poor);
    const first = await world.call(good.path, poor, good.init);
    expect(first.status).toBe(200);
    await textOf(first);
    const response = await world.call(good.path, poor, good.init);
    if (good.cost === 0) {
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
      return expect(response.status).toBe(200);
    }
    await expectError(response, 429, 'QuotaExceeded');
    expect(response.headers.get('retry-after')).toBe(String(12 * 3600));
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    const keys = await world.store.accounts.listKeys(`${name}@example.com`, world.now);
    expect(keys?.[0]?.usedToday).toBe(good.cost);
  });

  test('responds 429 beyond a limit of its own at no cost, and otherwise as ever', async () => {
    const { accounts } = world.store;
    const countOf = async () =>
      (await accounts.listKeys(busyEmail, world.now))?.[0]?.usedToday ?? -1;
    const before = await countOf();
    const response = await world.call(good.path, busyKey, good.init);
    await textOf(response);
    const isRefused = response.status === 429;
    expect(isRefused).toBe(limitedEndpoints.includes(name));
    expect(await countOf()).toBe(before + (isRefused ? 0 : good.cost));
    if (!isRefused) return expect(response.status).toBe(200);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(response.headers.get('x-ratelimit-cost')).toBe('0');
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(10_000 - before));
  });

  test("responds 500 in the contract's shape, at no cost, when the store is unavailable", async () => {
    const before = broken.failures.length;
    await expectError(await broken.call(good.path, brokenKey, good.init), 500, 'InternalError');
    expect(broken.failures.length).toBeGreaterThan(before);
  });

  test('responds to HEAD like GET without a body at the same cost; 405 where there is no GET', async () => {
    const before = await used();
    // The length of compressed responses varies.
    const headers = { 'Accept-Encoding': 'identity' };
    const head = await world.call(good.path, key, { method: 'HEAD', headers });
    expect(await head.text()).toBe('');
    expect(head.status).toBe(hasGet ? 200 : 405);
    if (endpoint.method !== 'GET') return;
    const get = await world.call(good.path, key, { headers });
    const { length } = isStream ? await textOf(get) : await get.bytes();
    const announced = head.headers.get('content-length');
    // Long responses are streamed.
    if (announced === null) expect(get.headers.get('content-length')).toBeNull();
    // The number of digits of `remaining` may differ.
    else expect(Math.abs(Number(announced) - length)).toBeLessThanOrEqual(1);
    expect(await used()).toBe(before + 2 * good.cost);
  });
});

test('the client does not split a box that is too large, and the error names the limit', async () => {
  const items = Array.from({ length: 101 }, (_, index) => ({ set: `${5000 + index}` }));
  const client = new Brickmark({ url: world.url, key });
  const before = await used();
  await expect(client.plus.evaluateBox({ items })).rejects.toThrow(/101 .*100/);
  expect(await used()).toBe(before);
});

test('a caching client receives each response once, and again after a publication', async () => {
  const statuses: number[] = [];
  const send = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  const client = new Brickmark({ url: world.url, key, cache: true, fetch: send });
  const first = await client.getSet('75192');
  expect(await client.getSet('75192')).toEqual(first);
  world.now += 60_000;
  const offer = { kind: 'offer', retailer: 'retailer_b', set_number: '75192', price: 160 };
  await world.load([{ ...offer, observed_at: formatInstant(world.now) }]);
  expect((await client.getSet('75192')).retailers).toContainEqual(
    expect.objectContaining({ retailer: 'retailer_b', current_price: 160 }),
  );
  expect(statuses).toEqual([200, 304, 200]);
});

test('the examples in docs/client.md print what the page says', async () => {
  world.now += 60_000;
  const offer = { kind: 'offer', retailer: 'retailer_b', set_number: '75192', price: 150 };
  await world.load([{ ...offer, observed_at: formatInstant(world.now) }]);
  const server = { url: world.url, key: await world.addKey('loops@example.com') };
  const page = join(import.meta.dir, '..', '..', 'docs', 'client.md');
  const { expected, printed } = await runClientExamples(page, server);
  expect(expected.length).toBeGreaterThan(8);
  expect(printed).toEqual(expected);
});
