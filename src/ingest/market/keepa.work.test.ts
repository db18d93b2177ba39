/** Importing Keepa's responses into a real store: matching and rejects. */
// @runs SQLite: is about reading files
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import type { SetFacts } from '../../catalog/items/catalog.ts';
import type { Store } from '../../store/store.ts';
import { importRows } from '../runner/import.work.ts';
import { keepa } from './keepa.work.ts';

let folder: string;
let store: Store;

const lighthouse = { number: '10482', upc: '673419292528', ean: '5702016176360' };
const keeper = { number: '10483', title: 'Lighthouse Keeper' };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-keepa-'));
  store = await openTestStore(folder);
  await addSets(lighthouse, keeper);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function addSets(...sets: Partial<SetFacts>[]): Promise<void> {
  const rows = sets.map((facts) => ({
    kind: 'set' as const,
    source: 'feed',
    facts: aSet(facts),
  }));
  await store.market.applyRows(rows, readAt);
}

/** Imports each response from its own file; returns counts and reasons. */
async function load(...answers: readonly unknown[]) {
  const paths = answers.map((answer, index) => {
    const path = join(folder, `${index + 1}.json`);
    writeFileSync(path, JSON.stringify(answer));
    return path;
  });
  const { rejects, ...counts } = await importRows(keepa.read(paths, readOptions({ store })), {
    ...store,
    clock: () => readAt,
    onReject: () => {},
  });
  const reasons = rejects.map(({ where, reason }) => `${where.replace(/.*\//, '')} ${reason}`);
  return { ...counts, reasons };
}

const product = {
  asin: 'B0TESTLH01',
  domainId: 1,
  productType: 0,
  brand: 'LEGO',
  title: 'Lighthouse',
  upcList: ['673419292528'],
  lastUpdate: 6_010_000,
  csv: [
    [6_000_000, 11999, 6_001_000, 9999],
    [6_000_000, 11999],
  ],
};
const { upcList: _, ...unnamed } = product;

const added = (count: number) => ({ read: count, added: count, rejected: 0, reasons: [] });

test.each([
  ['an answer', { tokensLeft: 5, products: [product] }],
  ['a list', [product]],
  ['a list of responses', [{ products: [product] }]],
  ['one product', product],
])('%s is read', async (_name, answer) => {
  expect(await load(answer)).toMatchObject(added(4));
});

test('observations are stored as offers of retailer A', async () => {
  await load(product);
  const ids = await store.market.listStale(0, 10);
  const items = await store.market.loadInputs(ids, { at: readAt, withSeries: false });
  const offers = items.find(({ number }) => number === '10482')?.retail.retailer_a.offers;
  expect(offers?.map(({ priceCents }) => priceCents)).toEqual([11999, 9999, 9999]);
  expect(offers?.[0]).toMatchObject({
    asin: 'B0TESTLH01',
    productUrl: 'https://www.amazon.com/dp/B0TESTLH01',
    sellerType: 'retailer',
    inStock: true,
    observedAt: Date.UTC(2022, 4, 29, 16),
  });
});

test('reimporting changes nothing, and a newer response adds only new observations', async () => {
  await load(product);
  expect(await load(product)).toMatchObject({ read: 4, unchanged: 4 });
  const [amazon = [], lowest = []] = product.csv;
  const csv = [[...amazon, 6_012_000, -1], lowest];
  const newer = await load({ ...product, csv, lastUpdate: 6_020_000 });
  expect(newer).toMatchObject({ read: 5, unchanged: 3, added: 2, updated: 0 });
});

test.each([
  ['its UPC', { upcList: ['673419292528'], brand: 'Other' }],
  ['its EAN', { eanList: ['5702016176360'] }],
  ['its EAN as a GTIN', { gtinList: ['05702016176360'] }],
  ['its model', { model: '10482' }],
  ['its part number with the variant', { model: 'Toy', partNumber: '10482-1' }],
  ['its manufacturer and model', { brand: null, manufacturer: 'LEGO', model: '10482' }],
  ['a number in its title', { title: 'LEGO&reg; Coast &#8217; <b>10482</b> (10483 Pieces)' }],
])('a set is found by %s', async (_name, facts) => {
  await addSets({ number: '8217', title: 'Decoy' });
  expect(await load({ ...unnamed, ...facts })).toMatchObject({ rejected: 0, reasons: [] });
  const sets = await store.market.loadInputs([1], { at: readAt, withSeries: false });
  expect(sets[0]?.retail.retailer_a.offers).toHaveLength(3);
});

test.each([
  [{ releaseDate: 18500101 }, `'release_date' must be a date such as 2026-11-15, not "1850-01-01"`],
  [{ releaseDate: 99991231 }, `'release_date' must be a date such as 2026-11-15, not "9999-12-31"`],
  [
    { csv: [...product.csv, null, null, [6_000_000, 2_000_000_000]] },
    expect.stringMatching(/^'msrp_usd' must be from 0 to /),
  ],
])('invalid facts of %j are dropped with a warning', async (facts, reason) => {
  const { warnings } = await load({ ...product, ...facts });
  expect(warnings).toMatchObject([{ where: expect.stringContaining('1.json#1'), reason }]);
});

