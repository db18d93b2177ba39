/** Importing in the browser: a preview that writes nothing, then the import itself. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importOwn } from '../../src/ingest/own-import.ts';
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
import type { FeedLine } from '../support/world.ts';

let site: Site;
let ann: Visitor;
let bob: Visitor;
let person: Person;

beforeAll(async () => {
  ({ site, ann, bob, person } = await startOwnerSite());
});

afterAll(() => site.close());

const path = '/collections/import';
const confirm = `${path}/confirm`;

const send = (visitor: Visitor, action: string, fields: Fields, file?: File, more?: Fields) =>
  sendFile(site, { visitor, action, fields, file, headers: more });

const asText = (lines: readonly FeedLine[]) =>
  lines.map((line) => JSON.stringify({ account: 'ann@example.com', ...line })).join('\n');

/** Shows what a file would change. */
async function preview(content: string | Uint8Array, name = 'mine.ndjson', more: Fields = {}) {
  const fields = { ...hiddenFields((await ann.get(path)).html), missing_price: 'msrp', ...more };
  return send(ann, path, fields, new File([content as BlobPart], name));
}

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

test('a preview tells what would be added, changed and rejected, and writes nothing', async () => {
  const before = await state();
  const seen = await preview(asText(lines));
  expect(seen.status).toBe(200);
  const text = textOf(seen.html);
  expect(text).toContain('To be added 2 To be changed 2 Unchanged 1 Rejected 4');
  expect(text).toContain('3 sealed becomes 4 sealed');
  expect(text).toContain('New lot 101 Set 101 1 sealed');
  expect(text).toContain("mine.ndjson:5 there is no set '999'");
  expect(text.match(/the line is for another account than yours/g)).toHaveLength(2);
  expect(text).toContain('only collections, lots and sales can be imported here');
  expect(await state()).toBe(before);
});

test('what is confirmed is what was shown; confirmed twice it is the same', async () => {
  const form = readForm((await preview(asText(lines))).html, confirm);
  const done = await send(ann, confirm, form);
  expect(done.goTo).toBe(`${path}?added=2&updated=2&unchanged=1&rejected=4`);
  const after = await state();
  expect((await person.entries()).entries.map((each) => each.quantity)).toEqual([3, 2, 1]);
  expect((await person.sales()).sales).toHaveLength(1);
  const again = await send(ann, confirm, form);
  expect(again.goTo).toBe(`${path}?added=0&updated=0&unchanged=5&rejected=4`);
  expect(await state()).toBe(after);
  expect(textOf((await ann.get(done.goTo ?? '')).html)).toContain('2 added, 2 changed');
  expect(await site.world.store.market.findSetNumbers(['7'])).toEqual(new Map());
});

test('packed files are read, and broken ones are told of beside the field', async () => {
  const good = await preview(new Uint8Array(gzipSync(asText(lines))), 'mine.ndjson.gz');
  expect(textOf(good.html)).toContain('Unchanged 5');
  for (const [content, name, fault] of [
    [new Uint8Array(gzipSync(asText(lines))).slice(0, 60), 'mine.ndjson.gz', 'Is it complete?'],
    ['no archive', 'mine.zip', 'Is it complete?'],
    ['', 'mine.ndjson', 'Choose a file that has something in it.'],
    ['x'.repeat(4 * 1024 * 1024 + 1), 'mine.ndjson', 'larger than 4 MB'],
  ] as const) {
    const seen = await preview(content, name);
    expect([name, seen.status]).toEqual([name, 400]);
    expect(textOf(seen.html)).toContain(fault);
    expect(seen.html).not.toContain('/tmp/');
  }
  const many = await preview('{}\n'.repeat(20_001));
  expect(textOf(many.html)).toContain('more than 20000 rows');
});

test('names of files and values in them are shown, never run', async () => {
  const evil = [lot('<script>alert(1)</script>', 1, { set_number: '<b>7</b>' })];
  const seen = await preview(asText(evil), '../<img src=x>.ndjson');
  expect(seen.html).not.toContain('<b>7');
  expect(seen.html).not.toContain('<img');
  expect(textOf(seen.html)).toContain("there is no set '<b>7</b>'");
});

