/** Forms that take effect only once. */
import type { OwnerAction } from '../../accounts/own-lots.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnSentRequest, SentRequest } from '../page.ts';

/** Buttons that save the same, and lead to different pages. */
const goingOn = ['next', 'another'];

/**
 * The ID of a form with its content: the same form with other contents is another one. Files are
 * not part of it.
 */
function formIdOf({ form }: SentRequest): string {
  const content = form.entered.filter(([name]) => !goingOn.includes(name));
  return Buffer.from(Bun.SHA256.hash(JSON.stringify(content)) as Uint8Array).toString('base64url');
}

/** A change of the lots, sales or purchases of the user, which is applied once. */
export function actionOf(
  { accounts }: Pick<WebDeps, 'accounts'>,
  sent: OwnSentRequest,
): OwnerAction {
  return { accounts, accountId: sent.who.accountId, at: sent.at, formId: formIdOf(sent) };
}

/** Remembers a form that changes something else; false if it was sent before. */
export function isFirstSent(
  { accounts }: Pick<WebDeps, 'accounts'>,
  sent: OwnSentRequest,
): Promise<boolean> {
  // Not the ID by which the form itself may change rows.
  return accounts.claimForm(sent.who.accountId, `claim ${formIdOf(sent)}`, sent.at);
}
