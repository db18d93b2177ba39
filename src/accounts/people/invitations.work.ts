/** Invitations: links that create one account each. */

import { dayMs } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import type { Plan } from '../keys/quota.ts';
import { hashToken, newToken, type SignInDeps } from '../sign-in/sign-in.work.ts';

export const invitationMs = 7 * dayMs;

/** For the first operator, whose link is in a log. */
export const firstOperatorMs = dayMs;

export function invitationPath(token: string): string {
  return `/invitations/${token}`;
}

/** The token of an invitation, which is stored only as a hash. */
export async function makeInvitation(
  deps: Pick<SignInDeps, 'randomBytes'> & {
    readonly accounts: Pick<AccountRoomStore, 'addInvitation'>;
  },
  { plan, at }: { readonly plan: Plan; readonly at: number },
): Promise<string> {
  const token = newToken(deps);
  const expiresAt = at + invitationMs;
  await deps.accounts.addInvitation({ plan, tokenHash: hashToken(token), at, expiresAt });
  return token;
}

/**
 * The token of an invitation that creates the first operator; null if there is one. It replaces
 * earlier ones, also those of other nodes.
 */
export async function inviteFirstOperator(deps: SignInDeps, at: number): Promise<string | null> {
  const token = newToken(deps);
  const tokenHash = hashToken(token);
  const invitation = { plan: 'reseller', tokenHash, at, expiresAt: at + firstOperatorMs } as const;
  return (await deps.accounts.inviteFirstOperator(invitation)) ? token : null;
}
