/** Creates accounts and hashes passwords. */
import type { Account } from '../domain/account/account.ts';
import type { Plan } from '../domain/account/quota.ts';
import type { AccountStore } from '../store/store.ts';

/** Argon2id with 19 MiB and two passes, the OWASP recommendation. */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, argon2id);
}

/** Null: the email already has an account. The input is already validated. */
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
