/** Decisions about retail prices, over HTTP, one test for each. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { PriceBlock, RetailRow } from '../../src/contract/retail.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
let holderKey: string;

/** A time before `noon`, which is the current time. */
const ago = (hours: number) => new Date(Date.UTC(2026, 10, 15, 12, -60 * hours)).toISOString();

function set(number: string, facts: FeedLine = {}): FeedLine {
  return { kind: 'set', set_number: number, title: `Hut ${number}`, theme: 'Huts', ...facts };
}

/** An observation at retailer A. */
function look(number: string, hours: number, price: number | null, facts: FeedLine = {}): FeedLine {
  const identity = { retailer: 'retailer_a', set_number: number, observed_at: ago(hours) };
  return { kind: 'offer', ...identity, price, ...facts };
}

const atB = { retailer: 'retailer_b' };
const by = { retailer: { seller_type: 'retailer' }, other: { seller_type: 'third_party' } };
const holder = { account: 'holder@example.com' };

function lot(number: string, quantity: number, price: number, facts: FeedLine = {}): FeedLine {
  const identity = { ...holder, source_id: `${number} at ${price}`, brickfolio: 'Shelf' };
  const bought = { condition: 'sealed', purchase_price_usd: price, purchase_date: '2026-10-01' };
  return { kind: 'holding', ...identity, set_number: number, quantity, ...bought, ...facts };
}

function sold(number: string, quantity: number): FeedLine {
  const sale = { platform: 'ebay', sale_date: '2026-11-01', gross_proceeds_usd: 100 };
  const identity = { ...holder, source_id: `sale of ${number}`, set_number: number };
  return { kind: 'ledger_sale', ...identity, quantity, ...sale };
}

const box = { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 };
const exit = { lowest_fba: 99.99, fba_sellers: 3, buy_box: 120 };
const upc = '673419000017';
const ean = '5702000000015';
const upc131 = '673419000024';
const sharedUpc = '673419000031';

const noOffer = { price: null, sellerType: null, changedAt: null, lastChange: null };
const noPrice = { ...noOffer, flip1pTo3p: false, atLowest: false, lowest: null, inStock: null };

/** 100 has everything; 110 an observation without an offer; 120 no observations. */
const market: readonly FeedLine[] = [
  ...['110', '120', '201', '202', '203', '204', '205', '206'].map((number) => set(number)),
  set('100', { upc, ean, box, msrp_usd: 149.99 }),
  look('100', 30, 129.99, { ...by.retailer, in_stock: true, asin: 'B000000100' }),
  look('100', 20, 119.99, { ...by.other, list_price: 159.99 }),
  look('100', 10, 119.99, { ...by.other, in_stock: true, ...exit }),
  look('100', 30, 140, { ...atB, ...by.other, asin: 'B0000000B1' }),
  look('100', 5, 145.5, { ...atB, ...by.other, in_stock: false }),
  look('110', 5, null, atB),
  // Two of these share an ASIN, two a UPC.
  set('131', { upc: upc131 }),
  set('132', { upc: sharedUpc }),
  set('133', { upc: sharedUpc }),
  look('131', 1, 10, { asin: 'B000000130' }),
  look('132', 1, 10, { asin: 'B000000130' }),
  look('133', 1, 10),
  // Watched: changed an hour ago, a day ago at either retailer, never, no observations, sold out.
  look('201', 2, 10, { asin: 'B000000201' }),
  look('201', 1, 9),
  look('202', 48, 10, atB),
  look('202', 24, 11, { ...atB, asin: 'B000000202' }),
  look('203', 48, 10),
  look('203', 24, 11),
  look('204', 1, 10),
  look('206', 2, 10),
  look('206', 1, 11),
];

const holdings: readonly FeedLine[] = [
  { kind: 'brickfolio', ...holder, name: 'Shelf' },
  // Two at 50.00, one of them sold, and a used one at 80.01: (50.00 + 80.01) / 2 = 65.005.
  lot('201', 2, 50),
  lot('201', 1, 80.01, { condition: 'used', purchase_date: '2026-10-20' }),
  sold('201', 1),
  ...['202', '203', '204', '205', '206'].map((number) => lot(number, 1, 12.5)),
  sold('206', 1),
  lot('100', 1, 0),
];

