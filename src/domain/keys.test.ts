/** API keys: their form, when one is active, and how many an account may have and make. */
import { expect, test } from 'bun:test';
import { activeKeysMax, newKeysPerDayMax } from '../contract/limits.ts';
import {
  isActiveKey,
  type KeyDates,
  keyDisplayPrefix,
  keyRandomBytes,
  makeKey,
  newKeyRefusal,
  parseKey,
} from './keys.ts';

const noon = Date.UTC(2026, 10, 15, 12);
const midnight = Date.UTC(2026, 10, 16);
const hex48 = '0123456789abcdef'.repeat(3);

const active: KeyDates = { createdAt: Date.UTC(2026, 0, 1), expiresAt: null, revokedAt: null };
const madeToday: KeyDates = { createdAt: noon - 1000, expiresAt: null, revokedAt: noon - 500 };

function many(count: number, key: KeyDates): KeyDates[] {
  return Array.from({ length: count }, () => key);
}

function refusal(keys: readonly KeyDates[], at = noon) {
  return newKeyRefusal(keys, { at, active: activeKeysMax, perDay: newKeysPerDayMax });
}

test('a key is the prefix and 48 lower-case hexadecimal characters of its random bytes', () => {
  const bytes = Uint8Array.from({ length: keyRandomBytes }, (_, index) => index * 11);
  const key = makeKey(bytes);
  expect(key).toMatch(/^bmk_[0-9a-f]{48}$/);
  expect(Buffer.from(key.slice(4), 'hex')).toEqual(Buffer.from(bytes));
  expect(parseKey(key)).toBe(key);
});

test('the first 8 characters are kept for display', () => {
  expect(keyDisplayPrefix(makeKey(new Uint8Array(keyRandomBytes).fill(0xab)))).toBe('bmk_abab');
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

test('a revoked key is not active, even before the end that it had', () => {
  expect(isActiveKey({ ...active, expiresAt: midnight, revokedAt: noon }, noon)).toBe(false);
});

test('an account may have five active keys and not a sixth', () => {
  expect(refusal(many(4, active))).toBeNull();
  expect(refusal(many(5, active))).toBe('too many active');
});

test('revoked and expired keys make room for new ones', () => {
  const gone = [
    { ...active, revokedAt: noon - 1 },
    { ...active, expiresAt: noon },
  ];
  expect(refusal([...many(4, active), ...gone])).toBeNull();
});

test('an account may make ten keys in a UTC day, also when they are revoked at once', () => {
  expect(refusal(many(9, madeToday))).toBeNull();
  expect(refusal(many(10, madeToday))).toBe('too many today');
});

test('after midnight UTC new keys are possible again', () => {
  expect(refusal(many(10, madeToday), midnight - 1)).toBe('too many today');
  expect(refusal(many(10, madeToday), midnight)).toBeNull();
});
