/** Importing in the browser: a preview that writes nothing, then the import. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pools } from '../../src/http/pools.ts';
import { importOwn } from '../../src/ingest/runner/own-import.work.ts';
import type { ChangeAccount } from '../../src/portfolio/lots/private-rows.ts';
import { hiddenFields, startOwnerSite } from '../support/owner-pages.ts';
import { ledgerSale, lot, type Person } from '../support/person.ts';
import {
  type Fields,
  readForm,
  type Site,
  sendFile,
  textOf,
  type Visitor,
} from '../support/site.ts';
import { until } from '../support/until.ts';
import type { FeedLine } from '../support/world.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  ({ site, ann, bob, person } = await startOwnerSite());
});

afterAll(() => site.close());

const path = '/inventory/import';

const send = (visitor: Visitor, action: string, fields: Fields, file?: File, more?: Fields) =>
  sendFile(site, { visitor, action, fields, file, headers: more });

const asText = (lines: readonly FeedLine[]) =>
  lines.map((line) => JSON.stringify({ account: 'ann@example.com', ...line })).join('\n');

/** Uploads a file; returns the address of its preview. */
async function upload(content: string | Uint8Array, name = 'mine.ndjson'): Promise<string> {
  const fields = hiddenFields((await ann.get(path)).html);
  const sent = await send(ann, path, fields, new File([content as BlobPart], name));
  expect([sent.status, sent.goTo]).toEqual([
    303,
    expect.stringMatching(/^\/inventory\/import\/\d+$/),
  ]);
  return sent.goTo ?? '';
}

/** The preview of a file. */
const preview = async (content: string | Uint8Array, name?: string, answers = '') =>
  ann.get((await upload(content, name)) + answers);

/** Submits the form of a preview. */
const answer = async (address: string, answers: Fields) =>
  ann.submit(await ann.get(address), address.replace(/\?.*/, ''), answers);

const state = async () =>
  JSON.stringify([await person.brickfolios(), await person.entries(), await person.sales()]);

const lines = [
  { kind: 'brickfolio', name: 'Shelf', description: 'Up high' },
  lot('old', 4),
  lot('other', 2, { purchase_price_usd: 12.34 }),
  lot('new', 1, { set_number: '101' }),
  lot('unknown', 1, { set_number: '999' }),
  ledgerSale('sold', 1, { lot: 'old' }),
  lot('of another', 1, { account: 'bob@example.com' }),
  lot('of nobody', 1, { account: 'nobody@example.com' }),
  { kind: 'set', set_number: '7', title: 'Sneaked in', theme: 'Castle', account: undefined },
];

test('a preview shows what would be added, changed and rejected, and writes nothing', async () => {
  const before = await state();
  const seen = await preview(asText(lines));
  expect(seen.status).toBe(200);
  const text = textOf(seen.html);
  expect(text).toContain('Brickmark feed , 9 rows mine.ndjson');
  expect(text).toContain('New 2 Changed 2 Unchanged 1 Not imported 4');
  expect(text).toContain('3 sealed → 4 sealed');
  expect(text).toContain('Set 101 101 New lot 1 $60.00');
  expect(text).toContain('Sets that are not in the catalog 1 999 (line 5)');
  expect(text).toContain('Rows of another account 2 line 7, line 8');
  expect(text).toContain('Rows that are not collections, lots or sales 1 line 9');
  expect(await state()).toBe(before);
});

test('an import ends at the address of its preview, however often it is sent or reloaded', async () => {
  const address = await upload(asText(lines));
  const form = readForm((await ann.get(address)).html, address);
  const done = await ann.post(address, { ...form, do: 'import' });
  expect([done.status, done.goTo]).toEqual([303, address]);
  const after = await state();
  expect((await person.entries()).entries.map((each) => each.quantity)).toEqual([3, 2, 1]);
  expect((await person.sales()).sales).toHaveLength(1);
  const again = await ann.post(address, { ...form, do: 'import' });
  expect([again.status, again.goTo]).toEqual([303, address]);
  expect(await state()).toBe(after);
  // Back, Forward and Reload show the result.
  for (const shown of [address, `${address}?date=release`, address]) {
    const text = textOf((await ann.get(shown)).html);
    expect(text).toContain('Import complete');
    expect(text).toContain('Added 2 Changed 2 Unchanged 1 Not imported 4');
  }
  expect(await site.world.store.market.findNumbers('set', ['7'])).toEqual(new Map());
});

