/**
 * Signing in with passkeys (WebAuthn). A passkey proves possession of a device and that its owner
 * unlocked it, so no password and no code is asked for.
 */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { minuteMs } from '../../kernel/time.ts';
import { networkThrottles } from './attempt-limits.work.ts';
import {
  hashToken,
  newToken,
  type Opened,
  openSession,
  type SignInDeps,
  type Visitor,
} from './open-session.work.ts';
import type { SignedIn } from './session.ts';

/** How long a browser may take to answer a challenge. */
export const challengeMs = 5 * minuteMs;

/** Sign-ins that a network may start. */
const challengesPerNetwork = { max: 100, ms: 15 * minuteMs };

/** The site that a passkey belongs to, as browsers see it. */
export interface PasskeySite {
  /** The address, such as `https://brickmark.example.com`. */
  readonly origin: string;
}

/** Loaded when first used, after what its certificate code needs; a bundle leaves that out. */
async function webAuthn() {
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}

/** Browsers have no passkeys for IP addresses. */
export function hasPasskeys({ origin }: PasskeySite): boolean {
  return !/^[\d.]+$|^\[/.test(hostOf(origin));
}

function hostOf(origin: string): string {
  return new URL(origin).hostname;
}

/** The options to create a passkey, for the browser. */
export async function startPasskey(
  deps: SignInDeps,
  who: SignedIn,
  { site, at }: { readonly site: PasskeySite; readonly at: number },
) {
  const { generateRegistrationOptions } = await webAuthn();
  const known = await deps.accounts.listPasskeys(who.accountId);
  return generateRegistrationOptions({
    rpName: 'Brickmark',
    rpID: hostOf(site.origin),
    userName: who.email,
    // The same for all passkeys of an account, and not its email.
    userID: new Uint8Array(hashToken(`account ${who.accountId}`)),
    challenge: await newChallenge(deps, { accountId: who.accountId, at }),
    timeout: challengeMs,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** A random challenge, of which the store has the hash. */
async function newChallenge(
  deps: SignInDeps,
  { accountId, at }: { readonly accountId: number | null; readonly at: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = newToken(deps);
  const expiresAt = at + challengeMs;
  await deps.accounts.addChallenge({ hash: hashToken(challenge), accountId, expiresAt });
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

export async function savePasskey(
  deps: SignInDeps,
  who: SignedIn,
  typed: {
    readonly name: string;
    /** JSON, as browsers make it. */
    readonly credential: string;
    readonly site: PasskeySite;
    readonly at: number;
  },
): Promise<'added' | 'too many' | 'taken' | 'wrong'> {
  const { accounts } = deps;
  const { site, at, name } = typed;
  const { accountId } = who;
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await orNothing(() =>
    verifyRegistrationResponse({
      response: JSON.parse(typed.credential),
      expectedChallenge: (challenge) =>
        accounts.useChallenge({ hash: hashToken(challenge), accountId, at }),
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site.origin),
      requireUserVerification: true,
    }),
  );
  if (!registrationInfo) return 'wrong';
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  return accounts.addPasskey(accountId, { name, credentialId, publicKey, counter, createdAt: at });
}

/** The options to sign in with any passkey of this site; null: too often. */
export async function startPasskeySignIn(
  deps: SignInDeps,
  site: PasskeySite,
  { network, at }: Visitor,
) {
  const throttles = networkThrottles('passkey', network, challengesPerNetwork.max);
  if (!(await deps.accounts.countTry(throttles, { at, ms: challengesPerNetwork.ms }))) return null;
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: hostOf(site.origin),
    challenge: await newChallenge(deps, { accountId: null, at }),
    timeout: challengeMs,
    userVerification: 'required',
  });
}

/** Opens a session with what a browser signed. */
export async function signInWithPasskey(
  deps: SignInDeps,
  { credential, site }: { readonly credential: string; readonly site: PasskeySite },
  visitor: Visitor,
): Promise<Opened | 'wrong'> {
  const { accounts } = deps;
  const { at } = visitor;
  const failed = async (accountId?: number) => {
    await accounts.noteFailedSignIn({ method: 'passkey', accountId, ...visitor });
    return 'wrong' as const;
  };
  const response = (await orNothing(async () => JSON.parse(credential))) as
    | AuthenticationResponseJSON
    | { readonly id?: undefined };
  if (typeof response.id !== 'string') return failed();
  const passkey = await accounts.findPasskey(response.id);
  if (!passkey) return failed();
  const { publicKey, counter, credentialId: id, accountId } = passkey;
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await orNothing(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) =>
        accounts.useChallenge({ hash: hashToken(challenge), accountId: null, at }),
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site.origin),
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    }),
  );
  if (!verified || !authenticationInfo) return failed(accountId);
  await accounts.notePasskeyUse(passkey.id, { counter: authenticationInfo.newCounter, at });
  return openSession(deps, { accountId, passwordHash: null, method: 'passkey' }, visitor);
}

/** Anything in what a browser sent can be malformed, which the library throws for. */
async function orNothing<T extends object>(verify: () => Promise<T>): Promise<Partial<T>> {
  try {
    return (await verify()) ?? {};
  } catch {
    return {};
  }
}