test('what is exported can be imported again, and then nothing changes', async () => {
  // One of the sales was typed into the form of a lot.
  const [lotPath = ''] = /\/lots\/\d+/.exec((await ann.get('/collections/1')).html) ?? [];
  const typed = { from: 'lot', platform: 'bricklink', gross: '50', quantity: '1' };
  const sold = await ann.submit(await ann.get(`${lotPath}/sale`), `${lotPath}/sale`, typed);
  expect(sold.goTo).toBe('/sales?recorded=1');
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
    // Reading text drops the mark that tables begin with.
    const content = format === 'csv' ? `\ufeff${file.html}` : file.html;
    const text = textOf((await preview(content, `mine.${format}`)).html);
    expect([kind, format, text]).toEqual([kind, format, expect.stringContaining('Rejected 0')]);
    expect(text).toContain('To be added 0 To be changed 0 Unchanged');
    expect(text).toContain('There is nothing to import.');
  }
  expect(JSON.parse((await ann.get('/export/sales/ghostfolio')).html)).toHaveProperty('activities');
  expect((await ann.get('/export/keys/csv')).status).toBe(404);
  expect((await bob.get('/export/collection/csv')).html.split('\n')).toHaveLength(2);
  expect((await site.visitor().get('/export/collection/csv')).goTo).toStartWith('/sign-in');
  expect(await state()).toBe(before);
});

test('every table that pages offer begins with the mark that Excel needs', async () => {
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

test('the collection of another service is read, with list prices where it has none', async () => {
  const rows = ['Number,Qty owned', '200,2', '999,1'];
  const seen = await preview(rows.join('\n'), 'owned.csv', { brickfolio: '1' });
  const text = textOf(seen.html);
  expect(text).toContain('To be added 1 To be changed 0 Unchanged 0 Rejected 1');
  expect(text).toContain('at $79.99 (a guess)');
  const done = await send(ann, confirm, readForm(seen.html, confirm));
  expect(done.goTo).toBe(`${path}?added=1&updated=0&unchanged=0&rejected=1`);
  expect(textOf((await ann.get('/collections/1')).html)).toContain('$79.99 estimated');
});

test("another account's collection cannot be chosen, nor its rows confirmed", async () => {
  const before = await state();
  const tokens = hiddenFields((await bob.get(path)).html);
  const file = new File([asText(lines)], 'mine.ndjson');
  const options = { ...tokens, missing_price: 'msrp' };
  const chosen = await send(bob, path, { ...options, brickfolio: '1' }, file);
  expect([chosen.status, textOf(chosen.html).includes('no such collection')]).toEqual([400, true]);
  const content = gzipSync(asText([lot('mine', 5)])).toString('base64');
  const sent = { ...options, content, file_name: 'x.ndjson' };
  const done = await send(bob, confirm, sent);
  expect(done.goTo).toBe(`${path}?added=0&updated=0&unchanged=0&rejected=1`);
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024)).toString('base64');
  for (const bad of ['nonsense', bomb, '']) {
    const lost = await send(bob, confirm, { ...sent, content: bad });
    expect([lost.status, textOf(lost.html).includes('choose it again')]).toEqual([400, true]);
  }
  expect(await state()).toBe(before);
});

const slowNetwork = '198.51.100.7';

/** Begins to send a file for Ann, and does not go on. */
function sendSlowly(): Socket {
  const { host, hostname, port } = new URL(site.url);
  const cookie = [...ann.cookies].map((pair) => pair.join('=')).join('; ');
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Origin: ${site.url}`];
  const type = 'Content-Type: multipart/form-data; boundary=x';
  head.push(`X-Forwarded-For: ${slowNetwork}`);
  const slow = connect(Number(port), hostname);
  slow.write([...head, type, `Cookie: ${cookie}`, 'Content-Length: 99', '', '--x'].join('\r\n'));
  return slow;
}

test('files that are slow to arrive keep nobody waiting but their own network', async () => {
  const slow = Array.from({ length: 10 }, sendSlowly);
  await Bun.sleep(50);
  expect((await preview('{}')).status).toBe(200);
  const tokens = { ...hiddenFields((await bob.get(path)).html), missing_price: 'msrp' };
  const file = new File(['{}'], 'mine.ndjson');
  expect((await send(bob, path, tokens, file)).status).toBe(200);
  const there = await send(bob, path, tokens, file, { 'X-Forwarded-For': slowNetwork });
  expect([there.status, there.html]).toEqual([429, expect.stringContaining('Too many files')]);
  for (const socket of slow) socket.destroy();
});

test('reading ends when nobody waits for it', async () => {
  const file = join(tmpdir(), `brickmark-${crypto.randomUUID()}.ndjson`);
  writeFileSync(file, asText(lines));
  const { store } = site.world;
  const settings = { brickfolio: null, missingPrice: 'msrp', missingDate: 'unknown' } as const;
  const work = { path: file, email: 'ann@example.com', settings, store, clock: () => 0 };
  const gone = { ...work, isRehearsal: false, signal: AbortSignal.abort() };
  const before = await state();
  await expect(importOwn(gone, store.accounts)).rejects.toThrow('too long to import');
  expect(await state()).toBe(before);
  rmSync(file);
});

test('nothing failed on the way', () => {
  expect(site.world.failures).toEqual([]);
});
