/**
 * Signing up, in and out, and new passwords. Only signing up tells whether an email has an account,
 * so often within a day.
 */
import type { AccountStore } from '../domain/account/account-store.ts';
import { emailKey } from '../domain/account/email.ts';
import type { SignedIn, Throttle, TokenHash } from '../domain/account/session-store.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import { firstBrickfolio } from '../domain/portfolio/brickfolio-store.ts';
import { hashPassword } from './accounts.ts';
import { tryKey } from './tries.ts';

/** A session ends after this time, however often it is used. */
export const sessionMs = 30 * dayMs;

/** A link that sets a password is good for this long. */
export const resetLinkMs = 24 * hourMs;

/** Tries count together within this time. */
const tryWindowMs = 15 * minuteMs;

/**
 * How often a password may be tried: for one account from one network; from one network; for one
 * account from anywhere, which is more, so that a stranger does not lock its owner out.
 */
const triesMax = 10;
const triesPerNetwork = 100;
const triesPerAccount = 100;

/** How many accounts one network may make within a day. */
const signUpsPerNetwork = 20;

/** How many links may be asked for within an hour, for one account and from one network. */
const linksPerAccount = 3;
const linksPerNetwork = 20;

/** What browsers call themselves is kept up to here. */
const agentLengthMax = 200;

/** How many random bytes a token carries. */
const tokenBytes = 32;

/** What signing in works with. */
export interface SignInDeps {
  readonly accounts: AccountStore;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Where a request comes from. */
export interface Visitor {
  /** The network that it comes from. */
  readonly network: string;
  readonly agent: string;
  readonly at: number;
}

/** SHA-256 of a token: what the store holds of it. */
export function hashToken(token: string): TokenHash {
  return Bun.SHA256.hash(token) as Uint8Array as TokenHash;
}

/** A token that cannot be guessed. */
export function newToken({ randomBytes }: Pick<SignInDeps, 'randomBytes'>): string {
  return Buffer.from(randomBytes(tokenBytes)).toString('base64url');
}

/** The collection that a new account begins with. */
const firstCollection = { name: firstBrickfolio, description: null, isDefault: true };

/** Makes an account with an empty collection; the token of a session, or why there is none. */
export async function signUp(
  deps: SignInDeps,
  { email, password }: { readonly email: string; readonly password: string },
  { network, agent, at }: Visitor,
): Promise<{ readonly token: string } | 'taken' | 'too often'> {
  const { accounts } = deps;
  const throttle = { key: tryKey('sign up', network), max: signUpsPerNetwork };
  if (!(await accounts.countTry([throttle], { at, ms: dayMs }))) return 'too often';
  const passwordHash = await hashPassword(password);
  const made = await accounts.addAccount({
    email,
    passwordHash,
    plan: 'free',
    isOperator: false,
    at,
  });
  if (!made) return 'taken';
  await accounts.applyTogether([{ kind: 'brickfolio', email, facts: firstCollection }], at);
  const opened = await openSession(deps, { accountId: made.id, passwordHash }, { agent, at });
  return opened === 'wrong' ? 'taken' : opened;
}

/** The token of a new session; or why there is none. */
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
    { key: tryKey('network', network), max: triesPerNetwork },
  ];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(typed.email);
  const isRight = await Bun.password.verify(
    typed.password,
    found?.passwordHash ?? (await hashOfNobody()),
  );
  if (!found?.passwordHash || !isRight) return 'wrong';
  await forgetSignIns(deps, typed.email, network);
  const { accountId, passwordHash } = found;
  return openSession(deps, { accountId, passwordHash }, { agent, at });
}

/** What tries to sign in are counted by: the account from one network, and from anywhere. */
function signInKeys(email: string, network: string) {
  const key = emailKey(email);
  return { here: tryKey('account', `${key} ${network}`), anywhere: tryKey('account', key) };
}

async function forgetSignIns({ accounts }: SignInDeps, email: string, network: string) {
  const { here, anywhere } = signInKeys(email, network);
  await accounts.forgetTries(here);
  await accounts.forgetTries(anywhere);
}

/** A session for an account, unless the password that was right has been changed since. */
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
 * Changes the password of whoever is signed in, if the old one is right: all sessions end, and the
 * token of a new one is returned.
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

/** Sets a password with a link, and revokes all keys; false when the link is no good. */
export async function setPasswordByLink(
  deps: SignInDeps,
  link: { readonly token: string; readonly password: string },
  { network, at }: Visitor,
): Promise<boolean> {
  const { accounts } = deps;
  const tokenHash = hashToken(link.token);
  // Hashing is expensive: it is not done for a link that does not exist.
  if (!(await accounts.hasResetLink(tokenHash, at))) return false;
  const email = await accounts.useResetLink(tokenHash, await hashPassword(link.password), at);
  if (email === null) return false;
  await forgetSignIns(deps, email, network);
  return true;
}

/** How long whoever deletes their account waits for its last row to be gone. */
const removalShownMs = 3_000;

/** Removes the account of whoever is signed in with all that is in it, if the password is right. */
export async function deleteAccount(
  deps: SignInDeps,
  who: SignedIn,
  typed: { readonly password: string; readonly at: number },
): Promise<'gone' | 'wrong' | 'too often'> {
  const checked = await checkPassword(deps, who, typed);
  if (typeof checked === 'string') return checked;
  // It is closed at once. What it held may take longer to go than anybody waits for a page.
  await Promise.race([deps.accounts.removeAccount(who.email), Bun.sleep(removalShownMs)]);
  return 'gone';
}

/**
 * The hash of the password of whoever is signed in, if that is what was typed. It can be tried so
 * often only; these tries count on their own, so that no stranger uses them up by signing in.
 */
async function checkPassword(
  { accounts }: SignInDeps,
  who: SignedIn,
  { password, at }: { readonly password: string; readonly at: number },
): Promise<{ readonly hash: string } | 'wrong' | 'too often'> {
  const own = tryKey('signed in', String(who.accountId));
  const throttles = [{ key: own, max: triesMax }];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(who.email);
  const hash = found?.passwordHash ?? (await hashOfNobody());
  if (!(await Bun.password.verify(password, hash)) || !found) return 'wrong';
  await accounts.forgetTries(own);
  return { hash };
}

/** Whether a link may be asked for once more; whether there is such an account does not matter. */
export function mayAskForLink(
  { accounts }: SignInDeps,
  email: string,
  { network, at }: Visitor,
): Promise<boolean> {
  const throttles = [
    { key: tryKey('link', emailKey(email)), max: linksPerAccount },
    { key: tryKey('link network', network), max: linksPerNetwork },
  ];
  return accounts.countTry(throttles, { at, ms: hourMs });
}

/** The token of a link that sets a password; null when there is no such account. */
export async function makeResetLink(
  deps: SignInDeps,
  email: string,
  at: number,
): Promise<string | null> {
  const token = newToken(deps);
  const link = { email, tokenHash: hashToken(token), expiresAt: at + resetLinkMs };
  return (await deps.accounts.addResetLink(link)) ? token : null;
}

let nobody: Promise<string> | null = null;

/** A hash that no password has, so that an unknown e-mail takes as long as a known one. */
function hashOfNobody(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID());
  return nobody;
}
