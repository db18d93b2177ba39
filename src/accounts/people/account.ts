/** Accounts. */
import { dayMs } from '../../kernel/time.ts';
import type { Plan } from '../keys/quota.ts';
import type { Role } from './role.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  /** Null: no access to the operator pages. */
  readonly role: Role | null;
  readonly createdAt: number;
  readonly activeKeys: number;
}

export const firstBrickfolio = 'My collection';

/** An account that was closed, and is kept for some days in case that was a mistake. */
export interface ClosedAccount extends Account {
  readonly closedAt: number;
}

export const closedDays = 7;
export const closedMs: number = closedDays * dayMs;

/** `passwordHash` is null if sign-in is not possible yet. */
export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  /** Whether it gets the role of an admin. */
  readonly isOperator: boolean;
  readonly passwordHash: string | null;
  readonly at: number;
}
