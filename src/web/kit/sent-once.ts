/** Forms that take effect only once. */
import { isFirstSubmission } from '../../accounts/attempt-limits.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnSentRequest } from '../page.ts';

export function isFirstSent(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who: { accountId }, form, at }: OwnSentRequest,
): Promise<boolean> {
  return isFirstSubmission(accounts, { accountId, formId: form.text('once'), at });
}
