/** Importing price lists into a real store with a mapping. */
// @runs SQLite: is about reading files
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import type { DollarOffer } from '../../market/rates/exchange.ts';
import type { Store } from '../../store/store.ts';
import { importRows } from '../runner/import.work.ts';
import { offersCsv } from './offers-csv.work.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-offers-'));
  store = await openTestStore(folder);
  const lighthouse = aSet({ number: '10482', upc: '673419292528' });
  const rate = { currency: 'EUR', date: '2026-10-26', usdPerUnit: 1.1 };
  await store.market.applyRows(
    [
      { kind: 'set', source: 'feed', facts: lighthouse },
      { kind: 'set', source: 'feed', facts: aSet({ number: '10483', upc: '673419000017' }) },
      { kind: 'set', source: 'feed', facts: aSet({ number: '10484', upc: '673419000017' }) },
      { kind: 'fx', rate },
    ],
    readAt,
  );
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports a list with a mapping; returns counts and reasons. */
async function load(mapping: object, lines: readonly string[]) {
  const [mappingPath, path] = [join(folder, 'shop.json'), join(folder, 'list.csv')];
  writeFileSync(mappingPath, JSON.stringify(mapping));
  writeFileSync(path, `${lines.join('\n')}\n`);
  const options = readOptions({ store, settings: { mapping: mappingPath } });
  const { rejects, ...counts } = await importRows(offersCsv.read([path], options), {
    ...store,
    clock: () => readAt,
    onReject: () => {},
  });
  const reasons = rejects.map(({ where, reason }) => `${where.replace(/.*\//, '')} ${reason}`);
  return { ...counts, reasons };
}

async function offers(retailer: 'retailer_a' | 'retailer_b'): Promise<readonly DollarOffer[]> {
  const ids = await store.market.listStale(0, 10);
  const items = await store.market.loadInputs(ids, { at: readAt, withSeries: false });
  return items.find(({ number }) => number === '10482')?.retail[retailer].offers ?? [];
}

const columns = { set: 'Set', price: 'Price', date: 'Day' };
const least = { columns, constants: { retailer: 'retailer_b' } };

test('a row is an offer, and reimporting changes nothing', async () => {
  const lines = ['Day,Set,Price', '2026-11-01,10482-1,$119.99', '2026-11-02,10482,99.9'];
  expect(await load(least, lines)).toMatchObject({ read: 2, added: 2, rejected: 0 });
  expect(await load(least, lines)).toMatchObject({ read: 2, unchanged: 2 });
  const [first, second] = await offers('retailer_b');
  expect(first).toMatchObject({
    retailer: 'retailer_b',
    observedAt: Date.UTC(2026, 10, 1),
    priceCents: 11999,
    sellerType: null,
    inStock: null,
    asin: null,
    productUrl: null,
    listPriceCents: null,
  });
  expect(second?.priceCents).toBe(9990);
});

test('an unknown set is rejected without being deferred', async () => {
  const lines = ['Day,Set,Price', '2026-11-01,99999,$1', '2026-11-01,99999,$2'];
  expect((await load(least, lines)).reasons).toEqual([
    "list.csv:2 set '99999' is not in the catalog",
    "list.csv:3 set '99999' is not in the catalog",
  ]);
});

test('kr is the given currency', async () => {
  const lines = ['Day,Set,Price', '2026-11-01,10482,100 kr'];
  expect((await load(least, lines)).reasons).toEqual([
    "list.csv:2 'Price' must be an amount, not '100 kr'",
  ]);
  const swedish = { ...least, constants: { ...least.constants, currency: 'SEK' } };
  expect((await load(swedish, lines)).notes).toEqual([
    '1 row waits for exchange rates: SEK of Nov 1, 2026. Importing the rates brings it in.',
  ]);
});

