/** Accounts. */
import type { Plan } from './quota.ts';
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

/** `passwordHash` is null if sign-in is not possible yet. */
export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  /** Whether it gets the role of an admin. */
  readonly isOperator: boolean;
  readonly passwordHash: string | null;
  readonly at: number;
}
