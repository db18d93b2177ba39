/** Importing price guides into a real store: each dated row is a sale, once. */
// @runs SQLite: is about reading files
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import type { StoredSale } from '../../market/source-rows/source-rows.ts';
import type { Store } from '../../store/store.ts';
import { importRows } from '../runner/import.work.ts';
import { bricklinkPrices } from './bricklink-prices.work.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-guide-'));
  store = await openTestStore(folder);
  const rate = { currency: 'EUR', date: '2026-09-30', usdPerUnit: 1.1 };
  await store.market.applyRows(
    [
      { kind: 'set', source: 'feed', facts: aSet({ number: '10482' }) },
      { kind: 'minifig', source: 'feed', facts: aMinifig({ number: 'cst001' }) },
      { kind: 'fx', rate },
    ],
    readAt,
  );
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports each response from its own file; returns counts and reasons. */
async function load(...answers: readonly unknown[]) {
  const paths = answers.map((answer, index) => {
    const path = join(folder, `${index + 1}.json`);
    writeFileSync(path, JSON.stringify(answer));
    return path;
  });
  const rows = bricklinkPrices.read(paths, readOptions({ store }));
  const { rejects, ...counts } = await importRows(rows, {
    ...store,
    clock: () => readAt,
    onReject: () => {},
  });
  const reasons = rejects.map(({ where, reason }) => `${where.replace(/.*\//, '')} ${reason}`);
  return { ...counts, reasons };
}

async function inputs() {
  const ids = await store.market.listStale(0, 10);
  return store.market.loadInputs(ids, { at: readAt, withSeries: false });
}

async function sales(): Promise<StoredSale[]> {
  return (await inputs()).flatMap((item) => item.sales);
}

const sold = {
  quantity: 1,
  unit_price: '149.9900',
  date_ordered: '2026-10-03T18:20:11.000Z',
  seller_country_code: 'DE',
  buyer_country_code: 'FR',
};
const guide = {
  item: { no: '10482-1', type: 'SET' },
  new_or_used: 'N',
  currency_code: 'USD',
  avg_price: '149.9900',
  unit_quantity: 1,
  total_quantity: 1,
};
const answer = (facts: object, ...rows: object[]) => ({
  meta: { code: 200, message: 'OK', description: 'OK' },
  data: { ...guide, ...facts, price_detail: rows },
});

test('a dated row is a sale on BrickLink', async () => {
  expect(await load(answer({}, sold))).toMatchObject({ read: 1, added: 1, rejected: 0 });
  expect(await sales()).toEqual([
    expect.objectContaining({
      source: 'bricklink',
      channel: 'bricklink',
      condition: 'sealed',
      priceCents: 14999,
      currency: 'USD',
      quantity: 1,
      soldAt: Date.UTC(2026, 9, 3, 18, 20, 11),
      seller: null,
      sourceId: 'set 10482 sealed USD 2026-10-03T18:20:11.000Z 1499900 1 1',
    }),
  ]);
});

test('used minifigs in euros, and the misspelled quantity field', async () => {
  const facts = { item: { no: 'cst001', type: 'MINIFIG' }, new_or_used: 'U', currency_code: 'EUR' };
  const row = { ...sold, quantity: undefined, qunatity: 3, unit_price: '4.1250' };
  expect(await load(answer(facts, row))).toMatchObject({ added: 1 });
  // 3 × 4.125 is 12.375, rounded half up.
  expect(await sales()).toEqual([
    expect.objectContaining({
      condition: 'used',
      priceCents: 1238,
      quantity: 3,
      currency: 'EUR',
      usdPerUnit: 1.1,
      completeness: 'unknown',
    }),
  ]);
});

test.each([
  ['a list of responses', [answer({}, sold)]],
  ['a response with a list', { meta: { code: 200 }, data: [{ ...guide, price_detail: [sold] }] }],
  ['a guide alone', { ...guide, price_detail: [sold] }],
  ['a named list of guides', { guides: [answer({}, sold)] }],
])('%s is read', async (_, file) => {
  expect(await load(file)).toMatchObject({ read: 1, added: 1 });
});

test('overlapping guides do not duplicate sales, and equal rows are all kept', async () => {
  const later = { ...sold, date_ordered: '2026-11-01T08:00:00.000Z' };
  const cheaper = { ...sold, unit_price: '139.0000' };
  expect(await load(answer({}, sold, sold, cheaper))).toMatchObject({ added: 3 });
  const next = await load(answer({}, cheaper, later, sold, sold));
  expect(next).toMatchObject({ read: 4, added: 1, unchanged: 3, updated: 0 });
  expect(await sales()).toHaveLength(4);
});