test('every column that a list may have', async () => {
  const mapping = {
    columns: {
      barcode: 'EAN',
      price: 'Prix',
      list_price: 'Conseillé',
      date: 'Date',
      time: 'Heure',
      currency: 'Devise',
      seller: 'Vendeur',
      stock: 'Etat',
      url: 'Lien',
      asin: 'ASIN',
    },
    constants: { retailer: 'retailer_a' },
    sellers: { Boutique: 'retailer', '*': 'third_party' },
    stock: { 'en stock': true },
    decimal: ',',
    date_order: 'day first',
    time_zone: 'Europe/Paris',
  };
  const { reasons } = await load(mapping, [
    'EAN;Prix;Conseillé;Date;Heure;Devise;Vendeur;Etat;Lien;ASIN',
    '0673419292528;1.099,50 €;1.199,00;01/11/2026;09:30;EUR;Autre;En stock;http://x.example/1;B0',
  ]);
  expect(reasons).toEqual([]);
  expect(await offers('retailer_a')).toEqual([
    expect.objectContaining({
      priceCents: 120_945,
      listPriceCents: 131_890,
      sellerType: 'third_party',
      asin: 'B0',
      observedAt: Date.UTC(2026, 10, 1, 8, 30),
      inStock: true,
      productUrl: 'http://x.example/1',
    }),
  ]);
});

test('shops are retailers, ignored, or unknown', async () => {
  const mapping = {
    columns: { ...columns, shop: 'Site' },
    shops: { Amazon: 'retailer_a', Toys: 'retailer_b', Market: 'leave out' },
  };
  const lines = ['Day,Set,Price,Site', '2026-11-01,10482,1,AMAZON', '2026-11-01,10482,2,Toys'];
  const report = await load(mapping, [...lines, '2026-11-01,,,Market', '2026-11-01,10482,3,New']);
  expect(report).toMatchObject({ read: 3, added: 2, rejected: 1 });
  expect(report.reasons).toEqual(["list.csv:5 the shop 'New' is not among 'shops' in the mapping"]);
  expect((await offers('retailer_a'))[0]?.priceCents).toBe(100);
});

test('offers are stored in their currency, and wait without a rate of the last seven days', async () => {
  const mapping = { ...least, columns: { ...columns, currency: 'Currency' } };
  const lines = [
    'Day,Set,Price,Currency',
    '2026-11-01,10482,5,GBP',
    '2026-10-25,10482,6,EUR',
    '2026-11-02,10482,7,EUR',
    '2026-11-03,10482,8,EUR',
    '2026-11-04,10482,1500000,JPY',
  ];
  expect(await load(mapping, lines)).toMatchObject({ added: 5, waiting: 4, reasons: [] });
  expect(await load(mapping, lines)).toMatchObject({ unchanged: 5, waiting: 4, reasons: [] });
  expect((await offers('retailer_b')).map(({ priceCents }) => priceCents)).toEqual([7_70]);
  const rate = { currency: 'JPY', date: '2026-11-04', usdPerUnit: 0.0065 };
  await store.market.applyRows([{ kind: 'fx', rate }], readAt);
  expect((await offers('retailer_b')).map(({ priceCents }) => priceCents)).toEqual([
    7_70, 9_750_00,
  ]);
  expect(await load(mapping, lines)).toMatchObject({ unchanged: 5, waiting: 3 });
});

test('only out-of-stock rows may have no price', async () => {
  const mapping = { ...least, columns: { ...columns, stock: 'Stock' } };
  const lines = ['Day,Set,Price,Stock', '2026-11-01,10482,,no', '2026-11-02,10482,,yes'];
  const report = await load(mapping, lines);
  expect(report.reasons).toEqual(["list.csv:3 'Price' is empty: no price"]);
  expect(await offers('retailer_b')).toEqual([
    expect.objectContaining({ priceCents: null, inStock: false }),
  ]);
});

