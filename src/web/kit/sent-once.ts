/** Forms that take effect once, however often they are sent. */
import { isFirstSubmission } from '../../accounts/form-submission.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnSentRequest } from '../page.ts';

/** Whether a form is sent for the first time; from then on it is not. */
export function isFirstSent(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who: { accountId }, form, at }: OwnSentRequest,
): Promise<boolean> {
  return isFirstSubmission(accounts, { accountId, formId: form.text('once'), at });
}
