/** Scopes of keys, at every door: the API, AI apps, spreadsheet links and streams. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Scope, scopeBits, scopes } from '../../src/accounts/keys/scopes.ts';
import { allEndpoints } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { apiPrefix, plusPrefix } from '../../src/contract/limits.ts';
import { everyEndpoint, textOf } from '../support/endpoints.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { callTool, connectHttp } from '../support/mcp.ts';
import { errorFaults } from '../support/openapi.ts';
import { startWorld, type World } from '../support/world.ts';

const email = 'scopes@example.com';
let world: World;
/** Keys with one scope each. */
const keyOf = new Map<Scope, string>();

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount(email);
  await world.load(smallCollection(email));
  await world.makeBulkFiles();
  for (const scope of scopes) {
    const key = await world.addKey(email, { allowance: 10_000, scopes: scopeBits([scope]) });
    keyOf.set(scope, key);
  }
});

afterAll(() => world.close());

const used = async () =>
  (await world.store.accounts.listKeys(email, world.now))?.map(({ usedToday }) => usedToday);

const call = (path: string, scope: Scope, init?: RequestInit) =>
  world.call(path, keyOf.get(scope) ?? '', init);

/** A refusal: its code, and the scopes that its message names. */
async function refusalOf(response: Response) {
  const body = (await response.json()) as { error: { code: string; message: string } };
  const isPlus = new URL(response.url).pathname.startsWith(plusPrefix);
  expect(errorFaults(body, isPlus ? plusPrefix : apiPrefix)).toEqual([]);
  const named = [...body.error.message.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  return { status: response.status, code: body.error.code, named };
}

describe.each(everyEndpoint)('%s', (name, good) => {
  const endpoint: Endpoint = allEndpoints[name];
  const isMore = good.path.includes('scope=');
  const needs = scopes.filter(
    (scope) =>
      endpoint.needs.includes(scope) || (isMore && endpoint.alsoNeeds?.scopes.includes(scope)),
  );

  test.each([...scopes])('with a key for %s only', async (scope) => {
    const missing = needs.filter((needed) => needed !== scope);
    const before = await used();
    const response = await call(good.path, scope, good.init);
    if (missing.length === 0) {
      expect(response.status).toBe(200);
      await textOf(response);
      return;
    }
    expect(response.headers.get('x-ratelimit-limit')).toBe('10000');
    expect(await refusalOf(response)).toEqual({
      status: 403,
      code: 'ScopeRequired',
      named: missing,
    });
    expect(await used()).toEqual(before);
  });
});

test('every endpoint but the usage of the key needs a scope', () => {
  const free = Object.entries<Endpoint>(allEndpoints).filter(([, { needs }]) => needs.length === 0);
  expect(free.map(([name]) => name)).toEqual(['getUsage']);
});

test('private paths of version 1 need the scope of their data', () => {
  const privatePaths = Object.values<Endpoint>(allEndpoints)
    .filter(({ path }) => /^\/(brickfolio|salesledger)/.test(path))
    .map(({ path, needs }) => [path, needs.join()]);
  expect(privatePaths).toEqual([
    ['/brickfolio/retail-watch', 'portfolio'],
    ['/brickfolio', 'portfolio'],
    ['/brickfolio/analytics', 'portfolio'],
    ['/brickfolio/entries', 'portfolio'],
    ['/salesledger', 'sales'],
  ]);
});

test('a key made without naming scopes has all of them', async () => {
  await world.addAccount('all@example.com');
  const key = await world.addKey('all@example.com');
  for (const [, { path, init }] of everyEndpoint) {
    const response = await world.call(path, key, init);
    expect([path, response.status]).toEqual([path, 200]);
    await textOf(response);
  }
});

test('a refusal comes after the plan and before the input', async () => {
  await world.addAccount('poor@example.com', 'free');
  const poor = await world.addKey('poor@example.com', { scopes: scopeBits(['market']) });
  const plan = await world.call('/salesledger', poor);
  expect((await plan.json()) as object).toMatchObject({ error: { code: 'TierRequired' } });
  expect((await refusalOf(await call('/salesledger?limit=x', 'market'))).code).toBe(
    'ScopeRequired',
  );
});

test('a key without the portfolio sees no price paid, and default buying settings', async () => {
  await world.addAccount('terms@example.com');
  await world.load(smallCollection('terms@example.com'));
  const key = await world.addKey('terms@example.com');
  const market = await world.addKey('terms@example.com', { scopes: scopeBits(['market']) });
  const dataOf = async (path: string, with_: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const init = body && { method: 'POST', body: JSON.stringify(body), headers };
    const response = await world.call(path, with_, init);
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  };
  const prices = '/set/75192/retail-prices';
  expect(await dataOf(prices, key)).toHaveProperty('paid');
  expect(await dataOf(prices, market)).not.toHaveProperty('paid');
  const many = `${plusPrefix}/retail-prices/batch`;
  const sets = ['75192'];
  expect(JSON.stringify(await dataOf(many, key, { sets }))).toContain('"paid"');
  expect(JSON.stringify(await dataOf(many, market, { sets }))).not.toContain('"paid"');
  const maxBuy = `${plusPrefix}/max-buy?set=75192`;
  const usual = await dataOf(maxBuy, key);
  const maxBuys = `${plusPrefix}/max-buy/batch`;
  const items = [{ set: '75192' }];
  const usualMany = await dataOf(maxBuys, key, { items });
  const account = await world.store.accounts.findAccount('terms@example.com', world.now);
  const settings = await world.store.accounts.findBuyingSettings(account?.id ?? 0);
  await world.store.accounts.saveBuyingSettings(account?.id ?? 0, {
    ...settings,
    taxBasisPoints: 2_000,
  });
  expect(await dataOf(maxBuy, key)).not.toEqual(usual);
  expect(await dataOf(maxBuy, market)).toEqual(usual);
  expect(await dataOf(maxBuys, key, { items })).not.toEqual(usualMany);
  expect(await dataOf(maxBuys, market, { items })).toEqual(usualMany);
});

test('a tool of an AI app is refused like the call that it makes', async () => {
  const client = await connectHttp(world.url, keyOf.get('market') ?? '');
  try {
    const set = await callTool(client, 'get_values', { sets: ['75192'] });
    expect(set.isError).toBe(false);
    const before = await used();
    const sales = await callTool(client, 'my_sales');
    expect(sales.isError).toBe(true);
    expect(sales.text).toContain("the scope 'sales'");
    expect(await used()).toEqual(before);
  } finally {
    await client.close();
  }
});
