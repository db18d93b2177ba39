/** Forms that take effect only once. */
import { isFirstSubmission } from '../../accounts/attempt-limits.ts';
import { webSourceId } from '../../accounts/own-lots.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnSentRequest } from '../page.ts';

/** False if the same form was sent before with the same contents; others are another form. */
export function isFirstSent(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who: { accountId }, form, at }: OwnSentRequest,
): Promise<boolean> {
  const formId = webSourceId(form.text('once'), form.entered);
  return isFirstSubmission(accounts, { accountId, formId, at });
}
