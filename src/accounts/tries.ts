/** How often things may be tried: each is counted under a key that tells nothing of whom it is. */
import { emailKey } from '../domain/account/email.ts';
import type { SessionStore } from '../domain/account/session-store.ts';
import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';

/** What is counted together, such as what one account did or one network. */
export function tryKey(what: string, about: string): string {
  return Buffer.from(Bun.SHA256.hash(`${what}:${about}`) as Uint8Array).toString('base64url');
}

/** What an account may do only so often, since it takes long or reaches other machines. */
const alertTries = {
  /** Saving an alert, or turning one on: all that it is about is looked at. */
  save: { max: 60, ms: hourMs },
  /** Sending a test. */
  test: { max: 10, ms: 15 * minuteMs },
  /** Adding a channel, or giving one another address or secret. */
  add: { max: 30, ms: hourMs },
  /** Sending deliveries again. */
  resend: { max: 60, ms: hourMs },
} as const;

/** Counts what an account does with its alerts and channels; false: too often. */
export function mayUseAlerts(
  accounts: Pick<SessionStore, 'countTry'>,
  what: keyof typeof alertTries,
  by: { readonly accountId: number; readonly at: number },
): Promise<boolean> {
  const { max, ms } = alertTries[what];
  const key = tryKey(`alerts ${what}`, String(by.accountId));
  return accounts.countTry([{ key, max }], { at: by.at, ms });
}

/** Links to confirm an address that are sent within a day, for one account and to one address. */
const confirmLinksMax = 5;

/**
 * Counts that an account wants a link to confirm its address; false: too often. The address is
 * counted, too: whoever deletes an account and makes it again gets no more.
 */
export function mayAskToConfirm(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly accountId: number; readonly email: string; readonly at: number },
): Promise<boolean> {
  const throttles = [
    { key: tryKey('confirm', String(by.accountId)), max: confirmLinksMax },
    { key: tryKey('confirm address', emailKey(by.email)), max: confirmLinksMax },
  ];
  return accounts.countTry(throttles, { at: by.at, ms: dayMs });
}

/** Messages that a channel was turned off, to one address within a day. */
const turnedOffMailsMax = 3;

/**
 * Counts that an address is told of a channel that was turned off; false: too often. Nobody has
 * confirmed that the address is the owner's, and a channel can be turned on and fail again.
 */
export function mayNotifyTurnedOff(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly email: string; readonly at: number },
): Promise<boolean> {
  const throttle = { key: tryKey('turned off', emailKey(by.email)), max: turnedOffMailsMax };
  return accounts.countTry([throttle], { at: by.at, ms: dayMs });
}

/** Links of messages, opened from one network; mail services ask for many people. */
const mailedLinks = { max: 300, ms: 15 * minuteMs } as const;

/** Counts that somebody opens a link of a message without signing in; false: too often. */
export function mayOpenMailedLink(
  accounts: Pick<SessionStore, 'countTry'>,
  by: { readonly network: string; readonly at: number },
): Promise<boolean> {
  const throttle = { key: tryKey('mailed link', by.network), max: mailedLinks.max };
  return accounts.countTry([throttle], { at: by.at, ms: mailedLinks.ms });
}