test('compressed files are read, and broken ones reported', async () => {
  const good = await preview(new Uint8Array(gzipSync(asText(lines))), 'mine.ndjson.gz');
  expect(textOf(good.html)).toContain('Unchanged 5');
  for (const [content, name, fault] of [
    [new Uint8Array(gzipSync(asText(lines))).slice(0, 60), 'mine.ndjson.gz', 'Is it complete?'],
    ['no archive', 'mine.zip', 'Is it complete?'],
    ['{}\n'.repeat(20_001), 'mine.ndjson', 'more than 20,000 rows'],
  ] as const) {
    const seen = await preview(content, name);
    expect([name, seen.status]).toEqual([name, 400]);
    expect(textOf(seen.html)).toContain(fault);
    expect(seen.html).not.toContain(tmpdir());
  }
  const fields = hiddenFields((await ann.get(path)).html);
  const large = new File(['x'.repeat(4 * 1024 * 1024 + 1)], 'mine.ndjson');
  for (const [file, fault] of [
    [new File([''], 'mine.ndjson'), 'Choose a file that is not empty, or paste text.'],
    [large, 'larger than 4 MB'],
    [new File(['PK'], 'mine.xlsx'), 'Save the spreadsheet as CSV'],
  ] as const) {
    const seen = await send(ann, path, fields, file);
    expect([seen.status, textOf(seen.html)]).toEqual([400, expect.stringContaining(fault)]);
  }
});

test('files that are chosen together are read like one archive', async () => {
  const order = { order_id: '7', iso_order_time: '2026-11-01', sub_total: '80.00', status: '5' };
  const item = { order_item_id: '1', order_id: '7', type: 'Set', name: 'S', base_price: '80' };
  const items = [{ ...item, ordered_quantity: '1', ids: [{ type: 'set_number', id: '100-1' }] }];
  const page = hiddenFields((await ann.get(path)).html);
  const upload = async (...files: File[]) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(page)) body.set(name, value);
    for (const file of files) body.append('file', file);
    const Cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { Origin: site.url, Cookie };
    return fetch(site.url + path, { method: 'POST', body, headers, redirect: 'manual' });
  };
  const orders = new File([JSON.stringify(order)], 'orders.json');
  const both = await upload(orders, new File([JSON.stringify(items)], 'orders.json'));
  expect(both.status).toBe(303);
  const text = textOf((await ann.get(both.headers.get('Location') ?? '')).html);
  expect(text).toContain('Orders , 1 row 2 files.zip');
  expect(text).toContain('New sale');
  const alone = await upload(orders);
  const rejected = textOf((await ann.get(alone.headers.get('Location') ?? '')).html);
  expect(rejected).toContain('Choose both files together');
  const packed = await upload(orders, new File(['x'], 'items.zip'));
  expect([packed.status, textOf(await packed.text())]).toEqual([
    400,
    expect.stringContaining('Choose .zip, .gz and .ndjson files one at a time.'),
  ]);
});

test('file names and values are escaped', async () => {
  const evil = [lot('<script>alert(1)</script>', 1, { set_number: '<b>7</b>' })];
  const seen = await preview(asText(evil), '../<img src=x>.ndjson');
  expect(seen.html).not.toContain('<b>7');
  expect(seen.html).not.toContain('<img src=x');
  expect(textOf(seen.html)).toContain('<b>7</b> (line 1)');
});

