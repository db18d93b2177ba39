/**
 * Sign-up, sign-in, sign-out and password changes. Only sign-up reveals whether an email has an
 * account, and it is rate-limited.
 */

import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import { byAccount } from '../audit/audit.ts';
import { type Account, firstBrickfolio, type NewAccount } from '../people/account.ts';
import { emailKey } from '../people/email.ts';
import { attemptKey, networkThrottles } from './attempt-limits.work.ts';
import {
  hashToken,
  newToken,
  type Opened,
  openSession,
  rememberBrowser,
  type SignInDeps,
  type Visitor,
} from './open-session.work.ts';
import { hashPassword, type PasswordCost, unmatchedHash } from './password-hash.ts';
import { beginSignInStep } from './second-factor.work.ts';
import type { SignedIn, SignInMethod, Throttle, TokenHash } from './session.ts';

export { hashToken, newToken, type SignInDeps, type Visitor } from './open-session.work.ts';

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

/** How long after signing in an owner without a password need not do so again. */
const freshMs = 10 * minuteMs;

/** Sign-ups per network and day. */
const signUpsPerNetwork = 20;

/** Password links per hour, for an account and from a network. */
const linksPerAccount = 3;
const linksPerNetwork = 20;

const firstCollection = { name: firstBrickfolio, description: null, isDefault: true };

export interface PasswordDeps extends SignInDeps {
  readonly passwordCost: PasswordCost;
}

interface TypedAccount {
  readonly email: string;
  readonly password: string;
}

/** Creates an account with an empty collection; returns a session token, or why not. */
export function signUp(
  deps: PasswordDeps,
  typed: TypedAccount,
  visitor: Visitor,
): Promise<Opened | 'taken' | 'too often'> {
  return beginAccount(deps, withPassword(deps, typed, visitor), async (account) => {
    const made = await deps.accounts.addAccount({ ...account, plan: 'free', isOperator: false });
    return made ?? 'taken';
  });
}

/** The same with an invitation, which decides the plan; `gone` if it was used or has expired. */
export function signUpInvited(
  deps: PasswordDeps,
  { invitation, ...typed }: TypedAccount & { readonly invitation: TokenHash },
  visitor: Visitor,
): Promise<Opened | 'taken' | 'too often' | 'gone'> {
  return beginAccount(deps, withPassword(deps, typed, visitor), (account) =>
    deps.accounts.acceptInvitation(invitation, account),
  );
}

interface NewStart {
  readonly email: string;
  /** Hashing takes long, so it happens only within the limits; null for no password. */
  readonly passwordHash: () => Promise<string | null>;
  readonly method: SignInMethod;
  readonly visitor: Visitor;
}

function withPassword(
  { passwordCost }: PasswordDeps,
  { email, password }: TypedAccount,
  visitor: Visitor,
): NewStart {
  const passwordHash = () => hashPassword(password, passwordCost);
  return { email, passwordHash, method: 'password', visitor };
}

/** Creates an account with `add`, and opens its first session. */
export async function beginAccount<Refusal extends string>(
  deps: SignInDeps,
  { email, method, visitor, ...start }: NewStart,
  add: (account: Omit<NewAccount, 'plan' | 'isOperator'>) => Promise<Account | Refusal>,
): Promise<Opened | Refusal | 'taken' | 'too often'> {
  const { accounts } = deps;
  const { network, at } = visitor;
  const throttles = networkThrottles('sign up', network, signUpsPerNetwork);
  if (!(await accounts.countTry(throttles, { at, ms: dayMs }))) return 'too often';
  const passwordHash = await start.passwordHash();
  const made = await add({ email, passwordHash, at });
  if (typeof made === 'string') return made;
  const by = byAccount(made.id);
  await accounts.recordAudit({ at, by, action: 'account.added', accountId: made.id });
  const rows = [{ kind: 'brickfolio', facts: firstCollection } as const];
  await accounts.change(made.id, { rows }, at);
  const opened = await openSession(deps, { accountId: made.id, passwordHash, method }, visitor);
  return opened === 'wrong' ? 'taken' : opened;
}

