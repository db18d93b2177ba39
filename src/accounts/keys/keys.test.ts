/** API keys: their format, their checksum, and when they are active. */
import { expect, test } from 'bun:test';
import {
  isActiveKey,
  type KeyDates,
  keyDisplayPrefix,
  keyRandomBytes,
  makeKey,
  parseKey,
} from './keys.ts';

const noon = Date.UTC(2026, 10, 15, 12);
const midnight = Date.UTC(2026, 10, 16);
const hex48 = '0123456789abcdef'.repeat(3);

const active: KeyDates = { createdAt: Date.UTC(2026, 0, 1), expiresAt: null, revokedAt: null };
test('a key is the prefix, 40 hexadecimal characters of random bytes, and 8 of a checksum', () => {
  const bytes = Uint8Array.from({ length: keyRandomBytes }, (_, index) => index * 11);
  const key = makeKey(bytes);
  expect(key).toMatch(/^bmk_[0-9a-f]{48}$/);
  expect(Buffer.from(key.slice(4, 44), 'hex')).toEqual(Buffer.from(bytes));
  expect(parseKey(key)).toBe(key);
});

test('the last 8 characters are the CRC-32 of the others, as shown in the docs', async () => {
  const start = 'bmk_0123456789abcdef0123456789abcdef01234567';
  const key = makeKey(Uint8Array.fromHex(start.slice(4)));
  expect(String(key)).toBe(`${start}2d14d38a`);
  for (const page of ['docs/api.md', 'docs/decisions/keys.md']) {
    expect([page, (await Bun.file(page).text()).includes(`\`${key}\``)]).toEqual([page, true]);
  }
});

test('a checksum keeps its leading zeros, and is not required by `parseKey`', () => {
  const keys = Array.from({ length: 300 }, (_, n) => makeKey(new Uint8Array(20).fill(n % 256)));
  expect(keys.every((key) => key.length === 52)).toBe(true);
  expect(parseKey(`bmk_${hex48}`)).not.toBeNull();
});

test('the first 8 characters are shown', () => {
  expect(keyDisplayPrefix(makeKey(new Uint8Array(keyRandomBytes).fill(0xab)))).toBe('bmk_abab');
});

test('a test key has the same form and a mark, which other keys do not have', () => {
  const bytes = Uint8Array.from({ length: keyRandomBytes }, (_, index) => index * 11);
  const key = makeKey(bytes, true);
  expect(key).toStartWith('bmk_7e57');
  expect(key.slice(8, 44)).toBe(makeKey(bytes).slice(8, 44));
  expect(parseKey(key)).toBe(key);
  expect(keyDisplayPrefix(key, true)).toBe(key.slice(0, 12));
  const alike = Uint8Array.from(bytes, (byte, index) => [0x7e, 0x57][index] ?? byte);
  expect(makeKey(alike)).toStartWith('bmk_0057');
});

test.each([
  ['upper-case digits', `bmk_${hex48.toUpperCase()}`],
  ['an upper-case prefix', `BMK_${hex48}`],
  ['another prefix', `sk_${hex48}`],
  ['no prefix', hex48],
  ['a digit too few', `bmk_${hex48.slice(1)}`],
  ['a digit too many', `bmk_${hex48}0`],
  ['a letter past f', `bmk_g${hex48.slice(1)}`],
  ['a line break at the end', `bmk_${hex48}\n`],
  ['space before it', ` bmk_${hex48}`],
  ['nothing', ''],
])('a text with %s is not a key', (_, text) => {
  expect(parseKey(text)).toBeNull();
});

test('a key is active until the instant at which it expires', () => {
  const key = { ...active, expiresAt: noon };
  expect(isActiveKey(key, noon - 1)).toBe(true);
  expect(isActiveKey(key, noon)).toBe(false);
  expect(isActiveKey(active, noon)).toBe(true);
});

test('a revoked key is not active, even before it would have expired', () => {
  expect(isActiveKey({ ...active, expiresAt: midnight, revokedAt: noon }, noon)).toBe(false);
});