test('importing an export changes nothing', async () => {
  // One of the sales was entered in the form of a lot.
  const [, lotId = ''] = /\/lots\/(\d+)/.exec((await ann.get('/inventory')).html) ?? [];
  const typed = { platform: 'bricklink', gross: '50', quantity: '1' };
  const sold = await ann.submit(await ann.get(`/sales/new?lot=${lotId}`), '/sales/new', typed);
  expect(sold.goTo).toStartWith('/sales?did=saved');
  const before = await state();
  for (const [kind, format] of [
    ['collection', 'csv'],
    ['collection', 'json'],
    ['sales', 'csv'],
    ['sales', 'json'],
  ] as const) {
    const file = await ann.get(`/export/${kind}/${format}`);
    const name = `attachment; filename="brickmark-${kind}.${format}"`;
    expect(file.headers.get('Content-Disposition')).toBe(name);
    // Reading the response as text drops the byte order mark.
    const content = format === 'csv' ? `\ufeff${file.html}` : file.html;
    const text = textOf((await preview(content, `mine.${format}`)).html);
    expect([kind, format, text]).toEqual([kind, format, expect.stringContaining('imported 0')]);
    expect(text).toContain('New 0 Changed 0 Unchanged');
    expect(text).toContain('Nothing to import: everything in this file is there already.');
  }
  expect(JSON.parse((await ann.get('/export/sales/ghostfolio')).html)).toHaveProperty('activities');
  expect((await ann.get('/export/keys/csv')).status).toBe(404);
  expect((await bob.get('/export/collection/csv')).html.split('\n')).toHaveLength(2);
  expect((await site.visitor().get('/export/collection/csv')).goTo).toStartWith('/sign-in');
  expect(await state()).toBe(before);
});

test('every CSV file starts with the byte order mark that Excel needs', async () => {
  const named = new Bun.Glob('**/*.{ts,tsx}').scanSync('src/web');
  const makers = [...named].filter((name) =>
    readFileSync(join('src/web', name), 'utf8').includes('text/csv'),
  );
  expect(makers).toEqual(['kit/csv-download.ts']);
  const headers = { Cookie: [...ann.cookies].map((pair) => pair.join('=')).join('; ') };
  for (const table of ['/export/sales/csv', '/sales/year/2026.csv', '/deals.csv']) {
    const bytes = await (await fetch(site.url + table, { headers })).bytes();
    expect([table, ...bytes.slice(0, 3)]).toEqual([table, 0xef, 0xbb, 0xbf]);
  }
});

test('lots without date and price lead to questions, and each answer is previewed', async () => {
  const rows = ['Number,Qty owned', '200,2', '999,1'];
  const address = await upload(rows.join('\n'), 'owned.csv');
  const first = textOf((await ann.get(address)).html);
  expect(first).toContain('Brickset collection , 2 rows owned.csv');
  expect(first).toContain('1 row has no purchase date');
  expect(first).toContain('1 row has no purchase price');
  expect(first).toContain('New lot 2 $79.99 each, estimated Unknown');
  // A changed answer has its own address, which can be reloaded and gone back to.
  const released = await answer(address, { do: 'preview', date: 'release', price: 'skip' });
  expect(released.goTo).toBe(`${address}?date=release&price=skip`);
  const skipped = textOf((await ann.get(released.goTo ?? '')).html);
  expect(skipped).toContain('1 row has no purchase price');
  expect(skipped).toContain('No price 1 line 2 Skipped, because you chose to');
  const wrong = textOf((await ann.get(`${address}?date=day&day=2099-01-01`)).html);
  expect(wrong).toContain('The date is in the future');
  const answers = { date: 'day', day: '2024-05-04', price: 'amount', amount: '50' };
  const shown = await answer(address, { ...answers, do: 'preview' });
  expect(textOf((await ann.get(shown.goTo ?? '')).html)).toContain(
    'New lot 2 $50.00 each May 4, 2024',
  );
  await answer(shown.goTo ?? '', { do: 'import' });
  const [added] = (await person.entries()).entries.filter((each) => each.set_number === '200');
  expect(added).toMatchObject({ purchase_price_usd: 50, purchase_date: '2024-05-04' });
  // Stored lots lead to no questions.
  const again = textOf((await preview(rows.join('\n'), 'owned.csv')).html);
  expect(again).not.toContain('no purchase date');
  expect(again).toContain('New 0 Changed 0 Unchanged 1 Not imported 1');
});

