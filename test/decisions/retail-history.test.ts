/** Decisions about the retail history, over HTTP, one test for each. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { RetailHistory } from '../../src/contract/plus/retail-history.ts';
import type { Usage } from '../../src/contract/plus/usage.ts';
import { dayMs, formatInstant, hourMs } from '../../src/kernel/time.ts';
import { batch, type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
let start: number;

const plus = '/api/plus/v1';

const set = (number: string): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: `Hut ${number}`,
  theme: 'Huts',
});

const offer = (number: string, price: number | null, facts: FeedLine = {}): FeedLine => ({
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: number,
  observed_at: formatInstant(world.now),
  price,
  seller_type: price === null ? null : 'retailer',
  in_stock: price !== null,
  ...facts,
});

const atB = { retailer: 'retailer_b' };

/** Publishes offers some days after the start. */
async function on(day: number, ...lines: FeedLine[]): Promise<void> {
  world.now = start + day * dayMs;
  await world.load(lines.map((line) => ({ ...line, observed_at: formatInstant(world.now) })));
}

beforeAll(async () => {
  world = await startWorld();
  start = world.now;
  await world.addAccount('history@example.com');
  key = await world.addKey('history@example.com');
  // Two years of looks that are published at once: only the last price is a published change.
  await world.load([
    set('100'),
    set('101'),
    offer('100', 60, { observed_at: formatInstant(start - 700 * dayMs) }),
    offer('100', 120, { observed_at: formatInstant(start - hourMs) }),
  ]);
  await on(10, offer('100', 90), offer('100', 95, { ...atB, seller_type: 'third_party' }));
  await on(20, offer('100', 100));
  await on(45, offer('100', null));
  await on(60, offer('100', 110, { in_stock: null }), offer('100', 95.5, atB));
});

afterAll(() => world.close());

async function read(query = '', number = '100'): Promise<RetailHistory> {
  const response = await world.call(`${plus}/set/${number}/retail-history${query}`, key);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: RetailHistory }).data;
}

async function refusal(query: string): Promise<[number, string]> {
  const response = await world.call(`${plus}/set/100/retail-history?${query}`, key);
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
}

const day = (days: number) => formatInstant(start + days * dayMs);

test('each retailer has its published changes, latest first, and when its history begins', async () => {
  const { retailers, ...page } = await read();
  expect(page).toEqual({ set_number: '100', title: 'Hut 100', next: null });
  const [a, b, ...more] = retailers;
  expect(more).toEqual([]);
  const own = { seller_type: 'retailer', in_stock: true, corrected: false };
  expect(a?.changes as unknown[]).toEqual([
    { ...own, at: day(60), price_usd: 110, in_stock: null },
    { ...own, at: day(45), price_usd: null, seller_type: null, in_stock: false },
    { ...own, at: day(20), price_usd: 100 },
    { ...own, at: day(10), price_usd: 90 },
    { ...own, at: day(0), price_usd: 120 },
  ]);
  expect(b?.changes as unknown[]).toEqual([
    { ...own, at: day(60), price_usd: 95.5 },
    { ...own, at: day(10), price_usd: 95, seller_type: 'third_party' },
  ]);
  expect([a?.since, b?.since]).toEqual([day(0), day(10)]);
});

test('lows include the price in force when the days begin; the all-time low is that of all looks', async () => {
  const lows = async () => (await read()).retailers[0]?.lows;
  const all_time_usd = 60;
  expect(await lows()).toEqual({
    days_30_usd: 100,
    days_90_usd: 90,
    days_365_usd: 90,
    all_time_usd,
  });
  world.now = start + 90 * dayMs;
  expect(await lows()).toEqual({
    days_30_usd: 110,
    days_90_usd: 90,
    days_365_usd: 90,
    all_time_usd,
  });
  world.now = start + 60 * dayMs;
});

