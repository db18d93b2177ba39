/** Accounts. */
import type { Plan } from './quota.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly createdAt: number;
  readonly activeKeys: number;
}

/** `passwordHash` is null if sign-in is not possible yet. */
export interface NewAccount {
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly passwordHash: string | null;
  readonly at: number;
}