test('undoing an import deletes what it added, and restores what it changed', async () => {
  const before = await state();
  const changed = [
    lot('other', 1, { purchase_price_usd: 9 }),
    lot('added', 2, { set_number: '101' }),
    ledgerSale('added sale', 1, { set_number: '101', lot: 'added' }),
  ];
  const address = await upload(asText(changed));
  await answer(address, { do: 'import' });
  expect(await state()).not.toBe(before);
  const undo = await ann.submit(await ann.get(address), `${address}/undo`);
  expect(undo.goTo).toBe(address);
  const text = textOf((await ann.get(address)).html);
  expect(text).toContain('Import undone');
  expect(text).toContain('1 lot deleted, 1 sale deleted, 1 lot restored.');
  expect(text).toContain('Taken back 3 Had added 2 Had changed 1');
  expect(textOf((await ann.get('/account/activity')).html)).toContain('3 rows taken back');
  expect(text).not.toContain('Undo import');
  expect(await state()).toBe(before);
});

test('a row changed twice by one file is restored completely, and changed sales are counted', async () => {
  const first = [lot('twice', 2), ledgerSale('paid', 1, { lot: 'twice' })];
  await answer(await upload(asText(first)), { do: 'import' });
  const before = await person.entries();
  const others = Array.from({ length: 600 }, (_, at) => lot(`n${at}`, 1));
  const address = await upload(
    asText([
      lot('twice', 3),
      lot('fresh', 1),
      ...others,
      lot('twice', 4),
      lot('fresh', 2),
      ledgerSale('paid', 1, { lot: 'twice', shipping_cost_usd: 1 }),
    ]),
  );
  await answer(address, { do: 'import' });
  await ann.submit(await ann.get(address), `${address}/undo`);
  const text = textOf((await ann.get(address)).html);
  expect(text).toContain('601 lots deleted, 1 lot restored, 1 sale kept as imported.');
  expect(await person.entries()).toEqual(before);
});

test('columns of a spreadsheet are guessed, and can be chosen', async () => {
  const rows = ['What;Number;Paid;When;Where', 'Ferry;200;"1.079,99";03/04/2025;Attic'];
  const address = await upload(rows.join('\r\n'), 'sheet.csv');
  const guessed = textOf((await ann.get(address)).html);
  expect(guessed).toContain('Spreadsheet , 1 row sheet.csv');
  expect(guessed).toContain('How are dates like 03/04/2025 written?');
  expect(guessed).toContain('Night Ferry 200 New lot 1 $1,079.99 Apr 3, 2025');
  const named = await answer(address, { do: 'preview', order: 'month', col_collection: '4' });
  const seen = textOf((await ann.get(named.goTo ?? '')).html);
  expect(seen).toContain('New lot 1 $1,079.99 Mar 4, 2025 Sealed · Attic');
  await answer(named.goTo ?? '', { do: 'import' });
  expect((await person.brickfolios()).brickfolios.map(({ name }) => name)).toContain('Attic');
  const bought = (await person.entries()).entries.map((each) => each.purchase_date);
  expect(bought).toContain('2025-03-04');
  const unknown = textOf((await preview('Color,Shape\nred,round\n', 'odd.csv')).html);
  expect(unknown).toContain('Choose the column that has the set numbers');
  const bare = textOf((await preview('75192\n200 x3\n', 'pasted')).html);
  expect(bare).toContain('Spreadsheet , 2 rows');
  expect(bare).toContain('Night Ferry 200 New lot 3');
  expect(bare).toContain('Sets that are not in the catalog 1 75192 (line 1)');
});