/** Returns a session, the token of a step that waits for a code, or why not. */
export async function signIn(
  deps: PasswordDeps,
  typed: TypedAccount,
  visitor: Visitor,
): Promise<Opened | { readonly step: string } | 'wrong' | 'too often'> {
  const outcome = await tryPassword(deps, typed, visitor);
  if (typeof outcome === 'string') {
    const { email } = typed;
    await deps.accounts.noteFailedSignIn({ method: 'password', email, ...visitor });
  }
  return outcome;
}

async function tryPassword(
  deps: PasswordDeps,
  typed: TypedAccount,
  visitor: Visitor,
): Promise<Opened | { readonly step: string } | 'wrong' | 'too often'> {
  const { accounts } = deps;
  const { network, at } = visitor;
  const known = await knownDevice(deps, typed.email, visitor);
  const throttles = known === null ? strangerThrottles(typed.email, network) : [known];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(typed.email);
  const isRight = await Bun.password.verify(
    typed.password,
    found?.passwordHash ?? unmatchedHash(deps.passwordCost),
  );
  if (!found?.passwordHash || !isRight) return 'wrong';
  await forgetSignIns(deps, typed.email, visitor);
  const { accountId, passwordHash } = found;
  if (found.needsCode) {
    const step = await beginSignInStep(deps, { accountId, passwordHash }, at);
    return step === null ? 'wrong' : { step };
  }
  return openSession(deps, { accountId, passwordHash, method: 'password' }, visitor);
}

/**
 * The counter of a browser that signed in to the account before; null if it did not. It has its own
 * counter, so that wrong passwords of strangers, even of its network, do not lock it out.
 */
async function knownDevice(
  { accounts }: SignInDeps,
  email: string,
  { device }: Visitor,
): Promise<Throttle | null> {
  if (!device || !(await accounts.hasDevice(email, hashToken(device)))) return null;
  return { key: attemptKey('device', `${emailKey(email)} ${device}`), max: triesMax };
}

/** Counters of an account from a network and its /48, from anywhere, and of the network. */
function strangerThrottles(email: string, network: string): Throttle[] {
  return [
    ...accountThrottles(email, network),
    ...networkThrottles('network', network, triesPerNetwork),
  ];
}

function accountThrottles(email: string, network: string): Throttle[] {
  const key = emailKey(email);
  return [
    ...networkThrottles(`account ${key}`, network, triesMax),
    { key: attemptKey('account', key), max: triesPerAccount },
  ];
}

async function forgetSignIns(deps: SignInDeps, email: string, visitor: Visitor) {
  const known = await knownDevice(deps, email, visitor);
  for (const { key } of [...accountThrottles(email, visitor.network), ...(known ? [known] : [])]) {
    await deps.accounts.forgetTries(key);
  }
}

/** If the old password is correct, ends all sessions, and returns the token of a new one. */
export async function changePassword(
  deps: PasswordDeps,
  who: SignedIn,
  change: { readonly old: string; readonly new: string; readonly visitor: Visitor },
): Promise<Opened | 'wrong' | 'too often'> {
  const { accounts } = deps;
  const checked = await checkPassword(deps, who, { password: change.old, at: change.visitor.at });
  if (typeof checked === 'string') return checked;
  const passwordHash = await hashPassword(change.new, deps.passwordCost);
  if (!(await accounts.setPassword(who.email, passwordHash, checked.hash))) return 'wrong';
  const { accountId, method } = who;
  await recordPassword(deps, accountId, change.visitor.at);
  const proof = { accountId, passwordHash, method, isRenewed: true };
  return openSession(deps, proof, change.visitor);
}

function recordPassword({ accounts }: SignInDeps, accountId: number, at: number): Promise<void> {
  const action = 'password.changed';
  return accounts.recordAudit({ at, by: byAccount(accountId), action, accountId });
}

/**
 * Also revokes all keys. Returns the token of this browser, which may sign in despite wrong
 * passwords of strangers; null if the link is invalid. With two-step sign-in, it has no token: a
 * known browser has its own number of codes to try, and a link must not be a way to more of them.
 */
