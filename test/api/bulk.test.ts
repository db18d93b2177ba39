/**
 * Bulk files: a client that loads the files and follows the changes has exactly what is published.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../src/api/server.ts';
import type { History } from '../../src/contract/history.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import type { BulkFiles } from '../../src/contract/plus/bulk.ts';
import type { RetailHistory } from '../../src/contract/plus/retail-history.ts';
import { dayMs, formatInstant, hourMs } from '../../src/kernel/time.ts';
import { type BulkType, bulkFileTypes, bulkFormats } from '../../src/market/published/bulk.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import { BulkMaker } from '../../src/publish/bulk/bulk-maker.work.ts';
import { anImport, anOffer, aSale, aSet } from '../support/builders.ts';
import { openTestStore } from '../support/engines.ts';
import { smallMarket } from '../support/market.ts';
import { plainEngine } from '../support/plain-engine.ts';
import { serverSettings } from '../support/server-settings.ts';
import { onTables } from '../support/tables.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
/** The folders of the store and of servers restarted on it. */
let home: string;
const folders: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  home = world.folder;
  await world.load(smallMarket);
  await world.addAccount('bulk@example.com');
  key = await world.addKey('bulk@example.com', { allowance: 100_000 });
});
afterAll(async () => {
  await world.close();
  for (const folder of [home, ...folders]) rmSync(folder, { recursive: true, force: true });
});

type Copy = Map<string, string>;

/** Calls with the key and returns `data`. */
async function ask<T>(path: string): Promise<T> {
  const response = await world.call(`${plusPrefix}${path}`, key);
  const body = (await response.json()) as { data: T; error?: object };
  if (response.status !== 200) throw new Error(JSON.stringify(body.error));
  return body.data;
}

interface Changes {
  readonly changes: readonly { type: BulkType; number: string; document: object | null }[];
  readonly next: string;
  readonly has_more: boolean;
}

/** Loads all files; returns their contents and the position they end at. */
async function load(): Promise<{ copy: Copy; position: string }> {
  const { files } = await ask<BulkFiles>('/bulk');
  expect(files.map(({ type }) => type)).toEqual([...bulkFileTypes]);
  const copy: Copy = new Map();
  for (const { type, url, bytes, sha256 } of files) {
    if (type === 'retail_changes') continue;
    const response = await world.call(url, key);
    const body = new Uint8Array(await response.arrayBuffer());
    expect([body.length, createHash('sha256').update(body).digest('hex')]).toEqual([bytes, sha256]);
    const lines = new TextDecoder().decode(Bun.gunzipSync(body)).split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) copy.set(nameOf(type, JSON.parse(line)), line);
  }
  return { copy, position: files[0]?.position ?? '' };
}

type Numbered = { set_number: string } | { minifig_number: string } | { setNumber: string };

function nameOf(type: BulkType, document: Numbered): string {
  const [number] = Object.values(document);
  return `${type} ${number}`;
}

/** Follows the changes to their end in pages of `limit`; returns the last position. */
async function follow(copy: Copy, from: string, limit: number): Promise<string> {
  for (let after = from; ; ) {
    const page = await ask<Changes>(`/bulk/changes?after=${after}&limit=${limit}`);
    expect(page.changes.length).toBeLessThanOrEqual(limit);
    for (const { type, number, document } of page.changes) {
      if (document === null) copy.delete(`${type} ${number}`);
      else copy.set(nameOf(type, document as Numbered), JSON.stringify(document));
      if (document) expect(nameOf(type, document as Numbered)).toBe(`${type} ${number}`);
    }
    after = page.next;
    if (!page.has_more) return after;
  }
}

async function published(): Promise<Copy> {
  const { market } = world.store;
  const all: Copy = new Map();
  const add = async (type: BulkType, path: string) => {
    const response = await world.call(path, key);
    const { data } = (await response.json()) as { data: Numbered | null };
    if (data) all.set(nameOf(type, data), JSON.stringify(data));
  };
  for (const number of await market.listKeys('minifig'))
    await add('minifigs', `/minifig/${number}`);
  for (const number of await market.listKeys('set')) {
    await add('sets', `/set/${number}`);
    await add('retail', `/set/${number}/retail-prices`);
    const [sealed, used] = await Promise.all(
      (['sealed', 'used'] as const).map(async (condition) => {
        const response = await world.call(`/set/${number}/history?condition=${condition}`, key);
        return ((await response.json()) as { data: History }).data;
      }),
    );
    const months = { set_number: sealed?.set_number, sealed: sealed?.history, used: used?.history };
    const hasAny = [sealed, used].some((each) => each?.history.length);
    if (hasAny) all.set(`months ${months.set_number}`, JSON.stringify(months));
  }
  return all;
}