test('spelling variants of number and price are the same sale', async () => {
  await load(answer({}, sold));
  const item = { no: '10482', type: 'set' };
  const again = await load(answer({ item }, { ...sold, unit_price: 149.99 }));
  expect(again).toMatchObject({ read: 1, unchanged: 1 });
});

test('rows without dates are units for sale, counted at the import', async () => {
  const cheaper = { ...asked, quantity: 1, unit_price: '98.4950' };
  expect(await load(answer({}, asked, cheaper, asked))).toMatchObject({
    read: 1,
    added: 1,
    rejected: 0,
  });
  expect(await sales()).toEqual([]);
  const [item] = await inputs();
  expect(item?.listings).toEqual({
    // 98.495 is rounded half up.
    sealed: [{ channel: 'bricklink', observedAt: readAt, units: 5, lowestCents: 98_50 }],
    used: [],
  });
  expect(await load(answer({}))).toMatchObject({ read: 0 });
});

const asked = { quantity: 2, unit_price: '99.0000', shipping_available: true };

test.each([
  ['units for no price', answer({}, { quantity: 2 }), "'unit_price' must be a number"],
  ['a part', answer({ item: { no: '3001', type: 'PART' } }, sold), 'item type PART is neither SET'],
  [
    'averages only',
    { meta: { code: 200 }, data: guide },
    "'price_detail' is missing; averages are",
  ],
  ['no condition', answer({ new_or_used: 'X' }, sold), "'new_or_used' must be N or U"],
  ['no currency', answer({ currency_code: null }, sold), "'currency_code' is missing"],
  ['no item', answer({ item: null }, sold), "it has no 'item', so it is not a price guide"],
])('a guide with %s is one rejected row', async (_, file, reason) => {
  const { reasons, ...counts } = await load(file);
  expect(counts).toMatchObject({ read: 1, rejected: 1 });
  expect(reasons[0]).toStartWith(`1.json#1 ${reason}`);
});

test.each([
  [
    'a row without a date among dated rows',
    asked,
    'it has no date, so it is an asking price, not a sale',
  ],
  ['a date without a zone', { ...sold, date_ordered: '2026-10-03' }, "'date_ordered' must be an"],
  [
    'a date ahead',
    { ...sold, date_ordered: '2027-01-01T00:00:00.000Z' },
    "'sold_at' is in the future",
  ],
  [
    'a price with a currency sign',
    { ...sold, unit_price: 'US $1' },
    "'unit_price' must be a number such",
  ],
  ['a price of 0', { ...sold, unit_price: '0.0000' }, "'price' must be above 0"],
  ['no quantity', { ...sold, quantity: undefined }, "'quantity' (or 'qunatity') must be a whole"],
  [
    'a fractional quantity',
    { ...sold, quantity: 0.5 },
    "'quantity' (or 'qunatity') must be a whole",
  ],
])('a row with %s is rejected alone', async (_, row, reason) => {
  const { reasons, ...counts } = await load(answer({}, sold, row));
  expect(counts).toMatchObject({ read: 2, added: 1, rejected: 1 });
  expect(reasons[0]).toContain(reason);
});

test('a guide without sales has no rows', async () => {
  expect(await load(answer({}))).toMatchObject({ read: 0, rejected: 0 });
});

test('unknown items are rejected, and sales in a currency without a rate wait', async () => {
  const { reasons, waiting } = await load(
    answer({ item: { no: '99999-1', type: 'SET' } }, sold),
    answer({ currency_code: 'GBP' }, sold),
  );
  expect(waiting).toBe(1);
  expect(reasons).toEqual([expect.stringContaining("set '99999' is not in the catalog")]);
});

test('an error response is reported, alone or among others', async () => {
  const meta = { code: 404, message: 'RESOURCE_NOT_FOUND', description: 'NO SUCH ITEM' };
  const said = 'BrickLink answered with an error (404): RESOURCE_NOT_FOUND, NO SUCH ITEM';
  await expect(load({ meta, data: {} })).rejects.toThrow(`1.json#1: ${said}.`);
  await expect(load({ hello: 'world' })).rejects.toThrow('so it is not a price guide.');
  const { reasons, ...counts } = await load({ meta, data: {} }, answer({}, sold));
  expect(counts).toMatchObject({ read: 2, added: 1, rejected: 1 });
  expect(reasons).toEqual([`1.json#1 ${said}`]);
});
