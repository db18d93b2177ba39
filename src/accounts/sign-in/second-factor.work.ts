/** The second step of signing in: a code of an app, or a recovery code. No session before that. */

import type { Encrypter } from '../../kernel/encryption.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import { attemptKey } from './attempt-limits.work.ts';
import {
  hashToken,
  newSession,
  newToken,
  type Opened,
  openSession,
  rememberBrowser,
  type SignInDeps,
  type Visitor,
} from './open-session.work.ts';
import type { AuthenticatorApp, CodeProof } from './second-factor.ts';
import type { SignedIn } from './session.ts';
import { base32, matchingStep, totpSecretBytes } from './totp.ts';

/** How long a sign-in waits for its code. */
export const signInStepMs = 10 * minuteMs;

/** How long an app may take to be confirmed. */
const setUpMs = hourMs;

/** Codes that may be tried: a million guesses would take more than fifty years. */
const codesMax = { max: 10, ms: 15 * minuteMs };
const codesPerDay = { max: 50, all: 300, ms: dayMs };

const recoveryCodeCount = 10;

/** 80 bits, so that a hash does not reveal a code. */
const recoveryCodeBytes = 10;

export interface FactorDeps extends SignInDeps {
  /** Null if the operator has set no secret. */
  readonly secrets: { readonly factorEncrypter: Encrypter | null };
}

/** The token of a sign-in that waits for a code; null if the password was changed meanwhile. */
export async function beginSignInStep(
  deps: SignInDeps,
  account: { readonly accountId: number; readonly passwordHash: string },
  at: number,
): Promise<string | null> {
  const token = newToken(deps);
  const step = { ...account, tokenHash: hashToken(token), expiresAt: at + signInStepMs };
  return (await deps.accounts.addSignInStep(step)) ? token : null;
}

/** Opens the session of a sign-in; `gone` if its password has to be entered again. */
export async function finishSignInStep(
  deps: FactorDeps,
  typed: { readonly step: string; readonly code: string },
  visitor: Visitor,
): Promise<Opened | 'wrong' | 'too often' | 'gone'> {
  const { accounts } = deps;
  const stepHash = hashToken(typed.step);
  const step = await accounts.findSignInStep(stepHash, visitor.at);
  if (!step) return 'gone';
  const { accountId } = step;
  const failed = async <Why>(why: Why) => {
    await accounts.noteFailedSignIn({ method: 'code', accountId, ...visitor });
    return why;
  };
  const about = await counterOf(deps, step, visitor);
  if (!(await mayTryCode(deps, { about, accountId, at: visitor.at }))) return failed('too often');
  const proof = readCode(deps, step, { code: typed.code, at: visitor.at });
  if (!proof) return failed('wrong');
  const token = newToken(deps);
  const session = { ...newSession(token, visitor), stepHash, proof };
  if ((await accounts.finishSignInStep(session)) === null) return failed('wrong');
  await forgetCodes(deps, about);
  return { token, accountId, ...(await rememberBrowser(deps, accountId, visitor)) };
}

/** A browser that signed in before has its own counter, which strangers cannot use up. */
async function counterOf(
  { accounts }: SignInDeps,
  { accountId, email }: { readonly accountId: number; readonly email: string },
  { device }: Visitor,
): Promise<string> {
  const isKnown = device && (await accounts.hasDevice(email, hashToken(device)));
  return isKnown ? `${accountId} ${device}` : String(accountId);
}

/** Limited by browser, and for an account by day, whatever the browsers. */
async function mayTryCode(
  { accounts }: SignInDeps,
  { about, accountId, at }: { about: string; accountId: number; at: number },
): Promise<boolean> {
  const now = [{ key: attemptKey('code', about), max: codesMax.max }];
  if (!(await accounts.countTry(now, { at, ms: codesMax.ms }))) return false;
  const today = [
    { key: attemptKey('codes of a day', about), max: codesPerDay.max },
    { key: attemptKey('all codes of a day', String(accountId)), max: codesPerDay.all },
  ];
  return accounts.countTry(today, { at, ms: codesPerDay.ms });
}

async function forgetCodes({ accounts }: SignInDeps, about: string): Promise<void> {
  await accounts.forgetTries(attemptKey('code', about));
  await accounts.forgetTries(attemptKey('codes of a day', about));
}

/** Null if it is not a code of the app and cannot be a recovery code. */
function readCode(
  { secrets: { factorEncrypter } }: FactorDeps,
  app: Pick<AuthenticatorApp, 'secret'> & { readonly accountId: number },
  { code, at }: { readonly code: string; readonly at: number },
): CodeProof | null {
  const recovery = code.toUpperCase().replace(/[\s-]/g, '');
  if (/^[A-Z2-7]{16}$/.test(recovery)) return { kind: 'recovery', hash: hashToken(recovery) };
  const secret = factorEncrypter && secretOf(factorEncrypter, app);
  const step = secret && matchingStep(secret, code, at);
  return step ? { kind: 'app', step } : null;
}