const sorted = (copy: Copy) => [...copy].sort(([a], [b]) => (a < b ? -1 : 1));

async function expectSame(copy: Copy): Promise<void> {
  expect(sorted(copy)).toEqual(sorted(await published()));
}

const set = (number: string, facts: FeedLine = {}): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: `Set ${number}`,
  theme: 'Castle',
  release_date: '2025-01-01',
  ...facts,
});
const offer = (number: string, price: number): FeedLine => ({
  kind: 'offer',
  retailer: 'retailer_b',
  set_number: number,
  observed_at: formatInstant(world.now),
  price,
  seller_type: 'retailer',
  in_stock: true,
});
const sale = (number: string, price: number): FeedLine => ({
  kind: 'sale',
  source: 'shop',
  source_id: `${number}-${price}`,
  item_type: 'set',
  item: number,
  condition: 'used',
  price,
  currency: 'USD',
  sold_at: formatInstant(world.now - 70 * dayMs),
});

/** Imports rows as an undoable import and publishes them; returns its ID. */
async function importUndoable(rows: readonly MarketRow[]): Promise<number> {
  const { market } = world.store;
  const at = world.now;
  const id = await market.logImport(anImport({ startedAt: at, endedAt: at }));
  await market.applyRows(rows, at, id);
  await world.publisher.publishStale();
  return id;
}

/** Restarts the server on the same store. */
async function restart(): Promise<void> {
  const { now } = world;
  await world.stop();
  world = await startWorld(formatInstant(now), plainEngine, () => openTestStore(home));
  folders.push(world.folder);
}

test('a copy that follows the changes is exactly what is published', async () => {
  // x1 is merged into another minifig later, while files are being created.
  await world.load([{ kind: 'minifig', minifig_number: 'x1', name: 'Guard' }, set('900')]);
  const interrupted = new BulkMaker(world.store.market, () => world.now);
  for (let steps = 0; steps < 4; steps++) await interrupted.step();
  await restart();
  expect(await ask<BulkFiles>('/bulk')).toEqual({ files: [] });
  const maker = new BulkMaker(world.store.market, () => world.now);
  await maker.step();
  await world.load([set('901'), offer('901', 20), sale('901', 30)]);
  for (let steps = 0; steps < 4; steps++) await maker.step();
  await world.load([
    { kind: 'minifig', minifig_number: 'x2', name: 'Guard', aliases: ['x1'] },
    offer('900', 50),
  ]);
  while (await maker.step());
  const { copy, position } = await load();
  expect(copy.has('minifigs x1')).toBe(true);
  let after = position;
  const step = async (limit: number) => {
    after = await follow(copy, after, limit);
    await expectSame(copy);
    world.now += hourMs;
  };
  await step(1000);
  expect([copy.has('minifigs x1'), copy.has('minifigs x2')]).toEqual([false, true]);
  const { changes } = await ask<Changes>(`/bulk/changes?after=${position}&types=minifigs`);
  const merged = { type: 'minifigs', number: 'x1', document: null, replaced_by: 'x2' };
  expect(changes).toEqual([merged, expect.objectContaining({ number: 'x2', replaced_by: null })]);
  await world.load([offer('900', 45), sale('900', 40), set('902', { release_date: undefined })]);
  await step(1);
  const sold = aSale({ itemKey: '902', soldAt: world.now - 70 * dayMs });
  const id = await importUndoable([
    { kind: 'offer', offer: anOffer({ setKey: '902', observedAt: world.now }) },
    { kind: 'sale', sale: sold },
    { kind: 'set', source: 'feed', facts: aSet({ number: '903' }) },
    { kind: 'sale', sale: { ...sold, sourceId: '903', itemKey: '903' } },
    { kind: 'sale', sale: { ...sold, sourceId: '901', itemKey: '901', condition: 'sealed' } },
  ]);
  await step(3);
  const undone = ['retail 902', 'months 902', 'sets 903', 'months 903'];
  expect(undone.filter((name) => !copy.has(name))).toEqual([]);
  await restart();
  expect(await world.store.market.undoImport(id, world.now)).toMatchObject({ itemsRemoved: 1 });
  await world.publisher.publishStale();
  await step(1);
  expect(undone.filter((name) => copy.has(name))).toEqual([]);
  await world.publisher.publishAll();
  await step(1000);
});

