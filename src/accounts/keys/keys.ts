/** API keys: format, hash and usage. */
import { crc32 } from 'node:zlib';
import { dayMs } from '../../kernel/time.ts';
import type { KeyUsage } from './key-places.ts';

/** The plain-text key. Never stored, logged or put in an error. */
export type PlainKey = string & { readonly plainKey: unique symbol };

/** SHA-256 of a key, as stored. */
export type KeyHash = Uint8Array & { readonly keyHash: unique symbol };

/** Random bytes of a key: 40 hexadecimal characters; 8 more are their checksum. */
export const keyRandomBytes = 20;

/** The calls per day that operators can give a key. */
export const allowances = { min: 1, max: 1_000_000_000 } as const;

const keyPrefix = 'bmk_';
const keyForm = /^bmk_[0-9a-f]{48}$/;
const displayLength = 8;

/** The first bytes of test keys, so that people recognize them: `bmk_7e57`. */
const testMark = [0x7e, 0x57] as const;

/** A new key from random bytes. Test keys have the same form, and a mark that others do not. */
export function makeKey(random: Uint8Array, isTest = false): PlainKey {
  const [first = 0, second = 0, ...rest] = random;
  const isMarked = first === testMark[0] && second === testMark[1];
  const start = isTest ? testMark : [isMarked ? 0 : first, second];
  const hex = Buffer.from([...start, ...rest]).toString('hex');
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

export function parseKey(text: string): PlainKey | null {
  return keyForm.test(text) ? (text as PlainKey) : null;
}

/** The first characters, by which owners recognize their keys; test keys all start alike. */
export function keyDisplayPrefix(key: PlainKey, isTest = false): string {
  return key.slice(0, displayLength + (isTest ? 2 * testMark.length : 0));
}

export interface KeyDates {
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export function isActiveKey(key: KeyDates, at: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);
}

/** The scopes and networks of a key. */
export interface KeyAccess {
  /** As bits. */
  readonly scopes: number;
  /** The only networks that it may be used from, separated by spaces; null: everywhere. */
  readonly networks: string | null;
}

export interface ApiKey extends KeyAccess, KeyDates {
  readonly id: number;
  readonly name: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly allowance: number;
  /** Whether an operator limited it: its owner cannot change its access, or let it end later. */
  readonly isLimited: boolean;
  /** Whether it gets fixed data at no cost. */
  readonly isTest: boolean;
  /** The earlier secret of a rolled key; null if it was never rolled. */
  readonly old: OldSecret | null;
  readonly usedToday: number;
  /** The usage of its place today, including earlier keys; the allowance applies to this. */
  readonly countedToday: number;
  readonly lastUsedAt: number | null;
}

/** How long the earlier secret of a rolled key works. */
export const oldSecretMs: number = dayMs;

export interface OldSecret {
  readonly prefix: string;
  /** When it ends. */
  readonly until: number;
  readonly lastUsedAt: number | null;
}

/** A new secret of a key. */
export interface RolledKey extends Pick<NewKey, 'hash' | 'prefix' | 'expiresAt' | 'at'> {
  readonly keyId: number;
  /** The prefix of the secret to replace, as the caller last saw it. */
  readonly seen: string;
}

/** A key that expires soon, and the confirmed address of its owner. */
export interface EndingKey extends Pick<ApiKey, 'id' | 'prefix'> {
  readonly expiresAt: number;
  readonly email: string;
}

export interface NewKey {
  readonly email: string;
  readonly name: string;
  readonly hash: KeyHash;
  readonly prefix: string;
  readonly allowance: number;
  /** As bits; all by default. */
  readonly scopes?: number;
  /** As stored; everywhere by default. */
  readonly networks?: string | null;
  readonly isTest?: boolean;
  /** Whether an operator limits it. */
  readonly isLimited?: boolean;
  readonly expiresAt: number | null;
  readonly at: number;
}

export interface AccountUsage {
  /** Oldest day first. */
  readonly days: readonly KeyUsage[];
  /** Total calls of older days. */
  readonly earlier: number;
}
