/** The email about a sign-in, or a new password by link, on a new device. */
import { mayNotifyNewDevice } from '../../accounts/sign-in/attempt-limits.work.ts';
import { usMomentText } from '../kit/format.ts';
import type { PageRequest, WebDeps } from '../page.ts';
import { agentName } from './agent.ts';

/** Sends it in the background, if the address of the account is confirmed. */
export function tellNewDevice(
  deps: WebDeps,
  request: PageRequest,
  account: { readonly accountId: number },
): void {
  const send = () => sendNotice(deps, request, account.accountId);
  setTimeout(() => send().catch((error) => deps.onFailure('mail', error)), 0);
}

async function sendNotice(
  { accounts, sendMail }: WebDeps,
  { at, agent, network, baseUrl }: PageRequest,
  accountId: number,
): Promise<void> {
  if (!sendMail) return;
  const to = await accounts.findConfirmedEmail(accountId);
  if (to === null || !(await mayNotifyNewDevice(accounts, { accountId, at }))) return;
  const text = [
    'Someone signed in to your Brickmark account on a new device, or set its password there with a',
    'link:',
    '',
    `${agentName(agent)}, from ${network}, ${usMomentText(at)}`,
    '',
    'If this was you, there is nothing to do. If not, change your password, which signs out all',
    `other devices: ${baseUrl}/account`,
  ].join('\n');
  await sendMail({ to, subject: 'New sign-in to your Brickmark account', text, at });
}
