/** Notices about the caller's account. */
import Type, { type Static } from 'typebox';
import {
  accountNoticeKinds,
  type AccountNotice as Notice,
} from '../../accounts/notices/account-notice.ts';
import { formatInstant } from '../../kernel/time.ts';
import { pageQuery } from '../catalog.ts';
import {
  count,
  exactly,
  flag,
  instant,
  largeCount,
  listOf,
  oneOf,
  position,
  record,
  text,
} from '../fields.ts';
import { pageSizeMax } from '../limits.ts';

export const NoticesQuery = exactly({
  after: position('Only notices after this position; 0 for all that are kept.', { usual: 0 }),
  limit: pageQuery.limit,
});

const optional = Type.Optional;

const Details = record(
  'NoticeDetails',
  'The fields that apply to this kind of notice; all others are omitted.',
  {
    key_prefix: optional(text('The beginning of the key.')),
    percent: optional(count('The share of the daily allowance that was reached: 80 or 100.')),
    used: optional(count('Calls used when it was noticed.')),
    limit: optional(count('Daily allowance of the key.')),
    reset: optional(instant('When the allowance resets.')),
    expires_at: optional(instant('When the key expires.')),
    bulk_position: optional(text('Position of the bulk files, as in `GET /bulk`.')),
  },
);

export const AccountNotice = record('AccountNotice', 'A notice about your account.', {
  position: largeCount('Position of the notice. Increases with every notice, with gaps.'),
  at: instant('When it was noticed.'),
  kind: oneOf(
    accountNoticeKinds,
    '`quota.reached`: 80 % or 100 % of the daily allowance of a key is used. `key.expiring`: a ' +
      'key expires within 14 days, or within a day. `bulk.ready`: there are new bulk files.',
  ),
  details: Details,
});

export const NoticePage = record('NoticePage', {
  notices: listOf(AccountNotice, 'Oldest first.', pageSizeMax),
  next: largeCount('Send this as `after` in the next call.'),
  has_more: flag('Whether there are more notices after `next`.'),
});

export type AccountNotice = Static<typeof AccountNotice>;
export type NoticePage = Static<typeof NoticePage>;

export function presentNotice({ position, at, kind, details }: Notice): AccountNotice {
  const { keyPrefix, percent, used, allowance, resetAt, expiresAt, bulkPosition } = details;
  return {
    position,
    at: formatInstant(at),
    kind,
    details: {
      ...(keyPrefix !== undefined && { key_prefix: keyPrefix }),
      ...(percent !== undefined && { percent }),
      ...(used !== undefined && { used }),
      ...(allowance !== undefined && { limit: allowance }),
      ...(resetAt !== undefined && { reset: formatInstant(resetAt) }),
      ...(expiresAt !== undefined && { expires_at: formatInstant(expiresAt) }),
      ...(bulkPosition !== undefined && { bulk_position: bulkPosition }),
    },
  };
}

/** Example for the OpenAPI document. */
export const noticePageExample: NoticePage = {
  notices: [
    {
      position: 1794744000000000,
      at: '2026-11-15T12:00:00.000Z',
      kind: 'quota.reached',
      details: {
        key_prefix: 'bmk_0123',
        percent: 80,
        used: 804,
        limit: 1000,
        reset: '2026-11-16T00:00:00.000Z',
      },
    },
  ],
  next: 1794744000000000,
  has_more: false,
};