export async function setPasswordByLink(
  deps: PasswordDeps,
  link: {
    readonly token: string;
    readonly password: string;
    /** The passkeys that stay. */
    readonly kept?: 'all' | readonly number[];
  },
  visitor: Visitor,
): Promise<UsedLink | null> {
  const { accounts } = deps;
  const { at } = visitor;
  const tokenHash = hashToken(link.token);
  // Do not hash, which is expensive, for a link that does not exist.
  if ((await accounts.findResetLink(tokenHash, at)) === null) return null;
  const passwordHash = await hashPassword(link.password, deps.passwordCost);
  const used = await accounts.useResetLink(tokenHash, passwordHash, at, link.kept ?? []);
  if (used === null) return null;
  const { accountId } = used;
  await recordPassword(deps, accountId, at);
  await forgetSignIns(deps, used.email, visitor);
  const app = await accounts.findAuthenticator(accountId);
  if (app?.isConfirmed) return { accountId, device: null, isNewDevice: false };
  return { accountId, ...(await rememberBrowser(deps, accountId, visitor)) };
}

interface UsedLink extends Pick<Opened, 'accountId' | 'isNewDevice'> {
  readonly device: string | null;
}

/** Closes the account that is signed in, if the password is right. */
export async function deleteAccount(
  deps: PasswordDeps,
  who: SignedIn,
  typed: { readonly password: string; readonly at: number },
): Promise<'gone' | 'only admin' | Unconfirmed> {
  const checked = await confirmOwner(deps, who, typed);
  if (checked !== 'right') return checked;
  const { email, accountId } = who;
  const outcome = await deps.accounts.closeAccount(email, byAccount(accountId), typed.at);
  return outcome === 'only admin' ? outcome : 'gone';
}

/**
 * The hash of the password, if the input is correct. Attempts are limited, separately from sign-in,
 * so that a stranger cannot use them up.
 */
async function checkPassword(
  { accounts, passwordCost }: PasswordDeps,
  who: SignedIn,
  { password, at }: { readonly password: string; readonly at: number },
): Promise<{ readonly hash: string } | 'wrong' | 'too often'> {
  const own = attemptKey('signed in', String(who.accountId));
  const throttles = [{ key: own, max: triesMax }];
  if (!(await accounts.countTry(throttles, { at, ms: tryWindowMs }))) return 'too often';
  const found = await accounts.findPasswordHash(who.email);
  const hash = found?.passwordHash ?? unmatchedHash(passwordCost);
  if (!(await Bun.password.verify(password, hash)) || !found) return 'wrong';
  await accounts.forgetTries(own);
  return { hash };
}

/** Why something sensitive was not done. */
export type Unconfirmed = 'wrong' | 'too often' | 'sign in again';

/**
 * Checks the password before something sensitive. The owner of an account without one must have
 * signed in a moment ago, with a passkey or the provider.
 */
export async function confirmOwner(
  deps: PasswordDeps,
  who: SignedIn,
  typed: { readonly password: string; readonly at: number },
): Promise<'right' | Unconfirmed> {
  const found = await deps.accounts.findPasswordHash(who.email);
  if (found?.passwordHash === null) return isFresh(who, typed.at) ? 'right' : 'sign in again';
  const checked = await checkPassword(deps, who, typed);
  return typeof checked === 'string' ? checked : 'right';
}

/** Whether a session began recently enough to do something sensitive without a password. */
export function isFresh({ signedInAt }: SignedIn, at: number): boolean {
  return at - signedInAt < freshMs;
}

/** Whether another link may be requested, regardless of whether the account exists. */
export function mayRequestResetLink(
  { accounts }: SignInDeps,
  email: string,
  { network, at }: Visitor,
): Promise<boolean> {
  const throttles = [
    { key: attemptKey('link', emailKey(email)), max: linksPerAccount },
    ...networkThrottles('link network', network, linksPerNetwork),
  ];
  return accounts.countTry(throttles, { at, ms: hourMs });
}

/** The token of a password link; null: no such account. */
export async function makeResetLink(
  deps: Pick<SignInDeps, 'randomBytes'> & {
    readonly accounts: Pick<AccountRoomStore, 'addResetLink'>;
  },
  email: string,
  at: number,
): Promise<string | null> {
  const token = newToken(deps);
  const link = { email, tokenHash: hashToken(token), expiresAt: at + resetLinkMs };
  return (await deps.accounts.addResetLink(link)) ? token : null;
}
