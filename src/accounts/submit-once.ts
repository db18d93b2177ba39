/** Forms that must not be carried out twice, however often they are sent. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { dayMs } from '../domain/kernel/time.ts';

/** Whether this showing of a form is sent for the first time; from then on it is not. */
export function isFirstSubmission(
  accounts: Pick<AccountStore, 'countTry'>,
  sent: { readonly accountId: number; readonly once: string; readonly at: number },
): Promise<boolean> {
  const hash = Bun.SHA256.hash(`once:${sent.accountId}:${sent.once}`) as Uint8Array;
  const throttle = { key: Buffer.from(hash).toString('base64url'), max: 1 };
  return accounts.countTry([throttle], { at: sent.at, ms: dayMs });
}
