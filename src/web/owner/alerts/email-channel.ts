/**
 * The email channel sends to the address of the account. Signing up does not prove who owns the
 * address, so nothing is sent until it is confirmed with a link.
 */

import { mayAskToConfirm } from '../../../accounts/sign-in/attempt-limits.work.ts';
import { hashToken, newToken } from '../../../accounts/sign-in/sign-in.work.ts';
import { confirmLinkDays, confirmToken } from '../../../alerts/channels/confirm-link.ts';
import type { OwnSentRequest, WebDeps } from '../../page.ts';

export const checkInbox = 'Check your inbox: confirm your email address to get alerts there.';

export function confirmPath(channelId: number | '{id}', token: string): string {
  return `/alerts/confirm/${channelId}/${token}`;
}

/** The ID of the email channel. If there is none, creates it and sends a confirmation link. */
export async function ensureEmailChannel(deps: WebDeps, sent: OwnSentRequest) {
  const found = await findEmailChannel(deps, sent);
  if (found) return [found.id];
  const made = await makeEmailChannel(deps, sent);
  if (!made) return [];
  await sendConfirmLink(deps, sent, made.id);
  return [made.id];
}

export async function findEmailChannel({ accounts }: WebDeps, { who }: OwnSentRequest) {
  const channels = await accounts.listDeliveryChannels(who.accountId);
  return channels.find(({ kind }) => kind === 'email') ?? null;
}

/** Creates the email channel, unless another request just did. Sends no link. */
export async function makeEmailChannel(deps: WebDeps, sent: OwnSentRequest) {
  const confirmHash = hashToken(newToken(deps));
  const email = { kind: 'email', name: 'Email', confirmHash, at: sent.at } as const;
  await deps.accounts.addDeliveryChannel(sent.who.accountId, email);
  return findEmailChannel(deps, sent);
}

/** Sends a confirmation link; earlier links stop working. */
export async function sendConfirmLink(
  deps: WebDeps,
  { who: { accountId, email }, at, baseUrl }: OwnSentRequest,
  channelId: number,
): Promise<'sent' | 'too often' | 'missing'> {
  const { accounts, sendMail } = deps;
  if (!sendMail) return 'missing';
  if (!(await mayAskToConfirm(accounts, { accountId, email, at }))) return 'too often';
  const token = confirmToken(newToken(deps), at);
  if (!(await accounts.replaceConfirmLink(accountId, channelId, hashToken(token)))) {
    return 'missing';
  }
  const text = [
    'Confirm this address to get your Brickmark alerts here:',
    '',
    `${baseUrl}${confirmPath(channelId, token)}`,
    '',
    `The link works for ${confirmLinkDays} days. You won’t get any alerts until you confirm.`,
    'If you didn’t ask for this, ignore this email.',
  ].join('\n');
  const mail = { to: email, subject: 'Confirm your email address', text, at };
  // The request does not wait for the mail server.
  setTimeout(() => sendMail(mail).catch((error) => deps.onFailure('mail', error)), 0);
  return 'sent';
}