/** Fields outside of the import form that belong to it. */
const rowFields = (html: string): Fields =>
  Object.fromEntries(
    [...html.matchAll(/<input type="(?:hidden|text)" form="import-form" [^>]*>/g)].map(
      ([input]) => [
        /name="([^"]*)"/.exec(input)?.[1] ?? '',
        (/ value="([^"]*)"/.exec(input)?.[1] ?? '').replaceAll('&quot;', '"'),
      ],
    ),
  );

/** Sends the form of a preview with other values in some of its rows. */
const correct = async (address: string, changes: Fields) => {
  const { html } = await ann.get(address);
  const sent = { ...readForm(html, address), ...rowFields(html), do: 'import', ...changes };
  return ann.post(address, sent);
};

test('rejected rows are corrected or skipped in the preview, and imported that way', async () => {
  const before = await state();
  const rows = [
    'Number,Paid,Condition,Date',
    '101-1,$55,New,2025-01-02',
    '99999-1,$60,New,2025-01-02',
  ];
  rows.push('101-1,lots,New,2025-01-03', '77777-1,$60,New,2025-01-04');
  const address = await upload(rows.join('\n'), 'be.csv');
  const seen = await ann.get(address);
  expect(textOf(seen.html)).toContain("Line 3 Set '99999-1' is not in the catalog.");
  expect(Object.keys(rowFields(seen.html))).toHaveLength(15);
  // A form with corrections is previewed first, also if it is sent with the button Import.
  const sent = await correct(address, { row_0_0: '100', row_1_1: 'a lot', row_2_skip: 'yes' });
  expect([sent.status, sent.goTo]).toEqual([303, `${address}#rows`]);
  for (const _ of ['shown', 'reloaded']) {
    const text = textOf((await ann.get(address)).html);
    expect(text).toContain('New 2 Changed 0 Unchanged 0 Not imported 2');
    expect(text).toContain("'Paid' must be an amount such as $40.08 or €40.08, not 'a lot'.");
    expect(text).toContain('2 rows corrected or skipped');
    expect(text).toContain('Skipped by you');
  }
  const { html } = await ann.get(address);
  expect(textOf(html)).toContain("Line 4 Set 101 'Paid' must be");
  expect(textOf(html)).not.toContain('are shown');
  expect(html.match(/<input[^>]*aria-invalid[^>]*>/g)).toEqual([
    expect.stringMatching(/name="row_0_1" value="a lot".*aria-describedby="row_0-fault"/),
  ]);
  await correct(address, { row_0_1: '49.50' });
  expect(textOf((await ann.get(address)).html)).toContain('New 3 Changed 0 Unchanged 0');
  expect(await state()).toBe(before);
  await correct(address, {});
  const done = textOf((await ann.get(address)).html);
  expect(done).toContain('Added 3 Changed 0 Unchanged 0 Not imported 1');
  const { entries } = await person.entries();
  const paid = entries.map((each) => each.purchase_price_usd);
  expect(paid).toEqual(expect.arrayContaining([55, 60, 49.5]));
  await ann.submit(await ann.get(address), `${address}/undo`, {});
});

test('prices far from the market value are listed, and imported only if confirmed', async () => {
  const file = 'Number,Paid,Condition,Date\n100-1,$1999,New,2024-01-02\n100-1,$80,New,2024-01-03\n';
  const address = await upload(file, 'be.csv');
  const text = textOf((await ann.get(address)).html);
  expect(text).toContain('1 price is far from the market value. Is it right?');
  expect(text).toContain('$1,999.00 each is 22 times the market value of $90.00');
  expect(text).toContain('New 1 Changed 0 Unchanged 0 Not imported 1');
  const { goTo } = await answer(address, { do: 'preview', far: 'import' });
  expect(goTo).toBe(`${address}?far=import`);
  const confirmed = textOf((await ann.get(goTo ?? '')).html);
  expect(confirmed).toContain('New 2 Changed 0 Unchanged 0 Not imported 0');
  expect(confirmed).toContain('Prices to check');
  await answer(`${address}?far=import`, { do: 'import' });
  expect(textOf((await ann.get(address)).html)).toContain('Added 2');
  await ann.submit(await ann.get(address), `${address}/undo`, {});
});

