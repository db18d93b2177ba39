/** Format detection by real headers and beginnings. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zip } from '../../../test/support/zip.ts';
import { detectFormat } from './detect.work.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-detect-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function detect(
  content: string | Uint8Array,
  given: { readonly name?: string; readonly isPrivate?: boolean } = {},
): Promise<string | null> {
  const path = join(folder, given.name ?? 'file');
  writeFileSync(path, content);
  const detected = await detectFormat(path, { isPrivate: given.isPrivate ?? false });
  return detected?.format ?? null;
}

test.each([
  ['rebrickable', 'set_num,name,year,theme_id,num_parts,img_url\n'],
  ['rebrickable', 'id,version,set_num\n'],
  ['brickset', '"setID","number","numberVariant","name","year","theme","themeGroup"\n'],
  ['brickset', '{"status":"success","matches":1,"sets":[{"setID":1,"number":"1"}]}'],
  ['brickset', 'Theme,Subtheme,SetName,Number,Year,Pieces,USPrice\n'],
  ['bricklink-catalog', 'Category ID\tCategory Name\tNumber\tName\tYear Released\n\n\n'],
  [
    'bricklink-inventories',
    'Type\tItem No\tItem Name\tQty\tColor ID\tExtra?\tAlternate?\tMatch ID\tCounterpart?\n\n',
  ],
  ['bricklink-inventories', '{"meta":{"code":200},"data":[{"match_no":0,"entries":[]}]}'],
  ['bricklink-prices', '{"meta":{"code":200},"data":{"item":{},"price_detail":[]}}'],
  ['keepa', '{"timestamp":1,"products":[{"asin":"B0"}]}'],
  ['keepa', '{"asin":"B0","domainId":1,"csv":[]}'],
  ['ebay-sales', '{"href":"x","total":1,"itemSales":[{"itemId":"v1|1|0"}]}'],
  ['ebay-sales', '[{"itemId":"v1|1|0","lastSoldPrice":{"value":"1.00","currency":"USD"}}]'],
  ['collection', 'Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes\n'],
  ['collection', 'Number,Theme,Subtheme,Year,Name,Owned,Wanted,Retail\n'],
  ['collection', 'Set number,Quantity,Includes spares,Inventory ver\n'],
  ['collection', '{"format": "brickmark collection", "rows": [\n'],
  ['sales', '{"format":"brickmark sales","rows":[\n'],
  ['sales', '<?xml version="1.0" encoding="UTF-8"?>\n<ORDERS>\n'],
  ['sales', '\n\n"Sales Record Number","Order Number","Buyer Username","Item Title"\n'],
  ['sales', 'settlement-id\tsettlement-start-date\tamount-type\tamount-description\n'],
  ['sales', '{"order_id":"1","iso_order_time":"2026-01-01","base_order_total":"1.00"}'],
  ['sales', '{"order_id":"1","order_number":"7","order_time":1696243200,"status":"3"}'],
  ['sales', '[{"order_item_id":"1","lot_id":"2","boid":"3"}]'],
  ['sales', '{"meta":{"code":200},"data":{"order_id":1,"date_ordered":"x","seller_name":"me"}}'],
  ['sales', '{"meta":{"code":200},"data":[[{"inventory_id":1,"unit_price_final":"1.0000"}]]}'],
  ['collection', '<?xml version="1.0"?>\n<BrickStoreXML>\n <Inventory Currency="EUR">\n'],
  ['collection', '<!DOCTYPE BrickStockXML>\n<BrickStockXML><Inventory>\n'],
  [
    'bricklink-prices',
    '{"data":{"price_detail":[{"date_ordered":"x","seller_country_code":"US"}]}}',
  ],
  ['ecb', 'Date,USD,JPY,BGN,CYP,\n'],
  ['ecb', 'Date, USD, JPY, BGN, \n'],
  [
    'ecb',
    '<?xml version="1.0"?>\n<gesmes:Envelope xmlns="http://www.ecb.int/2002-08-01/eurofxref">',
  ],
  ['feed', '{"kind":"set","set_number":"1"}\n{"kind":"set"}\n'],
  [null, 'Dear diary,\n'],
  [null, ''],
  [null, '<html></html>'],
  [null, '{"hello":"world"}'],
  // A first line that begins like JSON or XML is not a header.
  [null, '{,number,paid,condition\n'],
  [null, '  [,number,paid,condition\n'],
  [null, '<,number,paid,condition\n'],
] as const)('%s begins with %s', async (format, content) => {
  expect(await detect(content)).toBe(format);
  expect(await detect(`\ufeff${content}`)).toBe(format);
});

test.each([
  'Number,Theme,Subtheme,Year,Set name,Minifigs,Pieces,RRP (GBP),RRP (USD),Qty owned\n',
  'SetID,Number,Variant,YearFrom,Category,Theme,Subtheme,SetName,QtyOwned\n',
])(
  "Brickset's export is a catalog, and in an account's folder a collection: %s",
  async (header) => {
    expect(await detect(header)).toBe('brickset');
    expect(await detect(header, { isPrivate: true })).toBe('collection');
  },
);

test('archives and folders are detected by their contents', async () => {
  const header = 'id,name,parent_id\n';
  expect(await detect(gzipSync(header), { name: 'themes.csv.gz' })).toBe('rebrickable');
  const archive = zip({ '__MACOSX/._themes.csv': 'x', '.DS_Store': 'x', 'themes.csv': header });
  expect(await detect(archive, { name: 'themes.zip' })).toBe('rebrickable');
  mkdirSync(join(folder, 'dump'));
  writeFileSync(join(folder, 'dump', 'README'), 'hello');
  writeFileSync(join(folder, 'dump', 'themes.csv'), header);
  expect(await detectFormat(join(folder, 'dump'), { isPrivate: false })).toMatchObject({
    format: 'rebrickable',
  });
});

test('an archive without files has no format', async () => {
  expect(await detect(zip({ '.DS_Store': 'x' }), { name: 'empty.zip' })).toBeNull();
});
test('a file with a mapping file is a price list', async () => {
  writeFileSync(join(folder, 'prices.mapping.json'), '{}');
  const path = join(folder, 'prices.csv');
  writeFileSync(path, 'a,b\n');
  expect(await detectFormat(path, { isPrivate: false })).toEqual({
    format: 'offers-csv',
    mapping: join(folder, 'prices.mapping.json'),
    step: 'market',
  });
});

test.each([
  ['{"kind":"fx","date":"2026-11-01"}\n{"kind":"sale"}', 'rates'],
  ['{"kind":"minifig","minifig_number":"a"}', 'catalog'],
  ['set_num,name,year,theme_id\n', 'catalog'],
  ['{"kind":"sale","source":"a"}', 'market'],
  ['{"kind":"retract","source":"a"}', 'market'],
  ['{"price_detail":[]}', 'market'],
  ['{"kind":"holding","account":"a"}', 'holdings'],
  ['{"kind":"ledger_sale","account":"a"}', 'sold'],
])('the import step of %s', async (beginning, step) => {
  const path = join(folder, 'some');
  writeFileSync(path, beginning);
  expect(await detectFormat(path, { isPrivate: false })).toMatchObject({ step });
});
