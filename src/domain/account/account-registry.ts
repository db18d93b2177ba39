/** What the private side of a store knows of accounts themselves. */
import type { Plan } from './quota.ts';

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

/** Who has an account. */
export interface AccountRegistry {
  /** Null when the e-mail has an account already. */
  addAccount(account: NewAccount): Promise<Account | null>;
  listAccounts(at: number): Promise<Account[]>;
  findAccount(email: string, at: number): Promise<Account | null>;
  /** False when there is no such account; so too the one below. */
  setPlan(email: string, plan: Plan): Promise<boolean>;
  /** Removes the account with all that belongs to it. */
  removeAccount(email: string): Promise<boolean>;
  /**
   * Removes sessions, links and tries that have ended and notifications that are old, and makes one
   * sum of days of usage that are older than a year: so many rows of each at most. How many it
   * found; 0: nothing is left.
   */
  sweep(at: number, limit: number): Promise<number>;
}
