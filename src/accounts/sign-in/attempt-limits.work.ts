/** Rate limits of actions, counted under hashed keys that do not reveal whom they are about. */

import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import { emailKey } from '../people/email.ts';
import { networkLimits } from '../people/network.ts';
import type { Throttle } from './session.ts';

/** The key of a counter, such as an action of an account or a network. */
export function attemptKey(what: string, about: string): string {
  return Buffer.from(Bun.SHA256.hash(`${what}:${about}`) as Uint8Array).toString('base64url');
}

/** For a network, and the /48 that it is in. */
export function networkThrottles(what: string, network: string, max: number): Throttle[] {
  return networkLimits(network, max).map((limit) => ({
    key: attemptKey(what, limit.network),
    max: limit.max,
  }));
}

/** Makes a function that counts an action, and resolves to false if there were too many. */
function limited<By extends { readonly at: number }>(
  ms: number,
  throttlesOf: (by: By) => readonly Throttle[],
) {
  return (accounts: Pick<AccountRoomStore, 'countTry'>, by: By): Promise<boolean> =>
    accounts.countTry(throttlesOf(by), { at: by.at, ms });
}

interface ByAccount {
  readonly accountId: number;
  readonly at: number;
}

interface ToAddress {
  readonly email: string;
  readonly at: number;
}

/** For an account, an address, or both. */
const perDay = {
  confirmLinks: 5,
  shares: 50,
  sheetLinks: 50,
  invitations: 5,
  invitationMails: 20,
  turnedOffMails: 3,
  newDeviceMails: 5,
} as const;

/** Links in emails opened from a network; a mail service opens them for many people. */
const mailedLinks = { max: 300, ms: 15 * minuteMs } as const;

/** Visits to the identity provider that a network starts, which an office may share. */
const providerVisits = { max: 300, ms: 15 * minuteMs } as const;

/** One window for all that one change can be counted for. */
const changeMs = hourMs;

/** Limits of actions that take long or reach other machines. */
const alertLimits = {
  /** Saving an alert or turning it on, which checks all its items. */
  save: { max: 60, ms: hourMs },
  test: { max: 10, ms: 15 * minuteMs },
  /** Adding a channel, or changing its address or secret. */
  add: { max: 30, ms: changeMs },
  /** Sending again, also by turning a channel on, which sends at once what waits. */
  resend: { max: 60, ms: changeMs },
} as const;

type AlertUse = keyof typeof alertLimits;

/** A twelfth of a core: a photo of a phone takes about 1.3 seconds of it. */
const photoTime = {
  ms: 5 * minuteMs,
  perMs: hourMs,
  /** For starting a process, and encoding. */
  encodeMs: 1_000,
} as const;

/** Counts an action with alerts or channels; false: too many. */
export function mayUseAlerts(
  accounts: Pick<AccountRoomStore, 'countTry'>,
  what: AlertUse,
  by: ByAccount,
): Promise<boolean> {
  const { ms } = alertLimits[what];
  return accounts.countTry([alertThrottle(what, by)], { at: by.at, ms });
}

/** Counts a change of a channel for each of its parts, or for none; false: too many. */
export function mayChangeChannel(
  accounts: Pick<AccountRoomStore, 'countTry'>,
  { isEdited, isTurnedOn }: { readonly isEdited: boolean; readonly isTurnedOn: boolean },
  by: ByAccount,
): Promise<boolean> {
  const throttles = [
    ...(isEdited ? [alertThrottle('add', by)] : []),
    ...(isTurnedOn ? [alertThrottle('resend', by)] : []),
  ];
  return accounts.countTry(throttles, { at: by.at, ms: changeMs });
}

function alertThrottle(what: AlertUse, { accountId }: ByAccount): Throttle {
  return { key: attemptKey(`alerts ${what}`, String(accountId)), max: alertLimits[what].max };
}

/** Also by address, so that deleting and recreating an account does not reset the limit. */
export const mayAskToConfirm = limited(dayMs, ({ accountId, email }: ByAccount & ToAddress) => [
  { key: attemptKey('confirm', String(accountId)), max: perDay.confirmLinks },
  { key: attemptKey('confirm address', emailKey(email)), max: perDay.confirmLinks },
]);

/** New spreadsheet links: entries of the audit log are never deleted. */
export const mayLinkSheet = limited(dayMs, ({ accountId }: ByAccount) => [
  { key: attemptKey('sheet link', String(accountId)), max: perDay.sheetLinks },
]);

/** New shares of an account, and its invitations to one address; null for a link. */
export const mayShare = limited(
  dayMs,
  ({ accountId, email }: ByAccount & { readonly email: string | null }) => {
    const shares = { key: attemptKey('share', String(accountId)), max: perDay.shares };
    if (email === null) return [shares];
    const key = attemptKey('invite', `${accountId}:${emailKey(email)}`);
    return [shares, { key, max: perDay.invitations }];
  },
);

/**
 * Emails with invitations to an address, of all accounts. They are not part of `mayShare`, so that
 * invitations from strangers do not prevent those of others.
 */
export const mayMailInvitation = limited(dayMs, ({ email }: ToAddress) => [
  { key: attemptKey('mail invitation', emailKey(email)), max: perDay.invitationMails },
]);

/** Emails about channels that were turned off; a channel can be turned on and fail again. */
export const mayNotifyTurnedOff = limited(dayMs, ({ email }: ToAddress) => [
  { key: attemptKey('turned off', emailKey(email)), max: perDay.turnedOffMails },
]);

/** Emails about sign-ins from new devices. */
export const mayNotifyNewDevice = limited(dayMs, ({ accountId }: ByAccount) => [
  { key: attemptKey('new device', String(accountId)), max: perDay.newDeviceMails },
]);

/** Visits of links in emails, without sign-in. */
export const mayOpenMailedLink = limited(
  mailedLinks.ms,
  ({ network }: { readonly network: string; readonly at: number }) =>
    networkThrottles('mailed link', network, mailedLinks.max),
);

export const mayVisitProvider = limited(
  providerVisits.ms,
  ({ network }: { readonly network: string; readonly at: number }) =>
    networkThrottles('provider', network, providerVisits.max),
);

/** CPU time for photos, taken before each is decoded: it is charged whatever happens then. */
export const mayMakePhoto = limited(
  photoTime.perMs,
  ({ accountId, decodeMs }: ByAccount & { readonly decodeMs: number }) => {
    const cost = decodeMs + photoTime.encodeMs;
    return [{ key: attemptKey('photos', String(accountId)), max: photoTime.ms, cost }];
  },
);