const setNamed = (set_number: string, title: string) => ({
  kind: 'set',
  set_number,
  title,
  theme: 'Town',
  msrp_usd: 550,
});

test('a name that fits another set than its number is asked about, with both names', async () => {
  await site.world.load([
    setNamed('1029', 'Milk Delivery Truck'),
    setNamed('10294', 'Titanic'),
    setNamed('7349', 'Skater Boy'),
    setNamed('7349-3', 'Police Officer'),
  ]);
  const rows = ['1029-1,Titanic,$550', '7349,Police officer,$500', '10294,RMS Titanic,$540'];
  const address = await upload(['Set,Name,Paid', ...rows].join('\n'), 'mine.csv');
  const text = textOf((await ann.get(address)).html);
  expect(text).toContain('2 names fit other sets than the numbers beside them.');
  expect(text).toContain(
    "The file says 'Titanic', which is 10294; 1029-1 is 'Milk Delivery Truck'.",
  );
  expect(text).toContain("The file says 'Police officer', which is 7349-3; 7349 is 'Skater Boy'.");
  expect(text).toContain(
    'Names that fit another set 2 Titanic (line 2), Police officer (line 3) Correct the numbers',
  );
  expect(text).toContain('Import 1 lot Update preview');
  // Answered and imported in one step: the number on the button would be wrong.
  const { goTo } = await answer(address, { do: 'import', named: 'import' });
  const confirmed = textOf((await ann.get(goTo ?? '')).html);
  expect(confirmed).toContain('Not imported yet: your answers changed the preview.');
  expect(confirmed).toContain('Import 3 lots Update preview');
  await answer(`${address}?named=import`, { do: 'import' });
  expect(textOf((await ann.get(address)).html)).toContain('Added 3');
  // Lots that are there need no answers.
  const again = textOf((await preview(['Set,Name,Paid', ...rows].join('\n'), 'mine.csv')).html);
  expect(again).not.toContain('Names to check');
  expect(again).toContain('Unchanged 3');
  await ann.submit(await ann.get(address), `${address}/undo`, {});
});

test('a number beside another name can be corrected', async () => {
  const address = await upload('Set,Name,Paid\n1029-1,Titanic,$550\n', 'mine.csv');
  const { html } = await ann.get(address);
  expect(textOf(html)).not.toContain('Import 1 lot');
  const name = /name="(row_0_\d+)"[^>]*value="1029-1"/.exec(html)?.[1] ?? '';
  const sent = { ...readForm(html, address), ...rowFields(html), do: 'preview', [name]: '10294' };
  const { goTo } = await ann.post(address, sent);
  const text = textOf((await ann.get(goTo ?? '')).html);
  expect(text).not.toContain('Names to check');
  expect(text).toContain('Titanic 10294 New lot 1 $550.00');
  expect(text).toContain('Import 1 lot');
});

