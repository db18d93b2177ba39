/** API keys: whose they are, how they look, and what of them is kept. */
import { crc32 } from 'node:zlib';

/** The key as its owner holds it. Never stored, logged or put in an error. */
export type PlainKey = string & { readonly plainKey: unique symbol };

/** SHA-256 of a key: what the store holds. */
export type KeyHash = Uint8Array & { readonly keyHash: unique symbol };

/** How many random bytes a key carries: 40 hexadecimal characters; 8 more are their checksum. */
export const keyRandomBytes = 20;

const keyPrefix = 'bmk_';
const keyForm = /^bmk_[0-9a-f]{48}$/;
const displayLength = 8;

/** A new key from random bytes. */
export function makeKey(random: Uint8Array): PlainKey {
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const text = `${keyPrefix}${hex}`;
  return `${text}${keyChecksum(text)}` as PlainKey;
}

/**
 * The last characters of a key: CRC-32 of those before it. Clients and scanners can tell a key from
 * a typo or a look-alike by it; the server looks the key up instead.
 */
function keyChecksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The text as a key, or null when it cannot be one. */
export function parseKey(text: string): PlainKey | null {
  return keyForm.test(text) ? (text as PlainKey) : null;
}

/** The first characters, kept so that people can tell their keys apart. */
export function keyDisplayPrefix(key: PlainKey): string {
  return key.slice(0, displayLength);
}

/** What the rules about new keys look at. */
export interface KeyDates {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** Whether a key can be used at an instant. */
export function isActiveKey(key: KeyDates, at: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);
}
