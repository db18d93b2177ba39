/** API keys: format, hash and usage. */
import { crc32 } from 'node:zlib';
import type { KeyUsage } from './key-places.ts';

/** The plain-text key. Never stored, logged or put in an error. */
export type PlainKey = string & { readonly plainKey: unique symbol };

/** SHA-256 of a key, as stored. */
export type KeyHash = Uint8Array & { readonly keyHash: unique symbol };

/** Random bytes of a key: 40 hexadecimal characters; 8 more are their checksum. */
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
 * The checksum at the end of a key: CRC-32 of the characters before it, for clients and scanners.
 * The server looks the key up instead.
 */
function keyChecksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Null if the text cannot be a key. */
export function parseKey(text: string): PlainKey | null {
  return keyForm.test(text) ? (text as PlainKey) : null;
}

/** The first characters, by which owners recognize their keys. */
export function keyDisplayPrefix(key: PlainKey): string {
  return key.slice(0, displayLength);
}

export interface KeyDates {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export function isActiveKey(key: KeyDates, at: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);
}

export interface ApiKey {
  readonly id: number;
  readonly name: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly allowance: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The usage of this key today. */
  readonly usedToday: number;
  /** The usage of its place today, including earlier keys; the allowance applies to this. */
  readonly countedToday: number;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly email: string;
  readonly name: string;
  readonly hash: KeyHash;
  readonly prefix: string;
  readonly allowance: number;
  readonly expiresAt: number | null;
  readonly at: number;
}

export interface AccountUsage {
  /** Oldest day first. */
  readonly days: readonly KeyUsage[];
  /** Total calls of older days. */
  readonly earlier: number;
}
