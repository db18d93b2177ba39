/**
 * Signing in with an identity provider (OpenID Connect): authorization code flow with PKCE, state
 * and nonce, all derived from one random seed that only the browser keeps.
 */
import type { Configuration } from 'openid-client';
import { minuteMs } from '../../kernel/time.ts';
import { byAccount } from '../audit/audit.ts';
import { emailProblem } from '../people/email.ts';
import { mayVisitProvider } from './attempt-limits.work.ts';
import {
  type Identity,
  isInDomain,
  type ProvenIdentity,
  type ProviderSettings,
} from './identity.ts';
import {
  hashToken,
  type Opened,
  openSession,
  type SignInDeps,
  type Visitor,
} from './open-session.work.ts';
import type { SignedIn, TokenHash } from './session.ts';
import { beginAccount } from './sign-in.work.ts';

/** How long a visit to the provider may take. */
export const providerVisitMs = 10 * minuteMs;

/** How long the provider may take to answer this server. */
const patienceSeconds = 10;

/** Claims: `openid` is who, `email` is for new accounts. */
const scope = 'openid email';

/** Loaded when first used. */
const openId = () => import('openid-client');

/** A visit to the provider; the purpose is part of its state, so that none serves another. */
export interface ProviderVisit {
  readonly seed: string;
  /** `sign in`, or the session that links. */
  readonly purpose: string;
  /** The account to link; null to sign in. */
  readonly accountId: number | null;
  /** Whether the provider must ask who it is, although the browser is signed in there. */
  readonly isAgain?: boolean;
  /** Where the provider sends the browser back to. */
  readonly returnUrl: string;
}

export class Provider {
  private found: Promise<Configuration> | null = null;

  constructor(private readonly settings: ProviderSettings) {}

  get name(): string {
    return this.settings.name;
  }

  get issuer(): string {
    return issuerKey(this.settings.issuer);
  }

  /** Whether an email gets an account here, although sign-up is not open. */
  admits(email: string): boolean {
    return isInDomain(email, this.settings.domains);
  }

