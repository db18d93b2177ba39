/** Notices about an account, which its programs can read, or get by webhook. */
import { dayMs, dayOf, nextMidnight } from '../../kernel/time.ts';
import { warningsDue } from '../keys/key-expiry.ts';

export const accountNoticeKinds = ['quota.reached', 'key.expiring', 'bulk.ready'] as const;
export type AccountNoticeKind = (typeof accountNoticeKinds)[number];

/** How long notices are kept; like events. */
export const accountNoticesKeptDays = 90;

/** The fields that apply to the kind; the others are left out. */
export interface AccountNoticeDetails {
  readonly keyPrefix?: string;
  /** The share of the allowance that is reached. */
  readonly percent?: number;
  readonly used?: number;
  readonly allowance?: number;
  readonly resetAt?: number;
  readonly expiresAt?: number;
  /** Of the bulk files, as in `GET /bulk`. */
  readonly bulkPosition?: string;
}

export interface NewAccountNotice {
  /** Null: for every account. */
  readonly accountId: number | null;
  readonly kind: AccountNoticeKind;
  /** Identifies the occasion; there is one notice per name. */
  readonly name: string;
  readonly details: AccountNoticeDetails;
}

export interface AccountNotice {
  /** Increases with every notice, with gaps. */
  readonly position: number;
  readonly at: number;
  readonly kind: AccountNoticeKind;
  readonly details: AccountNoticeDetails;
}

/** The shares of a daily allowance that are reported, in percent. */
const quotaPercents = [80, 100] as const;

/** The smallest of them. */
export const quotaPercentMin: number = quotaPercents[0];

/** A key, with today's use of its place. */
export interface KeyQuota {
  readonly accountId: number;
  readonly place: number;
  readonly prefix: string;
  readonly used: number;
  readonly allowance: number;
}

/** One notice per key place, day and share. */
export function quotaNotices(quota: KeyQuota, at: number): NewAccountNotice[] {
  const { accountId, place, prefix, used, allowance } = quota;
  return quotaPercents
    .filter((percent) => used * 100 >= allowance * percent)
    .map((percent) => ({
      accountId,
      kind: 'quota.reached',
      name: `quota ${accountId} ${place} ${dayOf(at)} ${percent}`,
      details: { keyPrefix: prefix, percent, used, allowance, resetAt: nextMidnight(at) },
    }));
}

export interface ExpiringKey {
  readonly id: number;
  readonly accountId: number;
  readonly prefix: string;
  /** When it was created, or last rolled. */
  readonly chosenAt: number;
  readonly expiresAt: number;
}

/** As for mails: 14 days and a day before, unless the date was chosen later than that. */
export function expiryNotices(key: ExpiringKey, at: number): NewAccountNotice[] {
  const { id, accountId, prefix, chosenAt, expiresAt } = key;
  const due = warningsDue(expiresAt, at);
  if (due <= warningsDue(expiresAt, chosenAt)) return [];
  const details = { keyPrefix: prefix, expiresAt };
  return [{ accountId, kind: 'key.expiring', name: `key ${id} ${expiresAt} ${due}`, details }];
}

/** Files older than this were made before anyone could be told. */
export const bulkNoticeMsMax: number = dayMs;
