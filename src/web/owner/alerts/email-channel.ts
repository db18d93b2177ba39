/**
 * Email as a channel: it goes to the account's own address. Signing up does not prove that the
 * address is one's own, so nothing is sent there until a link that was sent to it is followed.
 */
import { hashToken, newToken } from '../../../accounts/sign-in.ts';
import { mayAskToConfirm } from '../../../accounts/tries.ts';
import type { Channel } from '../../../domain/delivery/channel.ts';
import type { WebDeps } from '../../deps.ts';
import type { OwnSentRequest } from '../../page.ts';

/** Said to whoever has to confirm an address. */
export const checkInbox = 'Check your inbox: confirm your email address to get alerts there.';

/** Where an address is confirmed. */
export function confirmPath(channelId: number | '{id}', token: string): string {
  return `/alerts/confirm/${channelId}/${token}`;
}

/**
 * The id of an account's email channel; none without account. If there is none, it is made, and the
 * link that confirms the address is sent.
 */
export async function ensureEmailChannel(
  deps: WebDeps,
  sent: OwnSentRequest,
): Promise<readonly number[]> {
  const found = await findEmailChannel(deps, sent);
  if (found) return [found.id];
  const made = await makeEmailChannel(deps, sent);
  if (!made) return [];
  await sendConfirmLink(deps, sent, made.id);
  return [made.id];
}

/** The email channel of whoever asks; null when there is none yet. */
export async function findEmailChannel(
  { accounts }: WebDeps,
  { who }: OwnSentRequest,
): Promise<Channel | null> {
  const channels = await accounts.listChannels(who.accountId);
  return channels.find(({ kind }) => kind === 'email') ?? null;
}

/** Makes the email channel, unless another window was quicker. Its link is still to be sent. */
export async function makeEmailChannel(
  deps: WebDeps,
  sent: OwnSentRequest,
): Promise<Channel | null> {
  await deps.accounts.addChannel(sent.who.accountId, {
    kind: 'email',
    name: 'Email',
    address: null,
    secret: null,
    confirmHash: hashToken(newToken(deps)),
    subscription: null,
    position: null,
    at: sent.at,
  });
  return findEmailChannel(deps, sent);
}

/** Sends a link that confirms the address; those that were sent before are no good any more. */
export async function sendConfirmLink(
  deps: WebDeps,
  { who: { accountId, email }, at, baseUrl }: OwnSentRequest,
  channelId: number,
): Promise<'sent' | 'too often' | 'missing'> {
  const { accounts, sendMail } = deps;
  if (!sendMail) return 'missing';
  if (!(await mayAskToConfirm(accounts, { accountId, email, at }))) return 'too often';
  const token = newToken(deps);
  if (!(await accounts.replaceConfirmLink(accountId, channelId, hashToken(token)))) {
    return 'missing';
  }
  const text = [
    'Confirm this address to get your Brickmark alerts here:',
    '',
    `${baseUrl}${confirmPath(channelId, token)}`,
    '',
    'You won’t get any alerts until you confirm. If you didn’t ask for this, ignore this email.',
  ].join('\n');
  const mail = { to: email, subject: 'Confirm your email address', text, at };
  // Nobody waits for the mail server.
  setTimeout(() => sendMail(mail).catch((error) => deps.onMailFailure?.(error)), 0);
  return 'sent';
}
