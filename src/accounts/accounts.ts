/** Making accounts and passwords; shared by everything that people use. */
import type { Account } from '../domain/account/account-registry.ts';
import type { AccountStore } from '../domain/account/account-store.ts';
import type { Plan } from '../domain/account/quota.ts';

/** Argon2id with 19 MiB and two passes, as recommended for sign-in on a server. */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of a password, to be stored. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, argon2id);
}

/** Adds an account; null when the e-mail has one already. The input is checked before. */
export async function addAccount(
  store: AccountStore,
  account: {
    readonly email: string;
    readonly plan: Plan;
    readonly isOperator: boolean;
    readonly password: string | null;
    readonly at: number;
  },
): Promise<Account | null> {
  const { password, ...rest } = account;
  const passwordHash = password === null ? null : await hashPassword(password);
  return store.addAccount({ ...rest, passwordHash });
}
