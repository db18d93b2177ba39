/** Rate limits of actions, counted under hashed keys that do not reveal whom they are about. */
import { emailKey } from '../domain/account/email.ts';
import { wideNetworkOf } from '../domain/account/network.ts';
import type { Throttle } from '../domain/account/session.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import type { SessionStore } from '../store/store.ts';

/** The key of a counter, such as an action of an account or a network. */
export function attemptKey(what: string, about: string): string {
  return Buffer.from(Bun.SHA256.hash(`${what}:${about}`) as Uint8Array).toString('base64url');
}

/** A /48 may try more often than one of its networks: it may be of one customer, or of many. */
const wideFactor = 3;

/** The limit of a network, and of the /48 that it is in. */
export function networkThrottles(what: string, network: string, max: number): Throttle[] {
  const wide = wideNetworkOf(network);
  const own = { key: attemptKey(what, network), max };
  return wide === null ? [own] : [own, { key: attemptKey(what, wide), max: wideFactor * max }];
}

/** Limits of actions that take long or reach other machines. */
const alertLimits = {
  /** Saving an alert or turning it on, which checks all its items. */
  save: { max: 60, ms: hourMs },
  test: { max: 10, ms: 15 * minuteMs },
  /** Adding a channel, or changing its address or secret. */
  add: { max: 30, ms: hourMs },
  resend: { max: 60, ms: hourMs },
} as const;

/** Counts an action with alerts or channels; false: too many. */
export function mayUseAlerts(
  accounts: Pick<SessionStore, 'countTry'>,
  what: keyof typeof alertLimits,
  by: { readonly accountId: number; readonly at: number },
): Promise<boolean> {
  const { max, ms } = alertLimits[what];
  const key = attemptKey(`alerts ${what}`, String(by.accountId));
  return accounts.countTry([{ key, max }], { at: by.at, ms });
}

/** Confirmation links per day, for an account and to an address. */
const confirmLinksMax = 5;

/**
 * Counts a request for a confirmation link; false: too many. Also by address, so that deleting and
 * recreating an account does not reset the limit.
 */
export function mayAskToConfirm(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly accountId: number; readonly email: string; readonly at: number },
): Promise<boolean> {
  const throttles = [
    { key: attemptKey('confirm', String(by.accountId)), max: confirmLinksMax },
    { key: attemptKey('confirm address', emailKey(by.email)), max: confirmLinksMax },
  ];
  return accounts.countTry(throttles, { at: by.at, ms: dayMs });
}

/** New shares of an account, and its invitations to one address, per day. */
const newSharesMax = 50;
const shareInvitationsMax = 5;
/** Emails with invitations to an address, of all accounts, per day. */
const invitationMailsMax = 20;

/** Counts a new share, which invites an address or is a link; false: too many. */
export function mayShare(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly accountId: number; readonly email: string | null; readonly at: number },
): Promise<boolean> {
  const { accountId, email, at } = by;
  const throttles = [{ key: attemptKey('share', String(accountId)), max: newSharesMax }];
  if (email !== null) {
    const key = attemptKey('invite', `${accountId}:${emailKey(email)}`);
    throttles.push({ key, max: shareInvitationsMax });
  }
  return accounts.countTry(throttles, { at, ms: dayMs });
}

/**
 * Counts an email with an invitation; false: too many. It is not part of `mayShare`, so that
 * invitations from strangers do not prevent those of others.
 */
export function mayMailInvitation(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly email: string; readonly at: number },
): Promise<boolean> {
  const throttle = {
    key: attemptKey('mail invitation', emailKey(by.email)),
    max: invitationMailsMax,
  };
  return accounts.countTry([throttle], { at: by.at, ms: dayMs });
}

/** Emails about channels that were turned off, per address and day. */
const turnedOffMailsMax = 3;

/**
 * Counts an email about a channel that was turned off; false: too many. A channel can be turned on
 * and fail again.
 */
export function mayNotifyTurnedOff(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly email: string; readonly at: number },
): Promise<boolean> {
  const throttle = { key: attemptKey('turned off', emailKey(by.email)), max: turnedOffMailsMax };
  return accounts.countTry([throttle], { at: by.at, ms: dayMs });
}

/** Emails about new devices, per account and day. */
const newDeviceMailsMax = 5;

/** Counts an email about a sign-in from a new device; false: too many. */
export function mayNotifyNewDevice(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly accountId: number; readonly at: number },
): Promise<boolean> {
  const throttle = { key: attemptKey('new device', String(by.accountId)), max: newDeviceMailsMax };
  return accounts.countTry([throttle], { at: by.at, ms: dayMs });
}

/** Links in emails opened from a network; a mail service opens them for many people. */
const mailedLinks = { max: 300, ms: 15 * minuteMs } as const;

/** Counts a visit of a link in an email without sign-in; false: too many. */
export function mayOpenMailedLink(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly network: string; readonly at: number },
): Promise<boolean> {
  const throttles = networkThrottles('mailed link', by.network, mailedLinks.max);
  return accounts.countTry(throttles, { at: by.at, ms: mailedLinks.ms });
}

/** Whether a form is submitted for the first time; true only once per form ID. */
export function isFirstSubmission(
  accounts: Pick<SessionStore, 'countTry'>,
  sent: { readonly accountId: number; readonly formId: string; readonly at: number },
): Promise<boolean> {
  const throttle = { key: attemptKey('once', `${sent.accountId}:${sent.formId}`), max: 1 };
  return accounts.countTry([throttle], { at: sent.at, ms: dayMs });
}
