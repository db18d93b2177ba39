/** Who can create an account, what visitors without one can see, and whom to ask. */

import type { SignInMethod } from '../sign-in/session.ts';

/** `invite`: only with an invitation. `closed`: only operators create accounts. */
export const signUpModes = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** The values of BRICKMARK_REQUIRE_SIGN_IN; with `none`, a password is enough. */
export const requirements = ['none', 'second-factor', 'oidc'] as const;
export type Requirement = (typeof requirements)[number];

export interface SiteAccess {
  readonly signUp: SignUpMode;
  /** Whether the market and the docs are shown without an account. */
  readonly hasPublicPages: boolean;
  readonly requires: Requirement;
  /** Where users reach the operator, as a URI; absent if it is not said. */
  readonly contact?: string;
}

/** Whether data can be shared with a link, which opens it to strangers without a sign-in. */
export function mayShareLinks({ hasPublicPages, requires }: SiteAccess): boolean {
  return hasPublicPages && requires === 'none';
}

/**
 * Whether a session is not enough for the site; it may only set up what is missing. A passkey is
 * two factors, and a provider decides for itself how many it asks for.
 */
export function isTooWeak(method: SignInMethod, { requires }: SiteAccess): boolean {
  if (requires === 'none') return false;
  return requires === 'oidc' ? method !== 'provider' : method === 'password';
}