/** Null if the secret file is another one. */
function secretOf(
  encrypter: Encrypter,
  { secret, accountId }: Pick<AuthenticatorApp, 'secret'> & { readonly accountId: number },
): Uint8Array | null {
  const text = encrypter.decrypt(secret, { accountId, purpose: 'authenticator' });
  return text === null ? null : Buffer.from(text, 'hex');
}

/** Starts to set up an app; false if the account has one. */
export async function startAuthenticator(
  { accounts, randomBytes }: SignInDeps,
  encrypter: Encrypter,
  { accountId, at }: { readonly accountId: number; readonly at: number },
): Promise<boolean> {
  const plain = Buffer.from(randomBytes(totpSecretBytes)).toString('hex');
  const secret = encrypter.encrypt(plain, { accountId, purpose: 'authenticator' });
  return accounts.startAuthenticator(accountId, { secret, at });
}

/** The secret of an app that is being set up; null if there is none. */
export async function findNewAuthenticator(
  { accounts, secrets: { factorEncrypter } }: FactorDeps,
  { accountId, at }: { readonly accountId: number; readonly at: number },
): Promise<{ readonly app: AuthenticatorApp; readonly secret: Uint8Array } | null> {
  const app = await accounts.findAuthenticator(accountId);
  if (!app || app.isConfirmed || at - app.createdAt > setUpMs || !factorEncrypter) return null;
  const secret = secretOf(factorEncrypter, { ...app, accountId });
  return secret && { app, secret };
}

/** An app that was turned on. */
interface TurnedOn {
  /** The recovery codes, which are stored only as hashes. */
  readonly codes: readonly string[];
  /** Replaces the current session, a stolen copy of which must not become stronger. */
  readonly opened: Opened;
}

/** Turns the app on if the code is right, and ends all sessions. */
export async function confirmAuthenticator(
  deps: FactorDeps,
  { accountId, method }: SignedIn,
  { code, visitor }: { readonly code: string; readonly visitor: Visitor },
): Promise<TurnedOn | 'wrong' | 'too often' | 'gone'> {
  const { at } = visitor;
  const found = await findNewAuthenticator(deps, { accountId, at });
  if (!found) return 'gone';
  const about = `own ${accountId}`;
  if (!(await mayTryCode(deps, { about, accountId, at }))) return 'too often';
  const step = matchingStep(found.secret, code, at);
  if (step === null) return 'wrong';
  const codes = makeRecoveryCodes(deps);
  const { secret } = found.app;
  const confirmed = { secret, step, codes: codes.map(hashOfCode) };
  if (!(await deps.accounts.confirmAuthenticator(accountId, confirmed))) return 'gone';
  await forgetCodes(deps, about);
  const stronger = method === 'password' ? 'code' : method;
  const proof = { accountId, passwordHash: null, method: stronger, isRenewed: true };
  const opened = await openSession(deps, proof, visitor);
  return opened === 'wrong' ? 'gone' : { codes, opened };
}

/** Whether a signed-in user has typed a right code, which is used up. */
export async function checkCode(
  deps: FactorDeps,
  { accountId }: SignedIn,
  { code, at }: { readonly code: string; readonly at: number },
): Promise<'right' | 'wrong' | 'too often'> {
  const about = `own ${accountId}`;
  if (!(await mayTryCode(deps, { about, accountId, at }))) return 'too often';
  const app = await deps.accounts.findAuthenticator(accountId);
  const proof = app?.isConfirmed ? readCode(deps, { ...app, accountId }, { code, at }) : null;
  if (!proof || !(await deps.accounts.useCode(accountId, proof))) return 'wrong';
  await forgetCodes(deps, about);
  return 'right';
}

export async function renewRecoveryCodes(
  deps: SignInDeps,
  accountId: number,
): Promise<readonly string[]> {
  const codes = makeRecoveryCodes(deps);
  await deps.accounts.saveRecoveryCodes(accountId, codes.map(hashOfCode));
  return codes;
}

/** Such as `ABCD-EFGH-IJKL-MNOP`. */
function makeRecoveryCodes({ randomBytes }: SignInDeps): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    base32(randomBytes(recoveryCodeBytes)).replace(/(.{4})(?=.)/g, '$1-'),
  );
}

function hashOfCode(code: string) {
  return hashToken(code.replaceAll('-', ''));
}
