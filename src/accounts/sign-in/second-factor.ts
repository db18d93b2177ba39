/** Second factors: an authenticator app, and recovery codes for when it is lost. */
import type { Encrypted } from '../../kernel/encryption.ts';
import type { NewSession, TokenHash } from './session.ts';

export interface AuthenticatorApp {
  readonly secret: Encrypted;
  readonly createdAt: number;
  /** Whether a code has shown that the app works; only then is it asked for. */
  readonly isConfirmed: boolean;
}

/** A password was accepted, and a code is missing. */
export interface SignInStep {
  readonly accountId: number;
  readonly email: string;
  readonly secret: Encrypted;
}

/** A code that is right; the store checks that it is used for the first time. */
export type CodeProof =
  | { readonly kind: 'app'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: TokenHash };

export interface StepSession extends Omit<NewSession, 'accountId' | 'passwordHash' | 'method'> {
  readonly stepHash: TokenHash;
  readonly proof: CodeProof;
}
