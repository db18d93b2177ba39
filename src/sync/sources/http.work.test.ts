/** The connector for any URL against a simulated file server. */
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { simulateHttp } from '../../../simulator/sources/http.ts';
import type { StoredFile } from '../../../simulator/sources/stored-file.ts';
import { readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { readAt, readOptions } from '../../../test/support/read-options.ts';
import { clientOf } from '../../../test/support/source-client.ts';
import { plannerOf } from '../../../test/support/source-market.ts';
import { storedZip } from '../../../test/support/zip.ts';
import { offersCsv } from '../../ingest/market/offers-csv.work.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { hourMs, minuteMs } from '../../kernel/time.ts';
import { Secret } from '../secret.ts';
import { readSyncSettings } from '../settings.work.ts';
import { connectHttp, type HttpSettings } from './http.work.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-http-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mapping = join(folder, 'b.mapping.json');
const columns = { set: 'Set', price: 'Price', date: 'Day' };
const described = (seller: string) =>
  JSON.stringify({ columns, constants: { retailer: 'retailer_b', currency: 'USD', seller } });
writeFileSync(mapping, described('retailer'));

const token = 'Bearer t0ken-0f-the-shop';
const prices = 'Set,Price,Day\n10482,99.99,2026-11-14\n';

function file(content: string | Uint8Array): StoredFile {
  return { bytes: Uint8Array.from(Buffer.from(content)), type: 'text/csv', at: readAt };
}

function setUp(given: Partial<HttpSettings> = {}) {
  const world = { file: file(prices) };
  const secret = new Secret(token);
  const settings: HttpSettings = {
    name: 'retailer-b',
    url: new URL('https://shop.example.com/lists/prices.csv'),
    format: 'offers-csv',
    mapping,
    everyMs: 6 * hourMs,
    headers: { Accept: 'text/csv', Authorization: secret },
    hasSecret: true,
    ...given,
  };
  const findFile = (path: string) => (path.startsWith('/lists/') ? world.file : null);
  const server = simulateHttp({ findFile, headers: { Authorization: token, Accept: 'text/csv' } });
  const client = clientOf(server, [secret]);
  const connector = connectHttp(settings);
  const ask = async (cursor: JsonValue, by = connector) => {
    const request = {
      source: 'retailer-b',
      cursor,
      at: readAt,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const [call] = (await by.plan(request)).calls;
    if (call === undefined) throw new Error('Nothing is planned.');
    return call.ask(client);
  };
  return { world, settings, client, connector, ask };
}

describe('a file', () => {
  test('comes with its format and mapping, and can be imported', async () => {
    const { files } = await setUp().ask(null);
    expect(files.map(({ name, format, mapping: by }) => [name, format, by])).toEqual([
      ['retailer-b.csv', 'offers-csv', mapping],
    ]);
    const read = { 'retailer-b.csv': Buffer.from(files[0]?.bytes ?? []) };
    const options = readOptions({ settings: { mapping } });
    const items = await readFiles(offersCsv, read, { options });
    expect([items.length, rejectsOf(items)]).toEqual([1, []]);
  });

  test('that is unchanged is not sent again; a changed one is', async () => {
    const { ask, world, client } = setUp();
    const { cursor = null } = await ask(null);
    expect(await ask(cursor)).toEqual({ files: [] });
    world.file = file(prices.replace('99.99', '89.99'));
    expect((await ask(cursor)).files).toHaveLength(1);
    expect(client.asked.map((line) => line.split(' ')[1])).toEqual(['200', '304', '200']);
    // Price lists may be large.
    const limits = { bytesMax: 256 * 1024 * 1024, timeoutMs: 5 * minuteMs };
    expect(client.sent[0]).toMatchObject(limits);
    expect(cursor).toMatchObject({ meaning: expect.stringMatching(/^[\da-f]{16}$/) });
  });

  test('is fetched again if format or mapping change', async () => {
    const { ask, settings } = setUp();
    const { cursor = null } = await ask(null);
    const other = connectHttp({ ...settings, format: 'feed', mapping: null });
    expect((await ask(cursor, other)).files).toHaveLength(1);
    const elsewhere = new URL('https://shop.example.com/lists/prices2.csv');
    expect((await ask(cursor, connectHttp({ ...settings, url: elsewhere }))).files).toHaveLength(1);
    writeFileSync(mapping, described('third_party'));
    expect((await ask(cursor)).files).toHaveLength(1);
    writeFileSync(mapping, described('retailer'));
    expect((await ask(cursor)).files).toEqual([]);
  });

  test('is requested at its interval', async () => {
    const request = {
      source: 'retailer-b',
      cursor: null,
      at: readAt,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const { calls, nextAt } = await setUp().connector.plan(request);
    expect(nextAt).toBe(readAt + 6 * hourMs);
    expect(calls.map(({ subject, reason, cost }) => [subject, reason, cost])).toEqual([
      ['shop.example.com', 'nothing has been fetched yet', 1],
    ]);
    const later = await setUp().connector.plan({ ...request, cursor: {} });
    expect(later.calls.map(({ reason }) => reason)).toEqual(['it may have changed']);
  });

  const ends: [string, string | Uint8Array, string][] = [
    ['prices.TSV', 'a\tb\n', 'retailer-b.tsv'],
    ['feed.ndjson', '{"kind":"set"}\n', 'retailer-b.ndjson'],
    ['feed.ndjson.gz', gzipSync('{}'), 'retailer-b.ndjson.gz'],
    // The server declared it as a content encoding, so it arrives decompressed.
    ['prices.csv.gz', 'a,b\n', 'retailer-b.csv'],
    ['export', gzipSync('a,b\n'), 'retailer-b.csv.gz'],
    ['export', storedZip('a.csv', 'a,b\n'), 'retailer-b.zip'],
    ['export', '\ufeff [{"a":1}]', 'retailer-b.json'],
    ['export', '<?xml version="1.0"?>', 'retailer-b.xml'],
    ['export.php', 'a,b\n', 'retailer-b.csv'],
    // Only one byte of a signature.
    ['export', Uint8Array.of(0x1f, 0x31), 'retailer-b.csv'],
    ['export', Uint8Array.of(0x31, 0x8b), 'retailer-b.csv'],
    ['export', 'Part,b\n', 'retailer-b.csv'],
    ['export', 'aK,b\n', 'retailer-b.csv'],
    ['export', `${' '.repeat(63)}{}`, 'retailer-b.json'],
    ['export', `${' '.repeat(64)}{}`, 'retailer-b.csv'],
  ];
  for (const [path, content, name] of ends) {
    test(`at ${path} that is ${JSON.stringify(String(content).slice(0, 8))} is ${name}`, async () => {
      const { ask, world } = setUp({ url: new URL(`https://shop.example.com/lists/${path}`) });
      world.file = file(content);
      expect((await ask(null)).files.map((each) => each.name)).toEqual([name]);
    });
  }
});

describe('an address', () => {
  test('that requires another key or is missing stops the source without revealing the key', async () => {
    const secret = new Secret('Bearer an0ther-t0ken');
    const refused = await setUp({ headers: { Accept: 'text/csv', Authorization: secret } })
      .ask(null)
      .catch(({ kind, message }) => `${kind}: ${message}`);
    expect(refused).toBe(
      'stopped: https://shop.example.com/lists/prices.csv rejected the key. ' +
        'Check that it is correct and has not expired (401).',
    );
    const url = new URL('https://shop.example.com/gone.csv');
    expect(
      await setUp({ url })
        .ask(null)
        .catch(({ kind }) => kind),
    ).toBe('later');
  });

  test('without a secret has its error quoted', async () => {
    const asked = setUp({ headers: {}, hasSecret: false }).ask(null);
    expect(await asked.catch(({ message }) => message)).toEndWith('It says: Who are you?');
  });

  test('with a key in it is not stored', async () => {
    const url = new URL('https://shop.example.com/lists/s3cr3t/prices.csv?k=s3cr3t');
    const { ask, connector } = setUp({ url });
    const { files, cursor } = await ask(null);
    const request = {
      source: 'retailer-b',
      cursor: null,
      at: readAt,
      limit: 50,
      planner: plannerOf([]),
      left: null,
    };
    const plan = await connector.plan(request);
    const shown = JSON.stringify([files.map(({ name }) => name), cursor, plan]);
    expect(shown).not.toContain('s3cr3t');
    expect(JSON.stringify(cursor)).not.toContain(token);
  });

  test('can be checked', async () => {
    const { connector, client } = setUp();
    expect(await connector.check(client)).toBe(
      'Connected to shop.example.com. The file has 37 bytes.',
    );
  });

  test('has the step of its format', () => {
    const formats = ['ecb', 'brickset', 'bricklink-inventories', 'feed'] as const;
    const tables = formats.map(
      (format) =>
        `[[http]]\nname = "a-${format}"\nurl = "https://a.example.com/"\nformat = "${format}"\n`,
    );
    const { sources } = readSyncSettings({
      text: tables.join(''),
      path: '',
      readVariable: () => null,
    });
    expect(sources.map(({ step }) => step)).toEqual(['rates', 'catalog', 'catalog', 'market']);
  });
});