beforeAll(async () => {
  world = await startWorld();
  await world.addAccount('caller@example.com');
  await world.addAccount('holder@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
  holderKey = await world.addKey('holder@example.com', { allowance: 100_000 });
  expect((await world.load([...market, ...holdings])).rejected).toBe(0);
});

afterAll(() => world.close());

async function get<T>(path: string, as = key): Promise<T> {
  const response = await world.call(path, as);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: T }).data;
}

const rowOf = (number: string) => get<RetailRow | null>(`/set/${number}/retail-prices`);
const found = async (query: string) =>
  (await get<RetailRow | null>(`/retail-prices?${query}`))?.setNumber ?? null;
const watch = '/brickfolio/retail-watch';
const watched = async (query = '') =>
  (await get<RetailRow[]>(`${watch}?${query}`, holderKey)).map((r) => r.setNumber);

async function expectBad(path: string, ...words: string[]): Promise<void> {
  const response = await world.call(path, key);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect([path, response.status, error.code]).toEqual([path, 400, 'BadRequest']);
  for (const word of words) expect(error.message).toContain(word);
}

/** The price block of retailer A after these observations of a new set. */
async function blockOf(number: string, ...looks: FeedLine[]): Promise<PriceBlock | undefined> {
  expect((await world.load([set(number), ...looks])).rejected).toBe(0);
  return (await rowOf(number))?.retailer_a;
}

test('a row has both retailers and the net of a resale; the Set has the same summary', async () => {
  const sellerType = 'third_party';
  const askedA = { price: 119.99, sellerType, changedAt: ago(20), lastChange: -10 } as const;
  const askedB = { price: 145.5, sellerType, changedAt: ago(5), lastChange: 5.5 } as const;
  const identity = { setNumber: '100', name: 'Hut 100', asin: 'B000000100', upc, ean };
  expect(await rowOf('100')).toEqual({
    ...identity,
    retailer_a: { ...askedA, flip1pTo3p: true, atLowest: true, lowest: 119.99, inStock: true },
    retailer_b: { ...askedB, flip1pTo3p: false, atLowest: false, lowest: 140, inStock: false },
    retailer_aExit: { lowestFba: 99.99, fbaSellers: 3, buyBox: 120, netFba: 74.42 },
  });
  const { retailers } = await get<SetRecord>('/set/100');
  const common = { is_first_party: false, product_url: null };
  // 40.00 off 159.99 is 25.0015… %; retailer B names no list price, and 4.49 off 149.99 is 2.99 %.
  expect(retailers).toMatchObject([
    { ...common, current_price: 119.99, in_stock: true, discount_percent: 25 },
    { ...common, current_price: 145.5, in_stock: false, discount_percent: 2.99 },
  ]);
  expect(retailers.map((r) => r.last_checked_at)).toEqual([ago(10), ago(5)]);
});

test('an unknown set and one without observations have no row, which is null', async () => {
  expect([await rowOf('nope'), await rowOf('120')]).toEqual([null, null]);
  expect((await rowOf('100-1'))?.setNumber).toBe('100');
});

test('a retailer without data has nulls and false; unknown asin, barcodes and exit are null', async () => {
  expect(await rowOf('110')).toEqual({
    setNumber: '110',
    name: 'Hut 110',
    asin: null,
    upc: null,
    ean: null,
    retailer_a: noPrice,
    // Observed without an offer.
    retailer_b: { ...noPrice, inStock: false },
    retailer_aExit: { lowestFba: null, fbaSellers: null, buyBox: null, netFba: null },
  });
  expect((await get<SetRecord>('/set/110')).retailers).toEqual([]);
});

