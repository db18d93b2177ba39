/** Compressed answers: for whom, how, and how many at a time. */
import { expect, test } from 'bun:test';
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
  // Any coding is one that everybody can read.
  ['*', 'gzip'],
  ['*;q=0', null],
  ['gzip, *;q=0', 'gzip'],
  ['*, gzip;q=0', null],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip', 'gzip'],
  // Nothing else is left that we could write, so that it leaves as it is.
  ['identity;q=0', null],
  ['identity;q=0, *;q=0', null],
  ['gzip;q=nonsense', null],
  ['gzip;level=9', 'gzip'],
  [',,;;=,', null],
] as const)('whoever accepts %j is sent %p', (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

const body = '{"data":"Größe 10 €, '.repeat(1_000);

test('what is compressed is the same text again', async () => {
  const zstd = (await compress(body, 'zstd')) ?? new Uint8Array();
  const gzip = (await compress(body, 'gzip')) ?? new Uint8Array();
  expect(Bun.zstdDecompressSync(zstd).toString()).toBe(body);
  expect(Buffer.from(Bun.gunzipSync(gzip)).toString()).toBe(body);
  expect(Math.max(zstd.length, gzip.length)).toBeLessThan(body.length / 10);
});

test('beyond 32 at a time an answer leaves as it is, and later ones are compressed again', async () => {
  const made = await Promise.all(Array.from({ length: 40 }, () => compress(body, 'gzip')));
  expect(made.map((bytes) => bytes !== null)).toEqual(made.map((_, index) => index < 32));
  expect(await compress(body, 'gzip')).not.toBeNull();
});
