/**
 * What the private side of a store does: accounts, keys, usage, collections, sales. Each method is
 * one whole operation with its transaction inside; an expected outcome is always a value.
 */
import type { HoldingStore } from './holding-store.ts';
import type { KeyHash } from './keys.ts';
import type { BrickfolioFacts, LedgerSaleFacts, LotFacts } from './lots.ts';
import type { RowOutcome } from './market-store.ts';
import type { AdmissionRequest, AdmittedGroup, Plan } from './quota.ts';

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
  readonly usedToday: number;
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

/** A private row on its way into the store; sets are known to exist. */
export type PrivateRow = { readonly email: string } & (
  | { readonly kind: 'brickfolio'; readonly facts: BrickfolioFacts }
  | { readonly kind: 'holding'; readonly facts: LotFacts }
  | { readonly kind: 'ledger_sale'; readonly facts: LedgerSaleFacts }
);

/** The private side of a store. */
export interface AccountStore extends HoldingStore {
  /**
   * Decides a group of requests in one transaction, each on its own: who the key belongs to, and
   * whether its cost is granted. What is granted is committed. A store that many machines share
   * goes by its own clock, so that they agree on the day; it is as far ahead of the real time as
   * `at` is.
   */
  admitGroup(requests: readonly AdmissionRequest[], at: number): Promise<AdmittedGroup>;

  /** Null when the e-mail has an account already. */
  addAccount(account: NewAccount): Promise<Account | null>;
  listAccounts(at: number): Promise<Account[]>;
  findAccount(email: string, at: number): Promise<Account | null>;
  /** False when there is no such account; so too the two below. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  setPassword(email: string, passwordHash: string): Promise<boolean>;
  /** Removes the account with all that belongs to it. */
  removeAccount(email: string): Promise<boolean>;

  /** The new key's id, or why there is none. */
  addKey(
    key: NewKey,
  ): Promise<{ readonly id: number } | 'no account' | 'too many active' | 'too many today'>;
  /** Null when there is no such account. */
  listKeys(email: string, at: number): Promise<ApiKey[] | null>;
  /** False when there is no such key; so too the one below. */
  setAllowance(keyId: number, allowance: number): Promise<boolean>;
  /** Revoking again changes nothing. */
  revokeKey(keyId: number, at: number): Promise<boolean>;

  /** Applies private rows in order, in one transaction; one outcome per row. */
  applyRows(rows: readonly PrivateRow[], at: number): Promise<RowOutcome[]>;
  close(): Promise<void>;
}