test('the asin is the latest known of retailer A, or else of retailer B', async () => {
  await world.load([set('140'), look('140', 9, 10, { ...atB, asin: 'B00000014B' })]);
  expect((await rowOf('140'))?.asin).toBe('B00000014B');
  await world.load([look('140', 8, 10, { asin: 'B00000014A' }), look('140', 7, 10)]);
  await world.load([look('140', 6, 10, { ...atB, asin: 'B00000014C' })]);
  expect((await rowOf('140'))?.asin).toBe('B00000014A');
});

test('an empty asin is unknown: it replaces no known one, and finds nothing', async () => {
  const looks = [look('141', 9, 10, { asin: 'B000000141' }), look('141', 8, 10, { asin: '' })];
  await world.load([set('141'), ...looks]);
  expect((await rowOf('141'))?.asin).toBe('B000000141');
  expect(await found('asin=%20')).toBeNull();
});

test('/retail-prices without an identifier is 400 and names the three', async () => {
  for (const query of ['', '?']) await expectBad(`/retail-prices${query}`, 'set', 'asin', 'upc');
  for (const name of ['set', 'asin', 'upc']) await expectBad(`/retail-prices?${name}=`, name);
});

test('/retail-prices finds a set by its number, its asin in any case, and its barcode in any form', async () => {
  const barcodes = [`upc=${upc}`, `upc=0${upc}`, `upc=${ean}`];
  for (const query of ['set=100', 'set=100-1', 'asin=b000000100', ...barcodes]) {
    expect([query, await found(query)]).toEqual([query, '100']);
  }
});

test('/retail-prices responds only if all identifiers name the same set', async () => {
  const right = { set: 'set=100', asin: 'asin=B000000100', upc: `upc=${ean}` };
  expect(await found(Object.values(right).join('&'))).toBe('100');
  for (const wrong of ['set=201', 'asin=B000000201', `upc=${upc131}`, 'upc=1', 'asin=B1']) {
    const name = wrong.split('=')[0] ?? '';
    const query = Object.values({ ...right, [name]: wrong }).join('&');
    expect([query, await found(query)]).toEqual([query, null]);
  }
});

test('/retail-prices is null for malformed or unknown identifiers, and for a set without a row', async () => {
  const codes = ['673419000018', '67341900001', '00673419000017', '57020000OOO15', '%20'];
  const queries = ['set=nope', 'set=120', 'set=%20', 'asin=B0000000B1', 'set=201&upc=1'];
  for (const query of [...queries, ...codes.map((code) => `upc=${code}`)]) {
    expect([query, await found(query)]).toEqual([query, null]);
  }
});

test('an ambiguous identifier finds nothing, unless another one resolves it', async () => {
  expect(await found('asin=B000000130')).toBeNull();
  expect(await found(`asin=B000000130&upc=${upc131}`)).toBe('131');
  expect(await found(`upc=0${sharedUpc}`)).toBeNull();
  expect(await found(`upc=${sharedUpc}&asin=B000000130`)).toBe('132');
  expect(await found(`upc=${sharedUpc}&set=133`)).toBe('133');
});

test('changedAt and lastChange are those of the last different price', async () => {
  const same = await blockOf('151', look('151', 9, 10), look('151', 8, null), look('151', 7, 10));
  expect(same).toMatchObject({ price: 10, changedAt: null, lastChange: null });
  const other = await blockOf('151', look('151', 6, 10.01), look('151', 5, null));
  expect(other).toMatchObject({ price: null, changedAt: ago(6), lastChange: 0.01 });
});

test('atLowest is the lowest price ever, after a higher one was seen', async () => {
  const lowest = async (number: string, ...prices: (number | null)[]) => {
    const block = await blockOf(number, ...prices.map((price, i) => look(number, 9 - i, price)));
    return [block?.lowest, block?.atLowest];
  };
  expect(await lowest('161', 10)).toEqual([10, false]);
  expect(await lowest('162', 10, 9.99)).toEqual([9.99, true]);
  expect(await lowest('163', 10, 9, null)).toEqual([9, false]);
  expect(await lowest('164', 10, 11, 10)).toEqual([10, true]);
});

