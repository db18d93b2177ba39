/** Decryption requires the same key, account, purpose and bytes. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Encrypted } from './encryption.ts';
import { makeEncrypter } from './encryption.ts';

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const key = randomBytes(32);
const encrypter = makeEncrypter(key, randomBytes);
const what = { accountId: 7, purpose: 'address' } as const;
const text = 'https://example.com/hook?token=🧱';

test('any text is decrypted unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (given) => {
      expect(encrypter.decrypt(encrypter.encrypt(given, what), what)).toBe(given);
    }),
  );
});

test('the text is not readable, and encrypting it twice gives different bytes', () => {
  const encrypted = encrypter.encrypt(text, what);
  expect(Buffer.from(encrypted).toString('latin1')).not.toContain('example.com');
  expect(encrypter.encrypt(text, what)).not.toEqual(encrypted);
});

test('decryption fails for another account, purpose or key', () => {
  const encrypted = encrypter.encrypt(text, what);
  expect(encrypter.decrypt(encrypted, { ...what, accountId: 8 })).toBeNull();
  expect(encrypter.decrypt(encrypted, { ...what, purpose: 'secret' })).toBeNull();
  expect(makeEncrypter(randomBytes(32), randomBytes).decrypt(encrypted, what)).toBeNull();
  expect(makeEncrypter(key, randomBytes).decrypt(encrypted, what)).toBe(text);
});

test('decryption fails if a byte is added, removed or changed', () => {
  const encrypted = encrypter.encrypt(text, what);
  for (let place = 0; place < encrypted.length; place++) {
    const changed = encrypted.slice() as Encrypted;
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(encrypter.decrypt(changed, what)).toBeNull();
    expect(encrypter.decrypt(encrypted.slice(0, place) as Encrypted, what)).toBeNull();
  }
  expect(encrypter.decrypt(new Uint8Array([...encrypted, 0]) as Encrypted, what)).toBeNull();
});

test('the layout of stored bytes never changes', () => {
  const fixed = makeEncrypter(new Uint8Array(32).fill(7), (count) => new Uint8Array(count).fill(9));
  // Version, mark of the key, nonce, tag, text.
  const stored = [
    '01',
    'f4e9f09d',
    '09'.repeat(12),
    'f15bbcafb1186948ed22772e776ee4f7',
    '45f7edf7d5',
  ].join('');
  expect(Buffer.from(fixed.encrypt('brick', what)).toString('hex')).toBe(stored);
});
