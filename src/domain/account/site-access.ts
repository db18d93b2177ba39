/** Who can create an account, and what visitors without one can see. */

/** `invite`: only with an invitation. `closed`: only operators create accounts. */
export const signUpModes = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof signUpModes)[number];

export interface SiteAccess {
  readonly signUp: SignUpMode;
  /** Whether the market and the docs are shown without an account. */
  readonly hasPublicPages: boolean;
}
