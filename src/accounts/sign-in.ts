/**
 * Sign-up, sign-in, sign-out and password changes. Only sign-up reveals whether an email has an
 * account, and it is rate-limited.
 */

import type { Account, NewAccount } from '../domain/account/account.ts';
import { emailKey } from '../domain/account/email.ts';
import type { SignedIn, Throttle, TokenHash } from '../domain/account/session.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import { firstBrickfolio } from '../domain/portfolio/brickfolios.ts';
import type { AccountStore } from '../store/store.ts';
import { hashPassword } from './add-account.ts';
import { attemptKey } from './attempt-limits.ts';

/** A session ends after this time, regardless of use. */
export const sessionMs = 30 * dayMs;

export const resetLinkMs = 24 * hourMs;

/** The window in which attempts are counted. */
const tryWindowMs = 15 * minuteMs;

/**
 * Password attempts: for an account from one network; from one network; for an account from
 * anywhere, which is more, so that a stranger cannot lock its owner out.
 */
const triesMax = 10;
const triesPerNetwork = 100;
const triesPerAccount = 100;

/** Sign-ups per network and day. */
const signUpsPerNetwork = 20;

/** Password links per hour, for an account and from a network. */
const linksPerAccount = 3;
const linksPerNetwork = 20;

/** Longer user agents are cut. */
const agentLengthMax = 200;

const tokenBytes = 32;

