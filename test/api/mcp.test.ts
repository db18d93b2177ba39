/** `/mcp` with the official client in every version of the protocol, and with invalid clients. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/client';
import { Compile } from 'typebox/schema';
import { outputSchema } from '../../src/mcp/tool.ts';
import { tools } from '../../src/mcp/tools.ts';
import { keysById } from '../support/keys-by-id.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { callTool, connectHttp, protocolVersions } from '../support/mcp.ts';
import { startWorld, type World } from '../support/world.ts';

const email = 'agent@example.com';
let world: World;
let key: string;
let client: Client;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount(email);
  await world.addAccount('free@example.com', 'free');
  await world.load(smallCollection(email));
  key = await world.addKey(email);
  client = await connectHttp(world.url, key);
});

afterAll(async () => {
  await client.close();
  await world.close().catch(() => {});
});

async function used(): Promise<number> {
  const keys = await world.store.accounts.listKeys(email, world.now);
  return keys?.find(({ id }) => id === 1)?.usedToday ?? -1;
}

/** Sends a message without the client. */
function send(
  message: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
  signal?: AbortSignal,
) {
  return fetch(`${world.url}/mcp`, {
    method,
    ...(signal && { signal }),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${key}`,
      ...headers,
    },
    ...(method === 'POST' && {
      body: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  });
}

const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });

describe.each([...protocolVersions])('a client of %s', (version) => {
  test('lists the tools for free, and can call them', async () => {
    const before = await used();
    const other = await connectHttp(world.url, key, version);
    const listed = await other.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(other.getServerVersion()).toMatchObject({ name: 'brickmark', title: 'Brickmark' });
    expect(await used()).toBe(before);
    const { text, data } = await callTool(other, 'find_items', { query: 'castle', kind: 'set' });
    expect(text).toContain('- 75192 Grand Castle (Castle, 2020, retired)');
    expect(data).toMatchObject({ minifigs: null, sets: { has_more: false, next_offset: null } });
    expect(await used()).toBe(before + 1);
    await other.close();
  });
});

test('every tool is read-only and states its cost', async () => {
  const { tools: listed } = await client.listTools();
  for (const { description, annotations, inputSchema, outputSchema } of listed) {
    expect(description).toMatch(/ Cost: .*\bcalls?\b.*\.$/);
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema?.required).toContain('budget');
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"x-');
  }
});

/** For each tool: arguments, cost, and words of the text result. */
const toolCalls: readonly (readonly [string, object, number, string])[] = [
  ['find_items', { query: 'knight' }, 2, '- cas001 Knight of the Café (2019)'],
  ['find_items', { query: 'castle', kind: 'set', limit: 1 }, 1, 'For more, set offset to 1.'],
  ['get_values', { sets: ['75192', '75192-1', '404'], minifigs: ['cas001'] }, 3, 'catalog: 404.'],
  ['get_values', { sets: [75192] }, 1, '); used $'],
  ['value_history', { set: 75192, limit: 2 }, 1, 'Set 75192, sealed: $'],
  ['value_history', { set: '75192', condition: 'used' }, 1, 'Set 75192, used: '],
  ['retail_prices', { barcode: '673419000017' }, 1, '- Retailer B: $180.00, sold by a third party'],
  ['retail_prices', { asin: 'B0NOSUCH00' }, 1, 'No retail prices found'],
  ['find_deals', { min_tier: 'low', share: 0.5 }, 1, 'Budget: '],
  ['what_to_pay', { items: [{ set: '75192' }] }, 1, '75192 Grand Castle, sealed: value $'],
  ['what_to_pay', { items: [{ set: '75192', quantity: 2 }] }, 1, '2 units, 2 with a value'],
  [
    'what_to_pay',
    { items: [{ set: '75192' }, { minifig: 'cas001' }, { set: '404' }], cost_usd: 99.99 },
    3,
    'Not in the catalog: 404.',
  ],
  ['ways_to_sell', { set: '75192', price_usd: 99.99 }, 1, '75192 Grand Castle, sealed: '],
  ['my_portfolio', { period: '90d', limit: 1 }, 3, 'Showing 1 of 2. For more, set offset to 1.'],
  [
    'my_portfolio',
    { offset: 1, limit: 1 },
    1,
    '75192 Grand Castle, sealed, bought 2026-09-20 at $120',
  ],
  ['my_sales', {}, 1, '1 × 75192 Grand Castle on ebay for $210.00'],
];

test('the list of tools is short enough for a model, and can be cached for an hour', async () => {
  const listed = await client.listTools();
  expect(listed).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' });
  expect(JSON.stringify(listed).length).toBeLessThan(17_000);
});

/** The complete output schemas; the listed ones only have names. */
const isWhole = new Map(tools.map((tool) => [tool.name, Compile(outputSchema(tool))]));

test('every tool is tested below', () => {
  expect([...new Set(toolCalls.map(([name]) => name))]).toEqual(tools.map(({ name }) => name));
});

test.each(toolCalls)('%s %j costs %i, and fits its schema', async (name, args, cost, words) => {
  const before = await used();
  const { isError, text, data } = await callTool(client, name, args);
  expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining(words) });
  expect(isWhole.get(name)?.Check(data)).toBe(true);
  expect(await used()).toBe(before + cost);
  const budget = {
    limit: 1000,
    remaining: 1000 - before - cost,
    reset: '2026-11-16T00:00:00.000Z',
  };
  expect(data.budget).toEqual(budget);
  expect(text).toEndWith(`Budget: ${budget.remaining} of 1000 calls left until ${budget.reset}.`);
});

test.each([
  ['find_items', { query: 'x' }, "The argument 'query' must be 2 to 500 characters"],
  ['find_items', {}, "The argument 'query' is missing."],
  ['find_items', { query: 'castle', limt: 3 }, "did you mean 'limit'?"],
  [
    'find_items',
    { query: 'castle', kind: 'part' },
    'must be one of any, set, minifig; got "part".',
  ],
  ['get_values', {}, 'Send 1 to 50 items in sets and minifigs together; got 0.'],
  ['my_sales', { limit: 51 }, "The argument 'limit' must be a whole number from 1 to 50; got 51."],
  ['retail_prices', { set: '75192', asin: 'B0' }, 'Send exactly one of set, asin and barcode.'],
  ['what_to_pay', { items: [{ quantity: 1 }] }, 'Send either set or minifig in items.0, not both.'],
  ['what_to_pay', { items: [{ set: '1', quantity: 0 }] }, "The argument 'items.0.quantity' must"],
  ['value_history', { set: '..' }, "There is no set '..'."],
  ['find_items', { query: 'a ' }, "The argument 'query' must be 2 to 500 characters"],
])('%s rejects %j for free, and names the error', async (name, args, words) => {
  const before = await used();
  const { isError, text } = await callTool(client, name, args);
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(words) });
  expect(await used()).toBe(before);
});

test('an item that does not exist is reported with a next step', async () => {
  const { isError, text } = await callTool(client, 'value_history', { set: '404' });
  expect(isError).toBe(true);
  expect(text).toBe("There is no set '404'. Find numbers with find_items. The call was charged.");
});

test('a collection that does not exist is reported with where to find its ID', async () => {
  const { isError, text } = await callTool(client, 'my_portfolio', { brickfolio_id: 99 });
  expect(isError).toBe(true);
  expect(text).toEndWith(
    'Collection IDs are in `collections` of my_portfolio. The call was charged.',
  );
});

test('an unknown tool is a protocol error', async () => {
  await expect(callTool(client, 'buy_everything')).rejects.toThrow("no tool 'buy_everything'");
  await expect(callTool(client, 'get_value')).rejects.toThrow("did you mean 'get_values'?");
});

test('an exhausted key gets the time of its reset; tools can still be listed', async () => {
  const poor = await connectHttp(world.url, await world.addKey(email, { allowance: 1 }));
  expect((await callTool(poor, 'my_sales')).data.budget.remaining).toBe(0);
  const { isError, text } = await callTool(poor, 'my_sales');
  expect(isError).toBe(true);
  expect(text).toBe(
    'This request needs 1 of the daily allowance of 1 calls and 0 are left; the allowance resets ' +
      'at midnight UTC. No tool works until then (2026-11-16T00:00:00.000Z).',
  );
  expect((await poor.listTools()).tools).toHaveLength(tools.length);
  await poor.close();
});

test('a key with too little left for a batch gets the number of calls left', async () => {
  const poor = await connectHttp(world.url, await world.addKey(email, { allowance: 2 }));
  const { isError, text } = await callTool(poor, 'get_values', { sets: ['1', '2', '3'] });
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining('Request at most 2 until then'),
  });
  await poor.close();
});

test('an account without the plan is refused and takes no slot', async () => {
  const Authorization = `Bearer ${await world.addKey('free@example.com')}`;
  const response = await send(list(1), { Authorization, Origin: 'https://agents.example.com' });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('The API is part of the Reseller plan.') },
  });
  // Pages of allowed origins can read the response.
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://agents.example.com');
});

test('a tool that takes several calls is refused for free if too few are left', async () => {
  await world.addAccount('poor@example.com');
  const key = await world.addKey('poor@example.com', { allowance: 3 });
  const poor = await connectHttp(world.url, key);
  await callTool(poor, 'my_sales');
  const whole = await callTool(poor, 'my_portfolio');
  expect(whole).toMatchObject({
    isError: true,
    text:
      'This needs 3 calls and 2 remain until 2026-11-16T00:00:00.000Z; nothing was charged. With ' +
      'an offset of 1 or more, my_portfolio needs 1.',
  });
  expect((await callTool(poor, 'my_portfolio', { offset: 1 })).data.budget.remaining).toBe(1);
  const any = await callTool(poor, 'find_items', { query: 'castle' });
  expect({ isError: any.isError, text: any.text }).toEqual({
    isError: true,
    text: expect.stringContaining('This needs 2 calls and 1 remains'),
  });
  const sets = await callTool(poor, 'find_items', { query: 'castle', kind: 'set' });
  expect(sets.data.budget.remaining).toBe(0);
  await poor.close();
});

describe('an account with all slots taken', () => {
  let Authorization: string;

  beforeAll(async () => {
    await world.addAccount('busy@example.com');
    Authorization = `Bearer ${await world.addKey('busy@example.com')}`;
  });

  /** Takes slots with free messages; each holds its slot a little longer. */
  async function takeSlots(messages: number): Promise<void> {
    const body = Array.from({ length: messages }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'ping',
    }));
    const responses = Array.from({ length: 4 }, () => send(body, { Authorization }));
    for (const response of await Promise.all(responses)) expect(response.status).toBe(200);
  }

  test('pays nothing for calls aborted while waiting', async () => {
    const call = {
      ...list(1),
      method: 'tools/call',
      params: { name: 'get_values', arguments: { sets: ['75192'] } },
    };
    // Hold the slots as long as possible, so that the call is still waiting when it is aborted.
    await takeSlots(10);
    const leaving = new AbortController();
    const left = send(call, { Authorization }, 'POST', leaving.signal);
    await Bun.sleep(30);
    leaving.abort();
    await expect(left).rejects.toThrow('abort');
    const next = await send(call, { Authorization });
    expect(await next.text()).toContain('Budget: 999 of 1000 calls left');
  });

  test('waits longer the more messages it sent', async () => {
    // Slots are held before their responses arrive, so the clock starts before them.
    const start = performance.now();
    await takeSlots(3);
    await send(list(1), { Authorization });
    expect(performance.now() - start).toBeGreaterThan(200);
  });
});

test('concurrent tools of several calls are charged as a whole or not at all', async () => {
  await world.addAccount('crowd@example.com');
  const crowd = await connectHttp(
    world.url,
    await world.addKey('crowd@example.com', { allowance: 4 }),
  );
  const calls = Array.from({ length: 4 }, () => callTool(crowd, 'my_portfolio'));
  const results = await Promise.all(calls);
  const granted = results.filter(({ isError }) => !isError);
  expect(granted.map(({ data }) => data.budget.remaining)).toEqual([1]);
  for (const { text } of results.filter(({ isError }) => isError)) {
    // One that is refused before its last call counts those before it.
    expect(text).toMatch(/This needs 3 calls and 1 remains|of the daily allowance of 4 calls/);
  }
  // The last call was not charged to any of them.
  expect((await callTool(crowd, 'my_sales')).data.budget.remaining).toBe(0);
  await crowd.close();
});

test('an unknown collection costs the one call that found out', async () => {
  await world.addAccount('lost@example.com');
  const key = await world.addKey('lost@example.com', { allowance: 10 });
  const lost = await connectHttp(world.url, key);
  expect((await callTool(lost, 'my_portfolio', { brickfolio_id: 999 })).isError).toBe(true);
  expect((await callTool(lost, 'my_sales')).data.budget.remaining).toBe(8);
  await lost.close();
});

test('concurrent calls are granted exactly what the key has left', async () => {
  const allowance = 10;
  const crowd = await connectHttp(world.url, await world.addKey(email, { allowance }));
  const calls = Array.from({ length: 16 }, () =>
    callTool(crowd, 'get_values', { sets: ['75192'] }),
  );
  const results = await Promise.all(calls);
  expect(results.filter(({ isError }) => !isError)).toHaveLength(allowance);
  const left = results.filter(({ isError }) => !isError).map(({ data }) => data.budget.remaining);
  expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await crowd.close();
});

test('a revoked key is refused from the next request on', async () => {
  const revoked = await world.addKey(email);
  const keys = await world.store.accounts.listKeys(email, world.now);
  const id = keys?.reduce((latest, each) => Math.max(latest, each.id), 0) ?? 0;
  const gone = await connectHttp(world.url, revoked);
  await callTool(gone, 'my_sales');
  await keysById(world.store.accounts).revokeKey(id, world.now);
  await expect(callTool(gone, 'my_sales')).rejects.toThrow('This API key is not valid.');
});

describe('a client without a valid key', () => {
  test.each([
    ['no key', {}],
    ['another scheme', { Authorization: 'Basic Ym1rXw==' }],
    ['an unknown key', { Authorization: `Bearer bmk_${'0'.repeat(48)}` }],
  ])('with %s gets 401, without a link to OAuth metadata', async (_, headers) => {
    const response = await send(list(1), { Authorization: '', ...headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ])('finds no OAuth metadata at %s', async (path) => {
    expect((await fetch(`${world.url}${path}`)).status).toBe(404);
  });
});

describe('a page', () => {
  test.each(['https://evil.example.com', 'null', 'http://127.0.0.1:1'])(
    'of %s is refused, also with a key',
    async (origin) => {
      const before = await used();
      const response = await send(list(1), { Origin: origin });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain(`Origin ${origin} is not allowed.`);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(await used()).toBe(before);
      expect((await send(null, { Origin: origin }, 'OPTIONS')).status).toBe(403);
    },
  );

  test('of the site itself, or of an allowed origin, is accepted', async () => {
    for (const origin of [world.url, 'https://agents.example.com']) {
      const check = await send(null, { Origin: origin }, 'OPTIONS');
      expect(check.status).toBe(204);
      expect(check.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(check.headers.get('Access-Control-Allow-Headers')).toContain('Mcp-Protocol-Version');
      const response = await send(list(1), { Origin: origin });
      expect(response.status).toBe(200);
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(response.headers.get('Vary')).toContain('Origin');
    }
  });
});

describe('a request', () => {
  test.each(['GET', 'DELETE', 'PUT'])(
    'with %s is refused: there are no sessions',
    async (method) => {
      const response = await send(null, {}, method);
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('POST, OPTIONS');
    },
  );

  test.each([
    ['invalid JSON', '{"jsonrpc":', 400, -32_700],
    ['too large', JSON.stringify({ a: 'x'.repeat(70_000) }), 413, -32_000],
    [
      'eleven messages',
      JSON.stringify(Array.from({ length: 11 }, (_, id) => list(id))),
      400,
      -32_600,
    ],
    ['not a message', '{"jsonrpc":"2.0"}', 400, -32_600],
  ])('that is %s is refused', async (_, body, status, code) => {
    const response = await send(body);
    const { error } = (await response.json()) as { error: { code: number } };
    expect({ status: response.status, code: error.code }).toEqual({ status, code });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('with ten messages of an older protocol is answered', async () => {
    const response = await send(Array.from({ length: 10 }, (_, id) => list(id)));
    expect(response.status).toBe(200);
    expect((await response.text()).match(/"result":/g)).toHaveLength(10);
  });

  test('for notifications ends at once, as there are none', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
    const headers = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const response = await send(listen, headers);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"resultType":"complete"');
  });
});

test('a failing store is a 500 with an error of the protocol', async () => {
  expect(world.failures).toEqual([]);
  await world.store.close();
  const response = await send(list(1));
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: -32_603 } });
});
