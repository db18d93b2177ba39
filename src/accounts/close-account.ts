/** Closing an account: by its owner, an operator or a command. */
import type { AuditActor } from '../domain/account/audit.ts';
import type { AccountStore } from '../store/store.ts';

/**
 * Ends all access at once. The account can be restored for some days, and is erased then. Returns
 * its ID; null if there is no such account.
 */
export async function closeAccount(
  accounts: Pick<AccountStore, 'closeAccount' | 'recordAudit'>,
  { email, by, at }: { readonly email: string; readonly by: AuditActor; readonly at: number },
): Promise<number | 'only admin' | null> {
  const accountId = await accounts.closeAccount(email, at);
  if (typeof accountId !== 'number') return accountId;
  await accounts.recordAudit({ at, by, action: 'account.closed', accountId });
  return accountId;
}
