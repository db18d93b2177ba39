/**
 * What the private side of a store does: accounts, keys, usage, collections, sales. Each method is
 * one whole operation with its transaction inside; an expected outcome is always a value.
 */

import type { RowOutcome } from '../market/market-store.ts';
import type { HoldingEdits } from '../portfolio/holding-edits.ts';
import type { HoldingStore } from '../portfolio/holding-store.ts';
import type { LotTies } from '../portfolio/lot-ties.ts';
import type { BrickfolioFacts, LedgerSaleFacts, LotFacts } from '../portfolio/lots.ts';
import type { KeyUsage } from './key-places.ts';
import type { KeyHash } from './keys.ts';
import type { AdmissionRequest, AdmittedGroup, Plan } from './quota.ts';
import type { SessionStore } from './session-store.ts';

/** An account as an operator sees it. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly createdAt: number;
  readonly activeKeys: number;
}

/** An account to be. The password is already hashed; null: signing in is not possible yet. */
export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly passwordHash: string | null;
  readonly at: number;
}

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

/** What an account spent. */
export interface AccountUsage {
  /** Oldest day first. */
  readonly days: readonly KeyUsage[];
  /** The calls of all days that are no longer kept one by one. */
  readonly earlier: number;
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

/** A private row on its way into the store; sets are known to exist. */
export type PrivateRow = { readonly email: string } & (
  | { readonly kind: 'brickfolio'; readonly facts: BrickfolioFacts }
  | {
      readonly kind: 'holding';
      readonly facts: LotFacts;
      /** As whoever changes the lot has seen it: if it is another by now, it stays as it is. */
      readonly seen?: LotFacts;
    }
  | { readonly kind: 'ledger_sale'; readonly facts: LedgerSaleFacts }
);

/** The private side of a store. */
export interface AccountStore extends HoldingStore, HoldingEdits, LotTies, SessionStore {
  /**
   * Decides a group of requests in one transaction, each on its own: who the key belongs to, and
   * whether its cost is granted. What is granted is committed. A store that many machines share
   * goes by its own clock, so that they agree on the day; it is as far ahead of the real time as
   * `at` is.
   */
  admitGroup(requests: readonly AdmissionRequest[], at: number): Promise<AdmittedGroup>;

  /** How long that takes at the most until it fails; 0 where it is done before it returns. */
  readonly admissionMsMax: number;
  /**
   * Writes and commits something small in the way that usage is written. Throws when that cannot be
   * done: the disk is full, the store may only be read, its files are gone. What cannot be counted
   * must not be answered, so whoever cannot do this is not ready.
   */
  checkCountable(at: number): Promise<void>;

  /** Null when the e-mail has an account already. */
  addAccount(account: NewAccount): Promise<Account | null>;
  listAccounts(at: number): Promise<Account[]>;
  findAccount(email: string, at: number): Promise<Account | null>;
  /** False when there is no such account; so too the one below. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  /** Removes the account with all that belongs to it. */
  removeAccount(email: string): Promise<boolean>;

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

  /**
   * Removes sessions, links and tries that have ended, and makes one sum of days of usage that are
   * older than a year: so many rows of each at most. How many it found; 0: nothing is left.
   */
  sweep(at: number, limit: number): Promise<number>;

  /** Applies private rows in order, in one transaction; one outcome per row. */
  applyRows(rows: readonly PrivateRow[], at: number): Promise<RowOutcome[]>;
  close(): Promise<void>;
}
