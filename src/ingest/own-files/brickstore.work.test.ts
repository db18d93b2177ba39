/** Importing BrickStore's inventories into a real store. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { type FilePlace, makeFilePlace } from '../../../test/support/private-files.ts';
import { readBrickStore } from './brickstore.work.ts';

let place: FilePlace;

beforeEach(async () => {
  place = await makeFilePlace();
});

afterEach(() => place.close());

const item = (fields: Readonly<Record<string, string>>) => {
  const all = {
    ItemID: '10482-1',
    ItemTypeID: 'S',
    Status: 'I',
    Qty: '1',
    Condition: 'N',
    ...fields,
  };
  const tags = Object.entries(all).map(([name, text]) => `<${name}>${text}</${name}>`);
  return `<Item>${tags.join('')}</Item>\n`;
};

const bsx = (items: readonly string[], currency = ' Currency="USD"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n<Inventory${currency}>\n` +
  `${items.join('')}</Inventory>\n<GuiState Application="BrickStore" Version="2"><ColumnLayout>` +
  '<![CDATA[AAAB]]></ColumnLayout></GuiState>\n</BrickStoreXML>\n';

const load = (text: string) => place.load(text, {}, 'mine.bsx');

async function lots() {
  const records = await place.records('collection');
  return records
    .filter(({ kind }) => kind === 'lot')
    .map(
      (r) =>
        `${r.source_id} ${r.set_number} ${r.quantity} ${r.condition} ${r.purchase_price_usd} ` +
        `${r.purchase_date}${r.is_estimated ? ' estimated' : ''}`,
    );
}

test('sets become lots at their cost and on the day they were added, not at their price', async () => {
  const file = bsx([
    item({
      LotID: '501',
      Qty: '3',
      Price: '150.000',
      Cost: '61.200',
      DateAdded: '2025-03-04T10:00:00Z',
    }),
    item({ ItemID: '10483-1', Condition: 'U', SubCondition: 'C', Price: '9.000', Retain: '' }),
    item({ LotID: '0', Cost: '0.000', Remarks: 'A &amp; B' }),
  ]);
  expect(await load(file)).toMatchObject({ added: 3, rejects: [] });
  expect(await lots()).toEqual([
    'brickstore/501 10482 3 sealed 61.2 2025-03-04',
    'brickstore/10483/used#1 10483 1 used 14.99 2026-11-15 estimated',
    'brickstore/10482/sealed#1 10482 1 sealed 119.99 2026-11-15 estimated',
  ]);
  place.now += 86_400_000;
  expect(await load(file)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
});

test('costs are in the currency of the inventory', async () => {
  expect(await load(bsx([item({ LotID: '1', Cost: '10.000' })], ' Currency="EUR"'))).toMatchObject({
    added: 1,
  });
  expect(await load(bsx([item({ LotID: '2', Cost: '10.000' })], ''))).toMatchObject({ added: 1 });
  expect((await lots()).map((lot) => lot.split(' ')[4])).toEqual(['11', '10']);
});

test('other lots are rejected with the reason', async () => {
  const loaded = await load(
    bsx([
      item({ ItemID: '3001', ItemTypeID: 'P' }),
      item({ ItemID: 'sw0001', ItemTypeID: 'M' }),
      item({ Status: 'X' }),
      item({ Qty: '0' }),
      item({ Qty: '-1' }),
      item({ Cost: 'little' }),
      item({ DateAdded: 'then' }),
      item({ ItemID: '99999-1' }),
    ]),
  );
  expect(loaded).toMatchObject({ added: 0 });
  expect(loaded.rejects).toEqual([
    "4: '3001' is a part; only sets and minifigs can be imported",
    "5: minifig 'sw0001' is not in the catalog",
    '6: the lot is marked as excluded in BrickStore',
    "7: 'Qty' is 0, so there is nothing to add",
    "8: 'Qty' must be a whole number, not '-1'",
    "9: 'Cost' must be an amount such as 61.20, not 'little'",
    "10: 'DateAdded' must be a date such as 2025-12-31, not 'then'",
    "11: set '99999-1' is not in the catalog",
  ]);
});

test('files of BrickStock, and with a document type, are read', async () => {
  const old = bsx([item({ LotID: '7' })])
    .replaceAll('BrickStoreXML', 'BrickStockXML')
    .replace('?>', '?>\n<!DOCTYPE BrickStockXML>');
  expect(await load(old)).toMatchObject({ added: 1, rejects: [] });
});

test('an incomplete file or an unclosed element fails with one sentence', async () => {
  const file = bsx([item({}), item({ Qty: '2' })]);
  await expect(load(file.slice(0, 300))).rejects.toThrow(
    'mine.bsx:5: the file ends before its lots do; is it complete?',
  );
  await expect(load(file.replace('</Qty>', ''))).rejects.toThrow(
    'mine.bsx:4: <CONDITION> begins inside <QTY>, whose end is missing.',
  );
});

test('minifigs are lots, other items are rejected', async () => {
  const file = bsx([
    item({ ItemID: 'sw0001', ItemTypeID: 'M', Qty: '2', Condition: 'U' }),
    item({ ItemID: '3001', ItemTypeID: 'P' }),
  ]);
  const rows = [];
  const stream = Readable.from([Buffer.from(file)]);
  for await (const group of readBrickStore({ name: 'mine.bsx', stream })) rows.push(...group);
  expect(rows).toMatchObject([
    { kind: 'minifig', number: 'sw0001', quantity: 2, condition: 'used' },
    { reason: "'3001' is a part; only sets and minifigs can be imported" },
  ]);
});
