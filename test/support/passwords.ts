/** Passwords whose hashes are cheap to make and to verify. */

import type { Plan } from '../../src/accounts/keys/quota.ts';
import type { Account } from '../../src/accounts/people/account.ts';
import type { PasswordCost } from '../../src/accounts/sign-in/password-hash.ts';
import type { AccountStore } from '../../src/store/store.ts';
import { anAccount } from './builders.ts';

export const password = 'a long enough password';

/** The lowest that Argon2id allows. */
export const lowestCost: PasswordCost = { memoryCost: 8, timeCost: 1 };

/** How the hashes of production start. */
export const costlyHash = '$argon2id$v=19$m=19456,t=2,p=1$';

/** A hash includes its cost, so verifying it is as cheap as creating it. */
export const passwordHash: string = Bun.password.hashSync(password, {
  algorithm: 'argon2id',
  ...lowestCost,
});

/** Returns null if the email address is taken. */
export async function addAccountWithPassword(
  store: AccountStore,
  account: {
    readonly email: string;
    readonly plan: Plan;
    readonly isOperator: boolean;
    readonly at: number;
  },
): Promise<Account | null> {
  return store.addAccount(anAccount({ ...account, passwordHash }));
}
