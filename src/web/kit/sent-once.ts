/** Forms that take effect only once. */
import type { OwnerAction } from '../../portfolio/lots/own-lots.work.ts';
import type { AccountStore } from '../../store/store.ts';
import type { OwnSentRequest, SentRequest, WebDeps } from '../page.ts';

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

/** The methods of the store that a form can call once. */
export type FormAccounts = Parameters<Parameters<AccountStore['applyForm']>[1]>[0];

/** Changes something else once, with one method of the store. */
export function applyForm<T>(
  { accounts }: Pick<WebDeps, 'accounts'>,
  sent: OwnSentRequest,
  work: (accounts: FormAccounts) => Promise<T>,
): Promise<T | 'sent before'> {
  const form = { id: formIdOf(sent), accountId: sent.who.accountId, at: sent.at };
  return accounts.applyForm(form, work);
}

/** A form that was applied before, unless that was undone; null if it was not. */
export async function findApplied({ accounts }: Pick<WebDeps, 'accounts'>, sent: OwnSentRequest) {
  const found = await accounts.findSentForm(sent.who.accountId, { id: formIdOf(sent) });
  return found?.isOver ? null : found;
}