test('pages and times: next leads on, from includes what was in force, to is exclusive', async () => {
  const prices = ({ retailers }: RetailHistory) =>
    retailers.map(({ changes }) => changes.map(({ price_usd }) => price_usd));
  const first = await read('?limit=2');
  expect(prices(first)).toEqual([[110], [95.5]]);
  const second = await read(`?limit=4&after=${first.next}`);
  expect(prices(second)).toEqual([[null, 100, 90], [95]]);
  const last = await read(`?limit=4&after=${second.next}`);
  expect([prices(last), last.next]).toEqual([[[120], []], null]);
  const between = `?from=${day(15)}&to=${day(45)}`;
  expect(prices(await read(between))).toEqual([[100, 90], [95]]);
  expect(prices(await read(`${between}&retailer=retailer_b`))).toEqual([[95]]);
});

test('a set that was never offered has no retailers; an unknown one is 404 and costs a call', async () => {
  expect((await read('', '101')).retailers).toEqual([]);
  const before = await used();
  expect((await world.call(`${plus}/set/9/retail-history`, key)).status).toBe(404);
  expect(await used()).toBe(before + 1);
});

test('times that do not exist or are in the wrong order are 400, like other invalid input', async () => {
  const same = day(1);
  expect(await refusal(`from=${same}&to=${same}`)).toEqual([
    400,
    `'from' must be before 'to'; got '${same}' and '${same}'.`,
  ]);
  for (const query of [
    'from=yesterday',
    'to=2026-02-30T00:00:00Z',
    'limit=251',
    'retailer=x',
    'after=-1',
  ]) {
    expect((await refusal(query))[0]).toBe(400);
  }
});

async function send<T>(path: string, body: object): Promise<T> {
  const response = await world.call(`${plus}${path}`, key, batch(body));
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

const used = async () => {
  const response = await world.call(`${plus}/usage`, key);
  return ((await response.json()) as { data: Usage }).data.used;
};

test('a batch of histories has what each set has, and costs as many calls as sets', async () => {
  const before = await used();
  const sets = ['101', '100-1', '100', '9'];
  const query = `?limit=3&from=${day(15)}`;
  const [bare, whole] = [await read(query, '101'), await read(query)];
  const found = await send('/retail-history/batch', { sets, limit: 3, from: day(15) });
  expect(found as unknown).toEqual({
    sets: [
      { ...bare, found: true },
      { ...whole, found: true },
      { set_number: '9', found: false },
    ],
    summary: { requested: 3, found: 2 },
  });
  expect(await used()).toBe(before + 2 + 3);
  const [, latest] = (await send<{ sets: RetailHistory[] }>('/retail-history/batch', { sets }))
    .sets;
  expect(latest).toMatchObject(await read('?limit=10'));
  const wrong = { sets, from: day(2), to: day(1) };
  const refused = await world.call(`${plus}/retail-history/batch`, key, batch(wrong));
  expect(refused.status).toBe(400);
});

test('a batch of retail prices has the rows of version 1, with what the caller paid', async () => {
  const row = async (number: string) => {
    const response = await world.call(`/set/${number}/retail-prices`, key);
    return ((await response.json()) as { data: unknown }).data;
  };
  const sets = ['100', '101', '9'];
  const find = () => send('/retail-prices/batch', { sets });
  const expected = async () => ({
    sets: [
      { set_number: '100', retail: await row('100'), found: true },
      { set_number: '101', retail: null, found: true },
      { set_number: '9', found: false },
    ],
    summary: { requested: 3, found: 2 },
  });
  expect((await find()) as unknown).toEqual(await expected());
  await world.load([
    { kind: 'brickfolio', account: 'history@example.com', name: 'Shelf' },
    {
      kind: 'holding',
      account: 'history@example.com',
      source_id: 'lot',
      brickfolio: 'Shelf',
      set_number: '100',
      quantity: 2,
      condition: 'sealed',
      purchase_price_usd: 80,
      purchase_date: '2026-10-01',
    },
  ]);
  expect(await row('100')).toMatchObject({ paid: 80 });
  expect((await find()) as unknown).toEqual(await expected());
  const before = await used();
  await find();
  expect(await used()).toBe(before + 3);
});

test('an unchanged history is 304', async () => {
  const path = `${plus}/set/100/retail-history`;
  const etag = (await world.call(path, key)).headers.get('ETag') ?? '';
  const again = await world.call(path, key, { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
});
