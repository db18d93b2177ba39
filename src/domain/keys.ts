/** API keys: whose they are, how they look, and what of them is kept. */
import { dayOf } from './time.ts';

/** The key as its owner holds it. Never stored, logged or put in an error. */
export type PlainKey = string & { readonly plainKey: unique symbol };

/** SHA-256 of a key: what the store holds. */
export type KeyHash = Uint8Array & { readonly keyHash: unique symbol };

/** How many random bytes a key carries: 48 hexadecimal characters. */
export const keyRandomBytes = 24;

const keyPrefix = 'bmk_';
const keyForm = /^bmk_[0-9a-f]{48}$/;
const displayLength = 8;

/** A new key from random bytes. */
export function makeKey(random: Uint8Array): PlainKey {
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${keyPrefix}${hex}` as PlainKey;
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

/** Why an account may not have another key now, or null when it may. */
export function newKeyRefusal(
  keys: readonly KeyDates[],
  limits: { readonly at: number; readonly active: number; readonly perDay: number },
): 'too many active' | 'too many today' | null {
  if (keys.filter((key) => isActiveKey(key, limits.at)).length >= limits.active) {
    return 'too many active';
  }
  const today = keys.filter((key) => dayOf(key.createdAt) === dayOf(limits.at));
  return today.length >= limits.perDay ? 'too many today' : null;
}