test('facts of a product are merged with other sources', async () => {
  const release = { releaseDate: 20260801, packageWeight: 907.18474 };
  expect(await load({ ...product, ...release })).toMatchObject(added(4));
  const known = await store.market.loadInputs([1], { at: readAt, withSeries: false });
  expect(known[0]?.records.map(({ source }) => source)).toEqual(['feed', 'keepa']);
  expect(known[0]?.records[1]?.facts).toMatchObject({
    title: null,
    upc: lighthouse.upc,
    releaseDate: '2026-08-01',
    box: { weightLbs: 2 },
  });
});

test.each([
  [
    'nothing in the catalog',
    { upcList: ['673419000017'], model: '99999', title: 'Set 88888' },
    'no set has the barcode 673419000017; set 99999 in its model is not in the catalog; ' +
      'set 88888 in its title is not in the catalog',
  ],
  ['a case of sets', { gtinList: ['15702016176367'] }, 'no set has the barcode 15702016176367'],
  [
    'another brand',
    { brand: 'Lights', model: '10482' },
    "it has no barcode; its brand is 'Lights', so its model and title are ignored",
  ],
  [
    'several numbers',
    { title: '10482 with 10483' },
    'it matches several sets: title 10482 is set 10482, title 10483 is set 10483',
  ],
  ['a pack', { model: '10482', packageQuantity: 2 }, 'it is a pack of 2, not one set'],
  ['another country', { model: '10482', domainId: 3 }, 'domainId 3 is amazon.de; only 1 (amazon.c'],
  ['no country', { model: '10482', domainId: null }, "'domainId' is missing; only 1"],
  ['a parent', { model: '10482', productType: 5 }, 'productType 5 is the parent of variations'],
  ['an invalid ASIN', { asin: 'B0' }, "'asin' B0 is not an ASIN"],
  ['a broken series', { model: '10482', csv: [[1]] }, "'csv[0]' must be a list of time, price"],
])('a product with %s is one rejected row', async (_name, facts, reason) => {
  const { reasons, ...counts } = await load({ ...unnamed, ...facts }, []);
  expect(counts).toMatchObject({ read: 1, added: 0, rejected: 1 });
  expect(reasons[0]).toStartWith(`1.json#1 ${reason}`);
});

test('barcodes of two sets are ambiguous; a shared barcode matches none', async () => {
  await addSets(
    { number: '10484', upc: '673419000017' },
    { number: '10485', ean: '5702016176360' },
  );
  const both = { ...unnamed, upcList: ['673419292528', '673419000017'] };
  expect((await load(both)).reasons[0]).toContain(
    'several sets: barcode 673419292528 is set 10482, barcode 673419000017 is set 10484',
  );
  const shared = { ...unnamed, eanList: ['5702016176360'] };
  expect((await load(shared)).reasons[0]).toContain('several sets share the barcode 5702016176360');
  expect(await load({ ...shared, model: '10483' })).toMatchObject(added(4));
});

test('a set has the offers of only one product', async () => {
  const { reasons, ...counts } = await load(product, { ...product, asin: 'B0TESTLH02' });
  expect(counts).toMatchObject({ read: 5, added: 4, rejected: 1 });
  expect(reasons).toEqual([
    '2.json#1 it matches set 10482, like B0TESTLH01 earlier in this import',
  ]);
});

test('only the observation in the future or with a price of 0 is rejected', async () => {
  const csv = [[6_000_000, 11999, 6_001_000, 0, 9_000_000, 9999]];
  const { reasons, ...counts } = await load({ ...product, csv, lastUpdate: 0 });
  expect(counts).toMatchObject({ read: 4, added: 2, rejected: 2 });
  expect(reasons[0]).toContain("'price' must be above 0");
  expect(reasons[1]).toContain("'observed_at' is in the future");
});

test('a response without products is reported, alone or among others', async () => {
  const error = { error: { type: 'NOT_ENOUGH_TOKEN', message: 'Not enough tokens.' } };
  await expect(load(error)).rejects.toThrow(
    /1\.json#1: Keepa answered with an error: Not enough tokens\.$/,
  );
  await expect(load({ error: 'busy' })).rejects.toThrow('answered with an error: busy.');
  await expect(load({ error: { type: 'BUSY' } })).rejects.toThrow('an error: BUSY.');
  await expect(load({ error: {} })).rejects.toThrow('an error: no reason given.');
  await expect(load({ error: 'x'.repeat(201) })).rejects.toThrow(`: ${'x'.repeat(200)}.`);
  await expect(load({ tokensLeft: 42 })).rejects.toThrow('token status (42 left)');
  await expect(load({ hello: 'world' })).rejects.toThrow("it has no 'asin', so it is not a Keepa");
  const { reasons, ...counts } = await load({ tokensLeft: 42 }, product, [7, { hello: 'world' }]);
  expect(counts).toMatchObject({ read: 7, added: 4, rejected: 3 });
  expect(reasons).toEqual([
    "1.json#1 this is Keepa's token status (42 left), without products",
    '3.json#1 the record is not a JSON object',
    "3.json#2 it has no 'asin', so it is not a Keepa product",
  ]);
  expect(await load({ tokensLeft: 42, products: [] })).toMatchObject({ read: 0 });
  expect(await load([{ tokensLeft: 42, products: [] }, product])).toMatchObject({
    read: 4,
    reasons: [],
  });
});