const header = 'Day,Set,Price,Currency,Code,Stock';
test.each([
  ['2026-11-01,10482,9999,USD,,', "'Price' is 9999, which the mapping lists as junk"],
  ['2026-11-01,10482,free,USD,,', "'Price' must be an amount, not 'free'"],
  ['2026-11-01,10482,0,USD,,', "'price' must be above 0"],
  ['2026-11-01,10482,-5,USD,,', "'price' must be from 0"],
  ['2026-11-01,10482,5,dollars,,', "the currency 'dollars' must be a code such as EUR"],
  ['2027-11-01,10482,5,USD,,', "'observed_at' is in the future"],
  ['soon,10482,5,USD,,', "'Day' is 'soon', which is not a date such as 2026-11-15"],
  [',10482,5,USD,,', "'Day' is empty: no date"],
  ['2026-11-01,,5,USD,,', 'the row names no set'],
  ['2026-11-01,,5,USD,5702016176360,', 'no set has the barcode 5702016176360'],
  ['2026-11-01,,5,USD,673419000017,', 'several sets have the barcode 673419000017'],
  ['2026-11-01,99999,5,USD,,', "set '99999' is not in the catalog"],
  ['2026-11-01,10482,5,USD,,perhaps', "'Stock' must be one of 0, 1, yes, true"],
  ['2026-11-01,10482,5', 'the row has 3 columns and the header 6'],
])('%s is rejected', async (line, reason) => {
  const more = { currency: 'Currency', barcode: 'Code', stock: 'Stock' };
  const mapping = { ...least, columns: { ...columns, ...more }, junk: ['9999.00'] };
  const good = '2026-10-31,10482,5,USD,,yes';
  const { reasons, ...counts } = await load(mapping, [header, good, line]);
  expect(counts).toMatchObject({ read: 2, added: 1, rejected: 1 });
  expect(reasons[0]).toStartWith(`list.csv:3 ${reason}`);
});

test('unknown words are to be added to the mapping', async () => {
  const mapping = {
    ...least,
    columns: { ...columns, stock: 'Stock', seller: 'Seller' },
    sellers: { shop: 'retailer' },
  };
  const rows = ['2026-11-01,10482,5,perhaps,shop', '2026-11-02,10482,5,yes,someone'];
  const { reasons } = await load(mapping, ['Day,Set,Price,Stock,Seller', ...rows]);
  expect(reasons).toEqual([
    expect.stringMatching(/, not 'perhaps'; add it to 'stock'$/),
    expect.stringMatching(/ shop, not 'someone'; add it to 'sellers'$/),
  ]);
});

test('with a decimal comma, points must separate thousands', async () => {
  const mapping = { ...least, decimal: ',' };
  const rows = ['99,00', '1.099,00', '99.00', '1.2.3,4', ',50'].map(
    (price, index) => `2026-11-0${index + 1};10482;"${price}"`,
  );
  const { reasons, added } = await load(mapping, ['Day;Set;Price', ...rows]);
  expect(added).toBe(3);
  const prices = (await offers('retailer_b')).map((offer) => offer.priceCents);
  expect(prices).toEqual([9900, 109_900, 50]);
  expect(reasons).toEqual([
    "list.csv:4 'Price' must be an amount, not '99.00'",
    "list.csv:5 'Price' must be an amount, not '1.2.3,4'",
  ]);
});

test('a list without a mapped column fails, with its columns', async () => {
  await expect(load(least, ['Date,Set,Price', '2026-11-01,10482,5'])).rejects.toThrow(
    /list\.csv:1: the header has no 'Day'; is this the list .* It has 'Date', 'Set', 'Price'\.$/,
  );
});

test('an empty list fails', async () => {
  await expect(load(least, [])).rejects.toThrow('list.csv is empty.');
});

test('the mapping has the date of a list without dates', async () => {
  const mapping = {
    columns: { set: 'Set', price: 'Price' },
    constants: { retailer: 'retailer_b', date: '2026-11-05', stock: true, seller: 'retailer' },
  };
  await load(mapping, ['Set\tPrice', '10482\t5']);
  expect(await offers('retailer_b')).toEqual([
    expect.objectContaining({
      observedAt: Date.UTC(2026, 10, 5),
      inStock: true,
      sellerType: 'retailer',
    }),
  ]);
});
