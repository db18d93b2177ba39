/** Compressed responses: negotiation of the coding, and the concurrency limit. */
import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { chooseCoding, compress } from './content-coding.ts';

test.each([
  [null, null],
  ['', null],
  ['identity', null],
  ['br, deflate', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['zstd', 'zstd'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip;q=0.9, zstd;q=0.8', 'gzip'],
  ['gzip;q=0.8 , zstd; q=0.9', 'zstd'],
  ['gzip;q=0', null],
  ['gzip;q=0, zstd', 'zstd'],
  ['zstd;q=0, gzip', 'gzip'],
  ['zstd;q=0, gzip;q=0.000', null],
  // For any coding, the one that every client can read.
  ['*', 'gzip'],
  ['*;q=0', null],
  ['gzip, *;q=0', 'gzip'],
  ['*, gzip;q=0', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  // No acceptable coding is left, so the response is uncompressed.
  ['identity;q=0', null],
  ['identity;q=0, *;q=0', null],
  ['gzip;q=nonsense', null],
  ['gzip;level=9', 'gzip'],
  [',,;;=,', null],
] as const)('Accept-Encoding %j results in %p', (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

const body = '{"data":"Größe 10 €, '.repeat(1_000);

test('a compressed body decompresses to the same text', async () => {
  const zstd = (await compress(body, 'zstd')) ?? new Uint8Array();
  const gzip = (await compress(body, 'gzip')) ?? new Uint8Array();
  expect(Bun.zstdDecompressSync(zstd).toString()).toBe(body);
  expect(Buffer.from(Bun.gunzipSync(gzip)).toString()).toBe(body);
  expect(Math.max(zstd.length, gzip.length)).toBeLessThan(body.length / 10);
});

test('beyond 32 at a time, responses are sent uncompressed, and later ones compressed again', async () => {
  const made = await Promise.all(Array.from({ length: 40 }, () => compress(body, 'gzip')));
  expect(made.map((bytes) => bytes !== null)).toEqual(made.map((_, index) => index < 32));
  expect(await compress(body, 'gzip')).not.toBeNull();
});

test('the level is the one that was measured', async () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => ({ set: (i * i) % 10_007, value: i % 97 }));
  const text = JSON.stringify(rows);
  const sizeAt = (level: number) => gzipSync(text, { level }).length;
  expect((await compress(text, 'gzip'))?.length).toBe(sizeAt(5));
  expect([sizeAt(4), sizeAt(6)]).not.toContain(sizeAt(5));
});