test('months and retail prices that are republished unchanged are not listed as changes', async () => {
  const { next } = await ask<Changes>('/bulk/changes');
  await world.publisher.publishAll();
  const types = async (query: string) => {
    const { changes } = await ask<Changes>(`/bulk/changes?after=${next}${query}`);
    return [...new Set(changes.map(({ type }) => type))].sort();
  };
  expect(await types('')).toEqual(['minifigs', 'sets']);
  expect(await types('&types=retail,minifigs')).toEqual(['minifigs']);
});

test('files are created daily, and the previous ones stay available for another day', async () => {
  const { market } = world.store;
  const [first] = (await ask<BulkFiles>('/bulk')).files;
  await world.makeBulkFiles();
  expect((await ask<BulkFiles>('/bulk')).files[0]).toEqual(first as never);
  const status = async () => (await world.call(first?.url ?? '', key)).status;
  for (const expected of [200, 404]) {
    world.now += dayMs;
    await world.load([set('900', { title: `Renamed ${expected}` })]);
    await world.makeBulkFiles();
    const { files } = await ask<BulkFiles>('/bulk');
    expect(files[0]?.position).not.toBe(first?.position);
    await world.makeBulkFiles();
    expect(await status()).toBe(expected);
  }
  const kept = 2 * bulkFileTypes.length * bulkFormats.length;
  expect(await market.listBulkFiles()).toHaveLength(kept);
  const chunks = 'SELECT 1 AS one FROM bulk_chunk';
  expect(await onTables(home, chunks)).toHaveLength(kept);
});

test('files are available even after the system has deleted its temporary files', async () => {
  const { files } = await ask<BulkFiles>('/bulk');
  const load = () => world.call(files[0]?.url ?? '', key).then((response) => response.bytes());
  const before = await load();
  const own = readdirSync(tmpdir()).filter((name) =>
    name.startsWith(`brickmark-bulk-${process.pid}-`),
  );
  expect(own).not.toEqual([]);
  for (const name of own) rmSync(join(tmpdir(), name), { recursive: true });
  expect(await load()).toEqual(before);
});

test('the file of retail changes is the history of every set', async () => {
  for (const price of [50, 40, 45]) {
    world.now += hourMs;
    await world.load([offer('900', price)]);
  }
  world.now += dayMs;
  await world.makeBulkFiles();
  const { files } = await ask<BulkFiles>('/bulk');
  const { url = '' } = files.find(({ type }) => type === 'retail_changes') ?? {};
  const body = Bun.gunzipSync(await (await world.call(url, key)).bytes());
  const lines = new TextDecoder().decode(body).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    const { set_number, changes } = JSON.parse(line);
    const history = await ask<RetailHistory>(`/set/${set_number}/retail-history?limit=250`);
    const all = history.retailers.flatMap(({ retailer, changes: own }) =>
      own.map((change) => ({ retailer, ...change })),
    );
    const place = (change: { at: string; retailer: string }) => change.at + change.retailer;
    expect(changes).toEqual(all.sort((a, b) => (place(a) < place(b) ? -1 : 1)));
  }
  const own = JSON.parse(lines.find((line) => line.includes('"set_number":"900"')) ?? '');
  expect(own.changes.at(-1)).toMatchObject({ retailer: 'retailer_b', price_usd: 45 });
});

test('a file that the caller has costs one call, also if no more are left', async () => {
  const small = await world.addKey('bulk@example.com', { allowance: 5 });
  const { url = '' } = (await ask<BulkFiles>('/bulk')).files[0] ?? {};
  const get = async (tag: string | null) => {
    const response = await world.call(url, small, tag ? { headers: { 'If-None-Match': tag } } : {});
    const { status, headers } = response;
    return { status, left: headers.get('x-ratelimit-remaining'), tag: headers.get('etag') };
  };
  const { tag } = await get(null);
  expect(await get(tag)).toEqual({ status: 304, left: '1', tag });
  expect(await get('"another"')).toMatchObject({ status: 429, left: '1' });
  expect(await get(`"another", ${tag}`)).toEqual({ status: 304, left: '0', tag });
  expect(await get(tag)).toMatchObject({ status: 429 });
});

