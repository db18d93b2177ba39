/** Accounts of an identity provider (OpenID Connect). */
import { emailKey } from '../people/email.ts';

export interface ProviderSettings {
  /** As in the tokens of the provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on buttons. */
  readonly name: string;
  /** A verified email in one of them can open an account even where sign-up is closed. */
  readonly domains: readonly string[];
}

/** Subdomains are other domains. */
export function isInDomain(email: string, domains: readonly string[]): boolean {
  return domains.includes(emailKey(email).split('@').at(-1) ?? '');
}

/** An account of a provider: the subject never changes, unlike the email. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** The claims of an ID token, after verification. */
export interface ProvenIdentity extends Identity {
  /** Null if the provider does not say, or has not verified it. */
  readonly email: string | null;
}