  /** The address to send a browser to, from which it can come back once; null: too often. */
  async start(
    { accounts }: SignInDeps,
    visit: ProviderVisit,
    { network, at }: Visitor,
  ): Promise<string | null> {
    if (!(await mayVisitProvider(accounts, { network, at }))) return null;
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openId();
    const configuration = await this.configuration();
    const { seed, accountId, returnUrl } = visit;
    const state = stateOf(visit);
    const expiresAt = at + providerVisitMs;
    await accounts.addChallenge({ hash: hashToken(state), accountId, expiresAt });
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: returnUrl,
      scope,
      state,
      nonce: derived(seed, 'nonce'),
      code_challenge: await calculatePKCECodeChallenge(derived(seed, 'verifier')),
      code_challenge_method: 'S256',
      ...(visit.isAgain && { max_age: '0' }),
    });
    return url.href;
  }

  /** Whether the provider sent a browser back from this visit. */
  isReturn(visit: ProviderVisit, query: URLSearchParams): boolean {
    return query.get('state') === stateOf(visit);
  }

  /** Who signed in there. Throws if anything about the answer is wrong, or it came before. */
  async finish(
    { accounts }: SignInDeps,
    visit: ProviderVisit,
    { query, at }: { readonly query: URLSearchParams; readonly at: number },
  ): Promise<ProvenIdentity> {
    const { seed, accountId, returnUrl } = visit;
    const { authorizationCodeGrant, fetchUserInfo } = await openId();
    const configuration = await this.configuration();
    const state = stateOf(visit);
    // Used up before the code is exchanged: some providers accept a code twice.
    const isFirst =
      this.isReturn(visit, query) &&
      (await accounts.useChallenge({ hash: hashToken(state), accountId, at }));
    if (!isFirst) throw new Error('The answer is not of this visit, is late, or came before.');
    const tokens = await authorizationCodeGrant(configuration, new URL(`${returnUrl}?${query}`), {
      expectedState: state,
      expectedNonce: derived(seed, 'nonce'),
      pkceCodeVerifier: derived(seed, 'verifier'),
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('The provider sent no ID token.');
    const { iss: issuer, sub: subject } = claims;
    if (subject === '') throw new Error('The ID token has an empty subject.');
    const { userinfo_endpoint: hasMore } = configuration.serverMetadata();
    const facts =
      claims.email === undefined && hasMore
        ? await fetchUserInfo(configuration, tokens.access_token, subject)
        : claims;
    return { issuer: issuerKey(issuer), subject, email: emailIn(facts) };
  }

  /** Asked for once; after a failure, again. */
  private configuration(): Promise<Configuration> {
    this.found ??= this.discover().catch((error) => {
      this.found = null;
      throw error;
    });
    return this.found;
  }

  private async discover(): Promise<Configuration> {
    const { discovery, ClientSecretPost, allowInsecureRequests, enableNonRepudiationChecks } =
      await openId();
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    // Settings allow http on this machine only.
    const insecure = url.protocol === 'http:' ? [allowInsecureRequests] : [];
    return discovery(url, clientId, {}, ClientSecretPost(clientSecret), {
      timeout: patienceSeconds,
      // Also verifies the signatures of ID tokens that come straight from the provider.
      execute: [...insecure, enableNonRepudiationChecks],
    });
  }
}

/** Providers write their issuer with or without a slash at the end, and compare both as equal. */
function issuerKey(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}

function stateOf({ seed, purpose }: ProviderVisit): string {
  return derived(seed, `state of ${purpose}`);
}

/** A secret of a visit, from which neither the seed nor another one follows. */
function derived(seed: string, what: string): string {
  return new Bun.CryptoHasher('sha256', seed).update(what).digest('base64url');
}

function emailIn(facts: Readonly<Record<string, unknown>>): string | null {
  const { email, email_verified: isVerified } = facts;
  if (typeof email !== 'string' || isVerified !== true) return null;
  return emailProblem(email) === null ? email : null;
}

/**
 * Opens a session of the account that is linked to an identity; `unknown` if none is. Where
 * everybody has to sign in there (`isRequired`), the first sign-in links an account that nobody can
 * sign in to yet, by its verified email.
 */
export async function signInWithProvider(
  deps: SignInDeps,
  identity: ProvenIdentity & { readonly isRequired: boolean },
  visitor: Visitor,
): Promise<Opened | 'unknown'> {
  const { email, isRequired } = identity;
  const linked = await deps.accounts.findIdentity(identity);
  const claimed = linked === null && isRequired && email !== null;
  const accountId = claimed ? await claimAccount(deps, { ...identity, email }, visitor) : linked;
  if (accountId === null) return 'unknown';
  const proof = { accountId, passwordHash: null, method: 'provider' } as const;
  const opened = await openSession(deps, proof, visitor);
  return opened === 'wrong' ? 'unknown' : opened;
}

async function claimAccount(
  { accounts }: SignInDeps,
  identity: Identity & { readonly email: string },
  { at }: Visitor,
): Promise<number | null> {
  const accountId = await accounts.claimAccount(identity, at);
  if (accountId === null) return null;
  const done = { action: 'factor.added', detail: 'identity provider' } as const;
  await accounts.recordAudit({ at, by: byAccount(accountId), accountId, ...done });
  return accountId;
}

/**
 * Links an identity to the account that is signed in, whose session is replaced by one of the
 * provider; `taken` if the identity or the account is linked already.
 */
export async function linkProvider(
  deps: SignInDeps,
  { accountId, sessionId }: SignedIn,
  { identity, visitor }: { readonly identity: Identity; readonly visitor: Visitor },
): Promise<Opened | 'taken'> {
  const { issuer, subject } = identity;
  const link = { issuer, subject, at: visitor.at };
  if (!(await deps.accounts.linkIdentity(accountId, link))) return 'taken';
  await deps.accounts.endSession(accountId, sessionId);
  const proof = { accountId, passwordHash: null, method: 'provider', isRenewed: true } as const;
  const opened = await openSession(deps, proof, visitor);
  return opened === 'wrong' ? 'taken' : opened;
}

/**
 * Creates an account without a password, with an invitation if there is one. An email that has an
 * account is not linked to it.
 */
export function signUpWithProvider(
  deps: SignInDeps,
  asked: Identity & { readonly email: string; readonly invitation: TokenHash | null },
  visitor: Visitor,
): Promise<Opened | 'taken' | 'gone' | 'too often'> {
  const { accounts } = deps;
  const { issuer, subject, email, invitation } = asked;
  const start = { email, passwordHash: async () => null, method: 'provider', visitor } as const;
  return beginAccount(deps, start, async (account) => {
    if (invitation !== null) {
      return accounts.acceptInvitationOf({ issuer, subject }, invitation, account);
    }
    const made = { ...account, plan: 'free', isOperator: false } as const;
    return (await accounts.addAccountOf({ issuer, subject }, made)) ?? 'taken';
  });
}
