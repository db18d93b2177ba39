/** Accounts for tests whose passwords take no time to check. */
import type { Account } from '../../src/domain/account/account-registry.ts';
import type { AccountStore } from '../../src/domain/account/account-store.ts';
import type { Plan } from '../../src/domain/account/quota.ts';
import { anAccount } from './builders.ts';

/** The password of every account that is made here. */
export const password = 'a long enough password';

/** A hash carries its own cost, so that checking it is as cheap as making it was. */
const passwordHash = Bun.password.hashSync(password, {
  algorithm: 'argon2id',
  memoryCost: 8,
  timeCost: 1,
});

/** Adds an account with that password; null when the e-mail has one already. */
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
