/** Forms that must take effect once, however often they are submitted. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { dayMs } from '../domain/kernel/time.ts';
import { tryKey } from './tries.ts';

/** Whether this form is submitted for the first time; from then on it is not. */
export function isFirstSubmission(
  accounts: Pick<AccountStore, 'countTry'>,
  sent: { readonly accountId: number; readonly formId: string; readonly at: number },
): Promise<boolean> {
  const throttle = { key: tryKey('once', `${sent.accountId}:${sent.formId}`), max: 1 };
  return accounts.countTry([throttle], { at: sent.at, ms: dayMs });
}
