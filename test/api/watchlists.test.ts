/** Watchlists by API: the same rules as on the pages, and calls that can be repeated. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { scopeBits } from '../../src/accounts/keys/scopes.ts';
import { watchLimits } from '../../src/alerts/watchlists/watch-list.ts';
import { smallMarket } from '../support/market.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
let others: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  for (const email of ['a@example.com', 'b@example.com']) await world.addAccount(email);
  key = await world.addKey('a@example.com', { allowance: 10_000 });
  others = await world.addKey('b@example.com', { allowance: 10_000 });
});

afterAll(() => world.close());

interface Body {
  readonly data?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string };
}

async function ask(method: string, path: string, body?: unknown, by = key) {
  const init = { ...(body !== undefined && batch(body)), method };
  const response = await world.call(`/api/plus/v1${path}`, by, init);
  const { data, error } = (await response.json()) as Body;
  const cost = response.headers.get('x-ratelimit-cost');
  return { status: response.status, data, code: error?.code, message: error?.message, cost };
}

async function newList(name: string): Promise<number> {
  const { data } = await ask('POST', '/watchlists', { name });
  return data?.id as number;
}

test('a list is created, renamed, filled, read and deleted', async () => {
  const id = await newList('Castles');
  const at = `/watchlists/${id}`;
  expect((await ask('PUT', at, { name: 'Castles to buy' })).data).toMatchObject({
    id,
    name: 'Castles to buy',
    item_count: 0,
  });
  const item = { target_price_usd: 99.5, note: 'Für Ann' };
  const saved = await ask('PUT', `${at}/items/set/75192-1`, item);
  expect(saved).toMatchObject({ status: 200, cost: '1' });
  expect(saved.data).toMatchObject({
    item_type: 'set',
    number: '75192',
    title: 'Grand Castle',
    ...item,
  });
  await ask('PUT', `${at}/items/minifig/CAS001`, {});
  const first = (await ask('GET', `${at}/items?limit=1`)).data;
  expect(first).toMatchObject({ items: [{ number: '75192' }], has_more: true });
  const rest = (await ask('GET', `${at}/items?limit=1&after=${first?.next}`)).data;
  expect(rest).toMatchObject({
    items: [{ item_type: 'minifig', number: 'cas001', target_price_usd: null, note: null }],
    has_more: false,
  });
  expect((await ask('DELETE', `${at}/items/set/75192`)).data).toEqual({ deleted: true });
  expect((await ask('GET', '/watchlists')).data).toMatchObject({
    watchlists: [{ id, item_count: 1 }],
  });
  expect((await ask('DELETE', at)).data).toEqual({ deleted: true });
  expect((await ask('GET', '/watchlists')).data).toEqual({ watchlists: [] });
});

test('a name is the same however its accents are encoded', async () => {
  const [composed, decomposed] = ['Für Zoé'.normalize('NFC'), 'Für Zoé'.normalize('NFD')];
  const id = await newList(decomposed);
  expect(await ask('POST', '/watchlists', { name: composed })).toMatchObject({
    data: { id, name: composed },
  });
  await ask('DELETE', `/watchlists/${id}`);
});

test('repeated and parallel calls change nothing more', async () => {
  const made = await Promise.all(
    Array.from({ length: 4 }, () => ask('POST', '/watchlists', { name: 'Twice' })),
  );
  expect(new Set(made.map(({ data }) => data?.id)).size).toBe(1);
  const at = `/watchlists/${made[0]?.data?.id}`;
  const saved = await Promise.all(
    Array.from({ length: 4 }, () => ask('PUT', `${at}/items/set/75192`, { note: 'x' })),
  );
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await ask('GET', `${at}/items`)).data?.items).toHaveLength(1);
  for (const path of [`${at}/items/set/75192`, at]) {
    expect((await ask('DELETE', path)).status).toBe(200);
    expect(await ask('DELETE', path)).toMatchObject({ status: 404, cost: '1' });
  }
});

test('an item is replaced as a whole', async () => {
  const at = `/watchlists/${await newList('Replaced')}/items/set/75192`;
  await ask('PUT', at, { target_price_usd: 50, note: 'first' });
  expect((await ask('PUT', at, { note: 'second' })).data).toMatchObject({
    target_price_usd: null,
    note: 'second',
  });
  expect((await ask('PUT', at, { target_price_usd: 40, note: null })).data).toMatchObject({
    target_price_usd: 40,
    note: null,
  });
});

test('what is not yours does not exist, and is not changed', async () => {
  const id = await newList('Mine');
  await ask('PUT', `/watchlists/${id}/items/set/75192`, {});
  const refused = await Promise.all([
    ask('PUT', `/watchlists/${id}`, { name: 'Theirs' }, others),
    ask('DELETE', `/watchlists/${id}`, undefined, others),
    ask('GET', `/watchlists/${id}/items`, undefined, others),
    ask('PUT', `/watchlists/${id}/items/set/75192`, {}, others),
    ask('DELETE', `/watchlists/${id}/items/set/75192`, undefined, others),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(new Set(refused.map(({ message }) => message))).toEqual(
    new Set(['You have no watchlist with this ID.']),
  );
  expect((await ask('GET', `/watchlists/${id}/items`)).data?.items).toHaveLength(1);
});

test.each<[string, string, unknown, string]>([
  ['POST', '/watchlists', { name: '' }, "'name' must be 1 to 100 characters"],
  ['POST', '/watchlists', { name: ' x' }, "'name' must be 1 to 100 characters"],
  ['POST', '/watchlists', { name: 'a\u202eb' }, "'name' must be 1 to 100 characters"],
  ['POST', '/watchlists', { name: 'x'.repeat(101) }, "'name' must be 1 to 100 characters"],
  ['POST', '/watchlists', {}, "'name' is missing"],
  ['POST', '/watchlists', { nme: 'x' }, "did you mean 'name'?"],
  ['POST', '/watchlists', '{"name":"a","name":"b"}', "the name 'name' twice"],
  ['PUT', '/watchlists/0', { name: 'x' }, "'list' must be a whole number from 1"],
  ['PUT', '/watchlists/x', { name: 'x' }, "'list' must be a whole number from 1"],
  ['PUT', '/watchlists/1/items/part/3001', {}, "'item_type' must be one of set, minifig"],
  [
    'PUT',
    '/watchlists/1/items/set/75192',
    { target_price_usd: 0 },
    'with at most 2 decimals or null; got 0.',
  ],
  ['PUT', '/watchlists/1/items/set/75192', { target_price_usd: 1.234 }, 'at most two decimals'],
  ['PUT', '/watchlists/1/items/set/75192', { note: 'a\nb' }, "'note' must be 1 to 200"],
])('%s %s with %j is refused at no cost', async (method, path, body, message) => {
  const refused = await ask(method, path, body);
  expect(refused).toMatchObject({ status: 400, code: 'BadRequest', cost: '0' });
  expect(refused.message).toContain(message);
});

test('a compressed body is named', async () => {
  const { status, message } = await world
    .call('/api/plus/v1/watchlists', key, {
      ...batch({ name: 'x' }),
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    })
    .then(async (response) => {
      const { error } = (await response.json()) as Body;
      return { status: response.status, message: error?.message };
    });
  expect([status, message]).toEqual([400, expect.stringContaining("got 'gzip'")]);
});

test('conflicts say what is in the way', async () => {
  const id = await newList('One');
  await newList('Two');
  expect(await ask('PUT', `/watchlists/${id}`, { name: 'Two' })).toMatchObject({
    status: 409,
    code: 'Conflict',
    message: "You have another watchlist named 'Two'. Choose another name.",
    cost: '1',
  });
  await world.addAccount('full@example.com');
  const full = await world.addKey('full@example.com');
  for (let index = 0; index < watchLimits.lists; index++) {
    await ask('POST', '/watchlists', { name: `List ${index}` }, full);
  }
  expect(await ask('POST', '/watchlists', { name: 'More' }, full)).toMatchObject({
    status: 409,
    message: 'You have 20 watchlists, which is the most. Delete one first.',
  });
  expect((await ask('POST', '/watchlists', { name: 'List 7' }, full)).status).toBe(200);
  expect(await ask('PUT', `/watchlists/${id}/items/set/404404`, {})).toMatchObject({
    status: 404,
    message: "There is no set '404404'.",
  });
});

test('nothing is changed without an allowance, the scope, or by a test key', async () => {
  await world.addAccount('c@example.com');
  const poor = await world.addKey('c@example.com', { allowance: 1 });
  const asked = await Promise.all(
    ['x', 'y', 'z'].map((name) => ask('POST', '/watchlists', { name }, poor)),
  );
  expect(asked.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
  const scoped = await world.addKey('c@example.com', { scopes: scopeBits(['market', 'events']) });
  expect((await ask('POST', '/watchlists', { name: 'v' }, scoped)).code).toBe('ScopeRequired');
  const testKey = await world.addKey('c@example.com', { isTest: true });
  expect((await ask('POST', '/watchlists', { name: 'w' }, testKey)).status).toBe(200);
  const reader = await world.addKey('c@example.com');
  const { data } = await ask('GET', '/watchlists', undefined, reader);
  expect(data?.watchlists).toHaveLength(1);
});
