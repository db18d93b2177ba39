/** Brickmark's own export: round trips, and edits by people. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  addUnusualLot,
  type FilePlace,
  makeFilePlace,
  me,
  shownSales,
  stockUp,
} from '../../../test/support/private-files.ts';
import { exportColumns } from '../../portfolio/export/export-records.work.ts';
import { cellReaders } from './brickmark-export.work.ts';

let place: FilePlace;
const bob = 'bob@example.com';

beforeEach(async () => {
  place = await makeFilePlace();
  await place.addAccount(bob);
});

afterEach(() => place.close());

const saleHeader =
  'kind,source_id,set_number,platform,sale_date,quantity,gross_proceeds_usd,cost_from,' +
  'cost_basis_usd,lot,takes\n';

test('an estimated price stays estimated', async () => {
  await place.load('Set Number,Quantity,Includes Spares,Inventory Ver\n10482-1,2,True,1\n');
  const text = await place.exported('collection', 'csv');
  expect(text).toBe(
    'kind,source_id,brickfolio,description,is_default,set_number,title,quantity,condition,' +
      'purchase_price_usd,purchase_date,status,is_estimated,date_basis,sold,grade,notes,tags,' +
      'place,bought_at,asking_price_usd,listed_at,listing_url,own_fields,minifig_number\n' +
      'brickfolio,,My collection,,true,,,,,,,,,,,,,,,,,,,,\n' +
      'lot,rebrickable/10482/sealed#1,My collection,,,10482,Harbour Lighthouse,2,sealed,' +
      '119.99,2026-11-15,owned,true,unknown,0,,,,,,,,,,\n',
  );
  expect(await place.load(text, { account: bob })).toMatchObject({ added: 2, rejects: [] });
  expect(await place.records('collection', bob)).toEqual(await place.records('collection'));
});

test('minifigs survive the round trip from feed to export, under the numbers they were entered', async () => {
  const holding = { kind: 'holding', account: me, brickfolio: 'Shelf', purchase_price_usd: 2 };
  const bought = { ...holding, purchase_date: '2026-01-02', condition: 'used', quantity: 3 };
  const sale = { kind: 'ledger_sale', account: me, platform: 'bricklink', gross_proceeds_usd: 9 };
  const sold = { ...sale, sale_date: '2026-02-03', quantity: 2 };
  await place.feed(
    { kind: 'minifig', minifig_number: 'cst001', name: 'Keeper', aliases: ['fig-000001'] },
    { kind: 'brickfolio', account: me, name: 'Shelf' },
    { ...bought, source_id: 'a', minifig_number: 'cst001' },
    { ...bought, source_id: 'b', minifig_number: 'FIG-000001' },
    { ...bought, source_id: 'c', set_number: '10482' },
    { ...sold, source_id: 's', minifig_number: 'cst001' },
  );
  expect(await place.records('collection')).toMatchObject([
    { brickfolio: 'Shelf' },
    { set_number: null, minifig_number: 'cst001', title: 'cst001', sold: 2 },
    { set_number: null, minifig_number: 'fig-000001', sold: 0 },
    { set_number: '10482', minifig_number: null },
  ]);
  for (const format of ['csv', 'json'] as const) {
    const email = `${format}@example.com`;
    await place.addAccount(email);
    for (const kind of ['collection', 'sales'] as const) {
      const text = await place.exported(kind, format);
      expect((await place.load(text, { account: email }, `x.${format}`)).rejects).toEqual([]);
      const again = await place.load(text, { account: me }, `x.${format}`);
      expect([again.added, again.updated]).toEqual([0, 0]);
    }
    for (const kind of ['collection', 'sales'] as const) {
      expect(await place.records(kind, email)).toEqual(await place.records(kind));
    }
  }
});

test('texts that look like formulas survive the round trip', async () => {
  const names = ['=1+1', '@home', "'quoted'", 'a "b", c; d'];
  const lots = names.map((name) => ({
    kind: 'holding',
    account: me,
    source_id: `-${name}`,
    brickfolio: name,
    set_number: '10482',
    quantity: 1,
    condition: 'sealed',
    purchase_price_usd: 1,
    purchase_date: '2026-01-01',
  }));
  const described = names.map((name) => ({
    kind: 'brickfolio',
    account: me,
    name,
    description: ` ${name} `,
  }));
  await place.feed(...described, ...lots);
  const text = await place.exported('collection', 'csv');
  expect(text.split(/[\n,]/).filter((cell) => /^"?[=+@]/.test(cell))).toEqual([]);
  await place.load(text, { account: bob });
  expect(await place.records('collection', bob)).toEqual(await place.records('collection'));
});

test('a day that began in the time zone of the owner is not in the future', async () => {
  await stockUp(place);
  place.now = Date.UTC(2026, 10, 15, 12);
  const lots =
    'kind,source_id,brickfolio,set_number,quantity,condition,purchase_price_usd,purchase_date\n' +
    'lot,today,Shelf,10482,1,sealed,5,2026-11-16\nlot,late,Shelf,10482,1,sealed,5,2026-11-17\n';
  expect((await place.load(lots)).rejects).toEqual([
    "3: 'purchase_date' is in the future: 2026-11-17; today is 2026-11-16",
  ]);
  const sale = `${saleHeader}sale,s1,10482,ebay,2026-11-16,1,50,lot,5,today,\n`;
  expect(await place.load(sale)).toMatchObject({ added: 1, rejects: [] });
});

test('lots may precede their collections, as in a sorted table', async () => {
  const rows = [
    'lot,a1,Attic,10482,1,sealed,5,2026-01-01',
    'lot,a2,Cellar,10482,1,sealed,5,2026-01-01',
    'brickfolio,,Attic,,,,,',
  ];
  const header = 'kind,source_id,brickfolio,set_number,quantity,condition,purchase_price_usd';
  const loaded = await place.load(`${header},purchase_date\n${rows.join('\n')}\n`);
  expect(loaded).toMatchObject({ added: 2, rejects: [expect.stringContaining('3: ')] });
});

test('names with bidirectional control characters are rejected, in tables and JSON', async () => {
  const reason = "'name' contains characters that change the direction of text";
  const table = 'kind,source_id,brickfolio,set_number\nbrickfolio,,Att\u202eic,\n';
  expect(await place.load(table)).toMatchObject({
    added: 0,
    rejects: [`2: ${reason}: "Att\\u202eic"`],
  });
  const rows = [{ kind: 'brickfolio', brickfolio: 'Att\u2066ic' }];
  const json = JSON.stringify({ format: 'brickmark collection', rows });
  const { rejects } = await place.load(json, {}, 'export.json');
  expect(rejects).toEqual([expect.stringContaining(`${reason}: "Att\\u2066ic"`)]);
  const list = 'Set Number,Quantity,Includes Spares,Inventory Ver\n10482-1,2,True,1\n';
  await expect(place.load(list, { brickfolio: 'Att\u202eic' })).rejects.toThrow(
    'The collection name contains characters that change the direction of text',
  );
});

test('added rows are settled on import', async () => {
  await stockUp(place);
  const rows = [
    'sale,s1,10482,ebay,2026-02-01,2,50,,,,',
    'sale,s2,10482,local,2026-02-01,1,50,,7.5,,',
    'sale,s3,10482,other,2026-02-01,1,50,,,10482 sealed,',
  ];
  expect(await place.load(saleHeader + rows.join('\n'))).toMatchObject({ added: 3, rejects: [] });
  expect((await shownSales(place)).map((line) => line.replace(/.*cost/, ''))).toEqual([
    ' 20 fifo',
    ' 7.5 given',
    ' 10 lot',
  ]);
});

test.each([
  ['thing,s1,10482,ebay,2026-02-01,1,50,,,,', "'kind' must be one of brickfolio, lot, sale"],
  [
    'sale,s1,10482,ebay,1/2/2026,1,50,,,,',
    `'sale_date' must be a date such as 2026-11-15, not "1/2/2026"`,
  ],
  [
    'sale,s1,10482,ebay,2026-02-01,1,50,guess,,,',
    `'cost_from' must be one of given, lot, fifo, not "guess"`,
  ],
  ['sale,s1,10482,ebay,2026-02-01,1,50,given,,,', "'cost_basis_usd' is missing"],
  [
    'sale,s1,10482,ebay,2026-02-01,1,50,fifo,1,,x',
    '\'takes\' must be a list such as [{"lot":"a1","quantity":2,"cost_basis_usd":20}]',
  ],
  [
    'sale,s1,10482,ebay,2026-02-01,2,50,fifo,1,,"[{""lot"":""10482 sealed"",""quantity"":1}]"',
    'the sale is for 2 units, but its lots add up to 1',
  ],
  [
    'sale,s1,10482,ebay,2026-02-01,1,50,fifo,1,,"[{""lot"":""10482 used"",""quantity"":1}]"',
    "there is no lot '10482 used' of this set and condition",
  ],
  [
    'sale,s1,10482,ebay,2026-02-01,51,50,fifo,1,,"[{""lot"":""10482 sealed"",""quantity"":51}]"',
    "the sale is for 51 units, but only 50 are left in lot '10482 sealed'",
  ],
  [
    'sale,s1,10482,ebay,2026-02-01,2,50,fifo,1,,' +
      '"[{""lot"":""10482 sealed"",""quantity"":1},{""lot"":""10482 sealed"",""quantity"":1}]"',
    'the sale names a lot twice',
  ],
])('%s is rejected', async (row, reason) => {
  await stockUp(place);
  expect((await place.load(saleHeader + row)).rejects).toEqual([`2: ${reason}`]);
});

test('units of several lots keep their cost at the time of sale', async () => {
  await stockUp(place);
  const lot = (price: number) => ({
    kind: 'holding',
    account: me,
    source_id: 'late',
    brickfolio: 'Shelf',
    set_number: '10482',
    quantity: 1,
    condition: 'sealed',
    purchase_price_usd: price,
    purchase_date: '2026-01-01',
  });
  await place.feed(lot(20));
  await place.load(`${saleHeader}sale,s1,10482,ebay,2026-02-01,51,50,,,,\n`);
  await place.feed(lot(400));
  const takes = [
    { lot: '10482 sealed', quantity: 50, cost_basis_usd: 500 },
    { lot: 'late', quantity: 1, cost_basis_usd: 20 },
  ];
  expect(await place.records('sales')).toMatchObject([{ cost_basis_usd: 520, takes }]);
  for (const format of ['csv', 'json'] as const) {
    const email = `${format}@example.com`;
    await place.addAccount(email);
    for (const kind of ['collection', 'sales'] as const) {
      const text = await place.exported(kind, format);
      await place.load(text, { account: email }, `file.${format}`);
    }
    expect(await place.records('sales', email)).toMatchObject([{ cost_basis_usd: 520, takes }]);
  }
});

test('takes name lots whose accents another build stored as separate characters', async () => {
  await stockUp(place);
  const [separate, joined] = ['nai\u0308ve', 'na\u00efve'];
  const lot = { brickfolio: 'Shelf', set_number: '10482', quantity: 3, condition: 'sealed' };
  const bought = { kind: 'lot', purchase_price_usd: 7, purchase_date: '2026-01-01', ...lot };
  const sale = { set_number: '10482', platform: 'ebay', quantity: 2, sale_date: '2026-02-01' };
  const sold = { kind: 'sale', source_id: 's1', gross_proceeds_usd: 50, ...sale };
  const takes = [{ lot: separate, quantity: 2, cost_basis_usd: 14 }];
  const collectionFile = {
    format: 'brickmark collection',
    rows: [
      { kind: 'brickfolio', brickfolio: 'Shelf' },
      { ...bought, source_id: separate },
    ],
  };
  const salesFile = {
    format: 'brickmark sales',
    rows: [{ ...sold, cost_from: 'lot', cost_basis_usd: 14, lot: separate, takes }],
  };
  for (const file of [collectionFile, salesFile]) {
    const { rejects } = await place.load(JSON.stringify(file), { account: bob }, 'own.json');
    expect(rejects).toEqual([]);
  }
  expect(await place.records('sales', bob)).toMatchObject([
    { lot: joined, takes: [{ lot: joined, quantity: 2, cost_basis_usd: 14 }] },
  ]);
});

test('without costs per lot, the cost is split by their prices', async () => {
  await stockUp(place);
  const takes = JSON.stringify([{ lot: '10482 sealed', quantity: 2 }]).replaceAll('"', '""');
  await place.load(`${saleHeader}sale,s1,10482,ebay,2026-02-01,2,50,fifo,7.77,,"${takes}"\n`);
  expect(await place.records('sales')).toMatchObject([
    { takes: [{ lot: '10482 sealed', quantity: 2, cost_basis_usd: 7.77 }] },
  ]);
});

test('the file names its collections, so no collection may be given', async () => {
  const text = await place.exported('collection', 'csv');
  await expect(place.load(text, { brickfolio: 'Attic' })).rejects.toThrow('omit --brickfolio');
});

test('for Ghostfolio, lots are bought and sales are sold', async () => {
  await stockUp(place);
  const rows = [
    'sale,s1,10482,ebay,2026-02-01,2,50,,,,',
    'sale,s2,10483,local,2026-02-02,1,30,,7.5,,',
  ];
  await place.load(saleHeader + rows.join('\n'));
  const of = async (kind: 'collection' | 'sales') =>
    JSON.parse(await place.exported(kind, 'ghostfolio')).activities;
  const manual = { currency: 'USD', dataSource: 'MANUAL', fee: 0 };
  expect((await of('collection'))[0]).toEqual({
    ...manual,
    date: '2025-01-01T00:00:00.000Z',
    quantity: 50,
    symbol: 'LEGO-10482',
    type: 'BUY',
    unitPrice: 10,
    comment: 'sealed, Shelf',
  });
  const keeper = { ...manual, date: '2026-02-02T00:00:00.000Z', quantity: 1, symbol: 'LEGO-10483' };
  expect(await of('sales')).toEqual([
    {
      ...manual,
      date: '2026-02-01T00:00:00.000Z',
      quantity: 2,
      symbol: 'LEGO-10482',
      type: 'SELL',
      unitPrice: 25,
      comment: 'sealed, ebay',
    },
    { ...keeper, type: 'BUY', unitPrice: 7.5, comment: 'sealed, local' },
    { ...keeper, type: 'SELL', unitPrice: 30, comment: 'sealed, local' },
  ]);
});

test('takes must be a list of lots and counts', async () => {
  await stockUp(place);
  const row = (takes: unknown) => ({
    kind: 'sale',
    source_id: 's1',
    set_number: '10482',
    platform: 'ebay',
    quantity: 1,
    sale_date: '2026-02-01',
    gross_proceeds_usd: 5,
    cost_from: 'fifo',
    takes,
    cost_basis_usd: 1,
  });
  const take = { lot: 'a', quantity: 1 };
  const costs = ['1', -1, 0.001, {}].map((cost) => [{ ...take, cost_basis_usd: cost }]);
  const rows = [[null], [[]], [{ lot: 'a' }], [{ lot: 'a', quantity: 0 }], {}, ...costs].map(row);
  const file = JSON.stringify({ format: 'brickmark sales', rows });
  const reason = '\'takes\' must be a list such as [{"lot":"a1","quantity":2,"cost_basis_usd":20}]';
  expect((await place.load(file, {}, 'own.json')).rejects).toEqual(
    rows.map((_, index) => `${index + 1}: ${reason}`),
  );
});

/** Exported for people, but derived from other columns. */
const notRead = ['title', 'sold'];

