/** Accounts of an identity provider (OpenID Connect). */

export interface ProviderSettings {
  /** As in the tokens of the provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name on buttons. */
  readonly name: string;
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