test('flip1pTo3p needs two observations in a row or six hours, and a current third-party seller', async () => {
  const flip = async (number: string, sellers: string) => {
    const seller = (seen: string) => (seen.endsWith('R') ? by.retailer : by.other);
    const seenAt = (seen: string) => look(number, Number.parseFloat(seen), 10, seller(seen));
    return (await blockOf(number, ...sellers.split(' ').map(seenAt)))?.flip1pTo3p;
  };
  expect(await flip('171', '9R 5.9T')).toBe(false);
  expect(await flip('172', '9R 6T')).toBe(true);
  expect(await flip('173', '9R 2T 1T')).toBe(true);
  expect(await flip('174', '9R 3T 2T 1R')).toBe(false);
  expect(await flip('175', '9T 1T')).toBe(false);
});

test('paid is the average cost of held units, and only for holders of the set', async () => {
  const rows = await get<RetailRow[]>(watch, holderKey);
  expect(rows.map((row) => row.paid)).toEqual([65.01, 0, 12.5, 12.5, 12.5]);
  for (const path of ['/set/201/retail-prices', '/retail-prices?asin=B000000201']) {
    const row = await get<RetailRow>(path);
    expect(row).not.toHaveProperty('paid');
    expect(await get<RetailRow>(path, holderKey)).toEqual({ ...row, paid: 65.01 });
  }
  expect(await get<RetailRow>('/set/206/retail-prices', holderKey)).not.toHaveProperty('paid');
});

test('retail-watch has held sets with a row, by latest change, then by number', async () => {
  expect(await watched()).toEqual(['201', '100', '202', '203', '204']);
  expect(await get<RetailRow[]>(watch)).toEqual([]);
});

test('changed_within is any number of digits and a unit, inclusive', async () => {
  const changed = ['201', '100', '202', '203'];
  const reach = { '0m': 0, '59m': 0, '60m': 1, '000000001h': 1, '23h': 2, '1d': 4, '999999d': 4 };
  const longest = ['1000000000m', '9007199254740993h', `${'9'.repeat(7000)}d`];
  const all = Object.fromEntries(longest.map((within) => [within, 4]));
  for (const [within, count] of Object.entries({ ...reach, ...all })) {
    expect(await watched(`changed_within=${within}`)).toEqual(changed.slice(0, count));
  }
  for (const bad of ['', 'h', '1', '1w', '1H', '-1h', '1.5h', '1h1m', '%201h']) {
    await expectBad(`${watch}?changed_within=${bad}`, 'changed_within');
  }
});

test('since is inclusive', async () => {
  expect(await watched(`since=${ago(1)}`)).toEqual(['201']);
  expect(await watched('since=2026-11-15T12:00:00%2B01:00')).toEqual(['201']);
  expect(await watched('since=2026-11-15T11:00:00.001Z')).toEqual([]);
  const days = ['', '2026-11-15', '2026-02-30T00:00:00Z', '2026-11-15T25:00:00Z'];
  for (const bad of [...days, '2026-11-15T12:00:00', '2026-11-15T12:00:00+01:00', '1763204400']) {
    await expectBad(`${watch}?since=${bad}`, 'since');
  }
});

test('changed_within and since both apply', async () => {
  expect(await watched(`changed_within=24h&since=${ago(5)}`)).toEqual(['201', '100']);
  expect(await watched(`changed_within=1h&since=${ago(24)}`)).toEqual(['201']);
});

test('comma-separated lists have up to 100 non-empty values; two lists both apply', async () => {
  expect(await watched('asin=b000000202,B000000201')).toEqual(['201', '202']);
  expect(await watched(`upc=nonsense,0${upc}`)).toEqual(['100']);
  expect(await watched(`asin=B000000100,B000000201&upc=${ean}`)).toEqual(['100']);
  expect(await watched('upc=nonsense')).toEqual([]);
  const others = (count: number) => Array.from({ length: count }, (_, i) => `X${i}`).join(',');
  expect(await watched(`asin=${others(99)},B000000201`)).toEqual(['201']);
  for (const bad of ['', ',', 'a,', ',a', 'a,,b', others(101)]) {
    for (const name of ['asin', 'upc']) await expectBad(`${watch}?${name}=${bad}`, name);
  }
});