test.each([
  [
    'orders.json',
    JSON.stringify([
      {
        order_id: 7002,
        date_ordered: '2026-10-31T17:59:06.373Z',
        seller_name: 'me',
        buyer_name: 'bob',
        status: 'COMPLETED',
        cost: { currency_code: 'USD', subtotal: '95.0000' },
        items: [
          {
            inventory_id: 32,
            item: { no: '1029-1', name: 'Titanic', type: 'SET' },
            quantity: 1,
            unit_price: '95.0000',
            new_or_used: 'N',
          },
        ],
      },
    ]),
  ],
  ['be.csv', 'Number,Name,Paid,Condition,Date\n1029-1,Titanic,$95,New,2025-01-02\n'],
  ['old.csv', 'Number,Theme,Subtheme,Year,Name,Owned,Wanted,Retail\n1029-1,,,,Titanic,1,0,$9\n'],
  ['brickset.csv', 'Number,Set name,Qty owned,RRP (USD)\n1029-1,Titanic,1,9.99\n'],
  [
    'lots.bsx',
    '<BrickStoreXML><Inventory Currency="USD"><Item><ItemID>1029-1</ItemID><ItemTypeID>S' +
      '</ItemTypeID><ItemName>Titanic</ItemName><Qty>1</Qty><Cost>9</Cost></Item></Inventory>' +
      '</BrickStoreXML>',
  ],
])('the name in %s is asked about', async (name, content) => {
  const text = textOf((await preview(content, name)).html);
  expect(text).toContain("The file says 'Titanic', which is 10294; 1029-1 is 'Milk");
});

test('rejects of an order file with many parts are grouped, and can be downloaded', async () => {
  const header =
    'Order ID,Order Date,Seller,Order Total,Order Status,Item Type,Item Number,Qty,Each,Condition';
  const row = (item: string) => `90,8/25/2025,seller,$9.00,Shipped,Part,${item},1,$1.00,New`;
  const items = Array.from({ length: 120 }, (_, count) => row(String(3000 + count)));
  const text = [header, ...items].join('\n');
  const address = await upload(text, 'orders.csv');
  const seen = await ann.get(address);
  expect(textOf(seen.html)).toContain('BrickLink orders , 120 rows orders.csv');
  expect(textOf(seen.html)).toContain('Parts 120 3000 (line 2), 3001 (line 3), 3002 (line 4) …');
  expect(seen.html).not.toContain('--');
  const file = await ann.get(`${address}/rejected.csv`);
  expect(file.html.split('\r\n')).toHaveLength(122);
  expect(file.html).toContain(
    '2,Parts,Only sets and minifigs can be in your inventory.,"90,8/25/2025',
  );
});

test("another account's file and collection are not found, and its rows cannot be imported", async () => {
  const before = await state();
  const address = await upload(asText(lines));
  for (const at of [address, `${address}/rejected.csv`, `${path}/0`, `${path}/x`]) {
    const seen = await bob.get(at);
    expect([seen.status, textOf(seen.html)]).toEqual([404, expect.stringContaining('expired')]);
  }
  const tokens = hiddenFields((await bob.get(path)).html);
  const file = new File([asText([lot('mine', 5)])], 'mine.ndjson');
  const own = (await send(bob, path, tokens, file)).goTo ?? '';
  const chosen = await bob.submit(await bob.get(own), own, { do: 'import', to: '1' });
  expect(chosen.goTo).toBe(`${own}?to=1`);
  expect((await bob.submit(await bob.get(own), own, { do: 'import' })).goTo).toBe(own);
  expect(textOf((await bob.get(own)).html)).toContain(
    'Added 0 Changed 0 Unchanged 0 Not imported 1',
  );
  expect(await state()).toBe(before);
});

const slowNetwork = '198.51.100.7';