export interface SignInDeps {
  readonly accounts: AccountStore;
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface Visitor {
  readonly network: string;
  readonly agent: string;
  readonly at: number;
}

/** SHA-256 of a token, which is what the store has. */
export function hashToken(token: string): TokenHash {
  return Bun.SHA256.hash(token) as Uint8Array as TokenHash;
}

export function newToken({ randomBytes }: Pick<SignInDeps, 'randomBytes'>): string {
  return Buffer.from(randomBytes(tokenBytes)).toString('base64url');
}

const firstCollection = { name: firstBrickfolio, description: null, isDefault: true };

interface TypedAccount {
  readonly email: string;
  readonly password: string;
}

/** Creates an account with an empty collection; returns a session token, or why not. */
export function signUp(
  deps: SignInDeps,
  typed: TypedAccount,
  visitor: Visitor,
): Promise<{ readonly token: string } | 'taken' | 'too often'> {
  return beginAccount(deps, { typed, visitor }, async (account) => {
    const made = await deps.accounts.addAccount({ ...account, plan: 'free', isOperator: false });
    return made ?? 'taken';
  });
}

/** The same with an invitation, which decides the plan; `gone` if it was used or has expired. */
export function signUpInvited(
  deps: SignInDeps,
  { invitation, ...typed }: TypedAccount & { readonly invitation: TokenHash },
  visitor: Visitor,
): Promise<{ readonly token: string } | 'taken' | 'too often' | 'gone'> {
  return beginAccount(deps, { typed, visitor }, (account) =>
    deps.accounts.acceptInvitation(invitation, account),
  );
}

async function beginAccount<Refusal extends string>(
  deps: SignInDeps,
  { typed, visitor }: { readonly typed: TypedAccount; readonly visitor: Visitor },
  add: (account: Omit<NewAccount, 'plan' | 'isOperator'>) => Promise<Account | Refusal>,
): Promise<{ readonly token: string } | Refusal | 'taken' | 'too often'> {
  const { accounts } = deps;
  const { network, at } = visitor;
  const { email } = typed;
  const throttle = { key: attemptKey('sign up', network), max: signUpsPerNetwork };
  if (!(await accounts.countTry([throttle], { at, ms: dayMs }))) return 'too often';
  const passwordHash = await hashPassword(typed.password);
  const made = await add({ email, passwordHash, at });
  if (typeof made === 'string') return made;
  await accounts.applyTogether([{ kind: 'brickfolio', email, facts: firstCollection }], at);
  const opened = await openSession(deps, { accountId: made.id, passwordHash }, visitor);
  return opened === 'wrong' ? 'taken' : opened;
}

/** Returns a session token, or why not. */
export async function signIn(
  deps: SignInDeps,
  typed: { readonly email: string; readonly password: string },
  { network, agent, at }: Visitor,
): Promise<{ readonly token: string } | 'wrong' | 'too often'> {
  const { accounts } = deps;
  const ofAccount = signInKeys(typed.email, network);
  const throttles: Throttle[] = [
    { key: ofAccount.here, max: triesMax },
    { key: ofAccount.anywhere, max: triesPerAccount },
    { key: attemptKey('network', network), max: triesPerNetwork },
  ];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(typed.email);
  const isRight = await Bun.password.verify(
    typed.password,
    found?.passwordHash ?? (await dummyHash()),
  );
  if (!found?.passwordHash || !isRight) return 'wrong';
  await forgetSignIns(deps, typed.email, network);
  const { accountId, passwordHash } = found;
  return openSession(deps, { accountId, passwordHash }, { agent, at });
}

/** Counters of sign-in attempts: of an account from one network, and from anywhere. */
function signInKeys(email: string, network: string) {
  const key = emailKey(email);
  return { here: attemptKey('account', `${key} ${network}`), anywhere: attemptKey('account', key) };
}

async function forgetSignIns({ accounts }: SignInDeps, email: string, network: string) {
  const { here, anywhere } = signInKeys(email, network);
  await accounts.forgetTries(here);
  await accounts.forgetTries(anywhere);
}

/** Opens a session, unless the password has been changed since it was checked. */
async function openSession(
  deps: SignInDeps,
  account: { readonly accountId: number; readonly passwordHash: string },
  { agent, at }: Pick<Visitor, 'agent' | 'at'>,
): Promise<{ readonly token: string } | 'wrong'> {
  const token = newToken(deps);
  const sessionId = await deps.accounts.addSession({
    ...account,
    tokenHash: hashToken(token),
    at,
    expiresAt: at + sessionMs,
    agent: agent.slice(0, agentLengthMax),
  });
  return sessionId === null ? 'wrong' : { token };
}

/**
 * Changes the password if the old one is correct. Ends all sessions, and returns the token of a new
 * one.
 */
export async function changePassword(
  deps: SignInDeps,
  who: SignedIn,
  change: { readonly old: string; readonly new: string; readonly visitor: Visitor },
): Promise<{ readonly token: string } | 'wrong' | 'too often'> {
  const { accounts } = deps;
  const checked = await checkPassword(deps, who, { password: change.old, at: change.visitor.at });
  if (typeof checked === 'string') return checked;
  const passwordHash = await hashPassword(change.new);
  if (!(await accounts.setPassword(who.email, passwordHash, checked.hash))) return 'wrong';
  return openSession(deps, { accountId: who.accountId, passwordHash }, change.visitor);
}

/** Also revokes all keys; false: the link is invalid. */
export async function setPasswordByLink(
  deps: SignInDeps,
  link: { readonly token: string; readonly password: string },
  { network, at }: Visitor,
): Promise<boolean> {
  const { accounts } = deps;
  const tokenHash = hashToken(link.token);
  // Do not hash, which is expensive, for a link that does not exist.
  if (!(await accounts.hasResetLink(tokenHash, at))) return false;
  const email = await accounts.useResetLink(tokenHash, await hashPassword(link.password), at);
  if (email === null) return false;
  await forgetSignIns(deps, email, network);
  return true;
}

/** The page waits this long until the data of a deleted account is removed. */
const removalShownMs = 3_000;

export interface DeletionDeps extends SignInDeps {
  readonly sleep: (ms: number) => Promise<void>;
  /** Called if removing the data fails after the page was shown. */
  readonly onRemovalFailure: (error: unknown) => void;
}

/** Deletes the account that is signed in with all its data, if the password is right. */
export async function deleteAccount(
  deps: DeletionDeps,
  who: SignedIn,
  typed: { readonly password: string; readonly at: number },
): Promise<'gone' | 'wrong' | 'too often'> {
  const checked = await checkPassword(deps, who, typed);
  if (typeof checked === 'string') return checked;
  // The account is closed at once; removing its data may take longer than a page may load.
  let isShown = false;
  const removal = deps.accounts.removeAccount(who.email).catch((error) => {
    if (!isShown) throw error;
    deps.onRemovalFailure(error);
  });
  await Promise.race([removal, deps.sleep(removalShownMs)]);
  isShown = true;
  return 'gone';
}

/**
 * The hash of the password, if the input is correct. Attempts are limited, separately from sign-in,
 * so that a stranger cannot use them up.
 */
async function checkPassword(
  { accounts }: SignInDeps,
  who: SignedIn,
  { password, at }: { readonly password: string; readonly at: number },
): Promise<{ readonly hash: string } | 'wrong' | 'too often'> {
  const own = attemptKey('signed in', String(who.accountId));
  const throttles = [{ key: own, max: triesMax }];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(who.email);
  const hash = found?.passwordHash ?? (await dummyHash());
  if (!(await Bun.password.verify(password, hash)) || !found) return 'wrong';
  await accounts.forgetTries(own);
  return { hash };
}

/** Whether another link may be requested, regardless of whether the account exists. */
export function mayAskForLink(
  { accounts }: SignInDeps,
  email: string,
  { network, at }: Visitor,
): Promise<boolean> {
  const throttles = [
    { key: attemptKey('link', emailKey(email)), max: linksPerAccount },
    { key: attemptKey('link network', network), max: linksPerNetwork },
  ];
  return accounts.countTry(throttles, { at, ms: hourMs });
}

/** The token of a password link; null: no such account. */
export async function makeResetLink(
  deps: SignInDeps,
  email: string,
  at: number,
): Promise<string | null> {
  const token = newToken(deps);
  const link = { email, tokenHash: hashToken(token), expiresAt: at + resetLinkMs };
  return (await deps.accounts.addResetLink(link)) ? token : null;
}

let cachedDummy: Promise<string> | null = null;

/** A hash that matches no password, so that unknown emails take as long as known ones. */
function dummyHash(): Promise<string> {
  cachedDummy ??= hashPassword(crypto.randomUUID());
  return cachedDummy;
}
