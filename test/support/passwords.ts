/** Accounts with password hashes that are cheap to verify. */
import type { Account } from '../../src/domain/account/account.ts';
import type { Plan } from '../../src/domain/account/quota.ts';
import type { AccountStore } from '../../src/store/store.ts';
import { anAccount } from './builders.ts';

export const password = 'a long enough password';

/** A hash includes its cost parameters, so verifying it is as cheap as creating it. */
export const passwordHash: string = Bun.password.hashSync(password, {
  algorithm: 'argon2id',
  memoryCost: 8,
  timeCost: 1,
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