/** Starts an upload, and stalls. */
function sendSlowly(from = slowNetwork, who = ann): Socket {
  const { host, hostname, port } = new URL(site.url);
  const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${site.url}`];
  const type = 'Content-Type: multipart/form-data; boundary=x';
  head.push(`X-Forwarded-For: ${from}`);
  const slow = connect(Number(port), hostname);
  slow.write([...head, type, `Cookie: ${cookie}`, 'Content-Length: 99', '', '--x'].join('\r\n'));
  return slow;
}

test('slow uploads of a network do not delay others, and give way to others there', async () => {
  const slow = Array.from({ length: 10 }, () => sendSlowly());
  await Bun.sleep(50);
  expect((await preview('{}')).status).toBe(200);
  const tokens = hiddenFields((await bob.get(path)).html);
  const file = new File(['{}'], 'mine.ndjson');
  expect((await send(bob, path, tokens, file)).status).toBe(303);
  const there = await send(bob, path, tokens, file, { 'X-Forwarded-For': slowNetwork });
  expect(there.status).toBe(303);
  for (const socket of slow) socket.destroy();
});

test('slow uploads of an account in several networks delay only that account', async () => {
  const networks = [1, 2, 3, 4].map((index) => `198.51.100.${index}`);
  const slow = networks.flatMap((from) => [sendSlowly(from), sendSlowly(from)]);
  const elsewhere = { 'X-Forwarded-For': '203.0.113.1' };
  const own = hiddenFields((await ann.get(path)).html);
  const file = new File(['{}'], 'mine.ndjson');
  await until(async () => (await send(ann, path, own, file, elsewhere)).status === 429);
  const tokens = hiddenFields((await bob.get(path)).html);
  expect((await send(bob, path, tokens, file, elsewhere)).status).toBe(303);
  for (const socket of slow) socket.destroy();
});

test('slow uploads of as many accounts and networks as there are slots give way', async () => {
  const slow: Socket[] = [];
  for (let index = 0; index < pools.uploads.all; index++) {
    const who = await site.signedIn(`slow${index}@example.com`);
    slow.push(sendSlowly(`198.51.100.${index}`, who));
  }
  const tokens = hiddenFields((await bob.get(path)).html);
  const file = new File(['{}'], 'mine.ndjson');
  const elsewhere = { 'X-Forwarded-For': '203.0.113.1' };
  const ended = Promise.race(slow.map((each) => new Promise((done) => each.once('data', done))));
  expect((await send(bob, path, tokens, file, elsewhere)).status).toBe(303);
  expect(String(await ended)).toContain('took too long to arrive');
  for (const socket of slow) socket.destroy();
});

test('a sale before the purchase of its lot is imported, and the preview asks to check it', async () => {
  const early = { lot: 'early', sale_date: '2019-05-05', set_number: '100' };
  const file = asText([
    lot('early', 1, { purchase_date: '2019-05-06' }),
    ledgerSale('too early', 1, early),
  ]);
  const { html } = await preview(file);
  expect(textOf(html)).toContain(
    'These rows are imported as they are. Row Warning ' +
      'line 2 The lot was bought on May 6, 2019, after this sale.',
  );
  const address = await upload(file);
  await answer(address, { do: 'import' });
  expect(textOf((await ann.get(address)).html)).toContain('Added 2 Changed 0');
});

test('reading ends when the client disconnects', async () => {
  const file = join(tmpdir(), `brickmark-${crypto.randomUUID()}.ndjson`);
  writeFileSync(file, asText(lines));
  const { store } = site.world;
  const settings = { brickfolio: null, missingPrice: 'msrp', missingDate: 'unknown' } as const;
  const owner = { accountId: 1, email: 'ann@example.com' };
  const work = { path: file, owner, settings, store, clock: () => 0 };
  const gone = { ...work, isRehearsal: false, signal: AbortSignal.abort() };
  const before = await state();
  await expect(importOwn(gone, store.accounts)).rejects.toThrow('too long to import');
  expect(await state()).toBe(before);
  // A started write is completed.
  const many = Array.from({ length: 3_000 }, (_, at) => lot(`m${at}`, 1));
  writeFileSync(file, asText(many));
  const leaving = new AbortController();
  let written = 0;
  const change: ChangeAccount = async (_, { rows }) => {
    leaving.abort();
    written += rows.length;
    const outcomes = rows.map(() => ({ kind: 'added' }) as const);
    return { outcomes, editId: null, wasApplied: false };
  };
  const left = { ...gone, signal: leaving.signal, clock: () => site.world.now };
  await importOwn(left, { change });
  expect(written).toBe(3_000);
  rmSync(file);
});

test('there were no failures', () => {
  expect(site.world.failures).toEqual([]);
});
