/** Forms that must take effect once, however often they are submitted. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { dayMs } from '../domain/kernel/time.ts';

/** Whether this form is submitted for the first time; from then on it is not. */
export function isFirstSubmission(
  accounts: Pick<AccountStore, 'countTry'>,
  sent: { readonly accountId: number; readonly formId: string; readonly at: number },
): Promise<boolean> {
  const hash = Bun.SHA256.hash(`once:${sent.accountId}:${sent.formId}`) as Uint8Array;
  const throttle = { key: Buffer.from(hash).toString('base64url'), max: 1 };
  return accounts.countTry([throttle], { at: sent.at, ms: dayMs });
}
