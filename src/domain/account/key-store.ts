/** What the private side of a store knows of keys, and of what they spent. */
import type { KeyUsage } from './key-places.ts';
import type { KeyHash } from './keys.ts';

/** A key as its owner sees it afterwards. */
export interface ApiKey {
  readonly id: number;
  readonly name: string;
  /** The first characters of the key. */
  readonly prefix: string;
  readonly allowance: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** What this key spent today. */
  readonly usedToday: number;
  /** What was spent today in its place, by it and by keys before it: its allowance goes by that. */
  readonly countedToday: number;
  readonly lastUsedAt: number | null;
}

/** A key to be. */
export interface NewKey {
  readonly email: string;
  readonly name: string;
  readonly hash: KeyHash;
  readonly prefix: string;
  readonly allowance: number;
  readonly expiresAt: number | null;
  readonly at: number;
}

/** What an account spent. */
export interface AccountUsage {
  /** Oldest day first. */
  readonly days: readonly KeyUsage[];
  /** The calls of all days that are no longer kept one by one. */
  readonly earlier: number;
}

/** Keys and their usage. */
export interface KeyStore {
  /** The new key's id, or why there is none. */
  addKey(key: NewKey): Promise<{ readonly id: number } | 'no account' | 'too many active'>;
  /** Null when there is no such account. */
  listKeys(email: string, at: number): Promise<ApiKey[] | null>;
  /** What an account's keys spent from a day on, also those that are revoked. */
  findUsage(accountId: number, fromDay: number): Promise<AccountUsage>;
  /** False when there is no such key; so too the one below. */
  setAllowance(keyId: number, allowance: number): Promise<boolean>;
  /** Revoking again changes nothing. */
  revokeKey(keyId: number, at: number): Promise<boolean>;
}