test('a part after the end costs one call, also if no more are left', async () => {
  const small = await world.addKey('bulk@example.com', { allowance: 4 });
  const { url = '', bytes = 0 } = (await ask<BulkFiles>('/bulk')).files[0] ?? {};
  const get = async (Range: string, init: RequestInit = {}) => {
    const response = await world.call(url, small, { headers: { Range }, ...init });
    const { status, headers } = response;
    await response.bytes();
    return [status, headers.get('x-ratelimit-cost'), headers.get('content-range')];
  };
  expect(await get(`bytes=${bytes}-`)).toEqual([416, '1', `bytes */${bytes}`]);
  expect(await get(`bytes=${bytes - 1}-`)).toEqual([
    206,
    '3',
    `bytes ${bytes - 1}-${bytes - 1}/${bytes}`,
  ]);
  expect(await get(`bytes=${bytes}-`)).toEqual([429, '0', null]);
});

test('a byte range of a file can be requested, and a damaged file is not served', async () => {
  const { files } = await ask<BulkFiles>('/bulk');
  const whole = await (await world.call(files[0]?.url ?? '', key)).bytes();
  const part = await world.call(files[0]?.url ?? '', key, { headers: { Range: 'bytes=5-14' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 5-14/${whole.length}`,
  ]);
  expect(part.headers.get('access-control-expose-headers')).toContain('Content-Range');
  expect(await part.bytes()).toEqual(whole.slice(5, 15));
  await onTables(home, 'DELETE FROM bulk_chunk');
  const gone = await world.call(files[1]?.url ?? '', key);
  expect(gone.status).toBe(404);
});

test('a store restored twice lists only files with positions that can be followed', async () => {
  expect((await ask<BulkFiles>('/bulk')).files).not.toEqual([]);
  // As recorded by restores: all files are from between the first backup and the second restore.
  const note = (name: string, value: number) =>
    onTables(home, `INSERT INTO meta VALUES ('${name}', ${value})`);
  await note('restored_from', 1);
  await world.load([set('900', { title: 'Restored' })]);
  const [latest] = await onTables<{ value: number }>(
    home,
    "SELECT value FROM meta WHERE name = 'publish_stamp'",
  );
  await note('restored_to', Number(latest?.value));
  expect(await ask<BulkFiles>('/bulk')).toEqual({ files: [] });
  await world.makeBulkFiles();
  const { copy, position } = await load();
  await follow(copy, position, 1000);
  await expectSame(copy);
});

test.each([
  ['a position of events', '1794744000000000', 'not one of events'],
  ['a position from the future', '8999999999999999-0', 'GET /bulk lists'],
])('changes after %s are 400', async (_, after, message) => {
  const response = await world.call(`${plusPrefix}/bulk/changes?after=${after}`, key);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
});

test('changes go on after a document without a listing, which is left out', async () => {
  const { next: start } = await ask<Changes>('/bulk/changes');
  await world.publisher.publishAll();
  const { changes } = await ask<Changes>(`/bulk/changes?after=${start}&types=sets&limit=1000`);
  const numbers = changes.map(({ number }) => number);
  // The last one of a page, and one in between.
  const hidden = [numbers[0] ?? '', numbers[2] ?? ''];
  for (const number of hidden)
    await onTables(home, 'DELETE FROM listing WHERE number = ?', [number]);
  const found: string[] = [];
  for (let after = start, hasMore = true; hasMore; ) {
    const page = await ask<Changes>(`/bulk/changes?after=${after}&types=sets&limit=1`);
    found.push(...page.changes.map(({ number }) => number));
    hasMore = page.has_more;
    after = page.next;
  }
  expect(found).toEqual(numbers.filter((number) => !hidden.includes(number)));
  const whole = await ask<Changes>(`/bulk/changes?after=${start}&types=sets&limit=1000`);
  expect(whole).toMatchObject({ changes: { length: found.length }, has_more: false });
});

test("without the operator's setting, bulk files are refused at no cost", async () => {
  const server = startServer(world.store, {
    ...serverSettings(() => world.now, []),
    bulkCost: null,
  });
  for (const path of ['/bulk', '/bulk/files/sets', '/bulk/changes']) {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${server.url}${plusPrefix}${path}`, { headers });
    expect([response.status, await response.text()]).toEqual([
      404,
      '{"error":{"code":"NotFound","message":"Bulk files are not offered here."}}',
    ]);
  }
  await server.stop();
});