test.each(['collection', 'sales'] as const)(
  'every column of %s is filled, and read again',
  async (kind) => {
    await stockUp(place);
    await place.load(`${saleHeader}sale,s,10482,ebay,2026-11-01,1,50,,,,\n`);
    const filled = (await place.records(kind)).flatMap((record) => Object.keys(record));
    expect([...new Set(filled)].sort()).toEqual([...exportColumns[kind]].sort());
    const unread = exportColumns[kind].filter((name) => !cellReaders.has(name));
    expect(unread.filter((name) => !notRead.includes(name))).toEqual([]);
  },
);

test.each(['csv', 'json'] as const)(
  'details that are empty in a %s export are removed, and those of missing columns stay',
  async (format) => {
    const lot = await addUnusualLot(place);
    const full = await place.exported('collection', format);
    await place.load(full, { account: bob }, `full.${format}`);
    const removed = { ...lot, notes: null, askingCents: null, sold: 0 };
    const without = (name: string, text: string) => {
      if (format === 'csv') return text.replace(`,${name},`, ',x,');
      return text.replaceAll(
        new RegExp(`"${name}":("(\\\\"|[^"])*"|[\\d.]+)`, 'g'),
        `"${name}":null`,
      );
    };
    // In CSV the columns are gone, in JSON the values are null.
    const text = without('notes', without('asking_price_usd', full));
    await place.load(text, { account: bob }, `less.${format}`);
    const found = await place.findLot(lot.sourceId, bob);
    expect(found).toEqual(format === 'csv' ? { ...lot, sold: 0 } : removed);
  },
);

test.each(['csv', 'json'] as const)(
  'an unusual lot survives a round trip through %s',
  async (format) => {
    const lot = await addUnusualLot(place);
    const text = await place.exported('collection', format);
    await place.load(text, { account: bob }, `file.${format}`);
    expect(await place.findLot(lot.sourceId, bob)).toEqual({ ...lot, sold: 0 });
  },
);
