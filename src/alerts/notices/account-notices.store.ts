/** Notices about accounts, and how far each webhook has been sent them. */

import { soonMs } from '../../accounts/keys/key-expiry.ts';
import { oldSecretMs } from '../../accounts/keys/keys.ts';
import {
  type AccountNotice,
  type AccountNoticeDetails,
  type AccountNoticeKind,
  type ExpiringKey,
  type KeyQuota,
  type NewAccountNotice,
  quotaPercentMin,
} from '../../accounts/notices/account-notice.ts';
import { dayOf } from '../../kernel/time.ts';
import { positionBefore } from '../../market/events/events.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { insertDeliveries, lockChannels, wake } from '../delivery/deliveries.store.ts';
import type { NewDelivery } from '../delivery/delivery.ts';

export function accountNoticeStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, {
      listQuotas,
      listExpiringKeys,
      listNewNotices,
      listAccountNotices,
      findLatestNotice,
      listNoticeReaders,
    }),
    ...db.methods(engine.transaction, { addAccountNotices, advanceNotices }),
  };
}

/** Active keys that have used much of today's allowance; of one account, or of all. */
function listQuotas(at: number, accountId: number | null): db.Reading<KeyQuota[]> {
  return db.query(
    `SELECT u.account_id AS "accountId", u.place, k.prefix, u.used, k.allowance
     FROM private.usage u
     JOIN private.api_key k ON k.account_id = u.account_id AND k.place = u.place
     WHERE u.day = $1::integer AND u.used > 0
       AND u.used * 100 >= k.allowance * ${quotaPercentMin}
       AND ($3::bigint IS NULL OR u.account_id = $3::bigint)
       AND NOT k.is_test AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > $2::bigint)
     ORDER BY u.account_id, u.place`,
    [dayOf(at), at, accountId],
  );
}

/** Active keys that expire soon; of one account, or of all. */
function listExpiringKeys(at: number, accountId: number | null): db.Reading<ExpiringKey[]> {
  return db.query(
    `SELECT k.id, k.account_id AS "accountId", k.prefix, k.expires_at AS "expiresAt",
       greatest(k.created_at, coalesce(k.old_until - ${oldSecretMs}, 0)) AS "chosenAt"
     FROM private.api_key k
     WHERE k.revoked_at IS NULL AND k.expires_at > $1::bigint AND k.expires_at <= $2::bigint
       AND ($3::bigint IS NULL OR k.account_id = $3::bigint)
     ORDER BY k.expires_at, k.id`,
    [at, at + soonMs, accountId],
  );
}

/** Those of the notices that are not recorded yet, each name once. */
function* listNewNotices(given: readonly NewAccountNotice[]): db.Reading<NewAccountNotice[]> {
  if (given.length === 0) return [];
  const notices = [...new Map(given.map((notice) => [notice.name, notice])).values()];
  const known = yield* db.query<{ readonly name: string }>(
    'SELECT name FROM private.account_notice WHERE name = ANY($1::text[])',
    [notices.map(({ name }) => name)],
  );
  const names = new Set(known.map(({ name }) => name));
  return notices.filter(({ name }) => !names.has(name));
}

/**
 * Records the notices that are not recorded yet. Positions are given under a lock, so that they
 * increase in the order of commits, and are at least the time, so that a restored store does not
 * use them again.
 */
function* addAccountNotices(notices: readonly NewAccountNotice[], at: number): db.Operation<void> {
  yield* db.lock('account notices');
  const added = yield* listNewNotices(notices);
  const start = Math.max(yield* findLatestNotice(), positionBefore(at)) + 1;
  const rows = added.map(({ accountId, kind, name, details }, index) => {
    return { position: start + index, accountId, kind, name, at, body: JSON.stringify(details) };
  });
  yield* db.insertRows(tables.accountNotice, rows);
}

/** The position of the latest notice about any account; 0 if there is none. */
function* findLatestNotice(): db.Reading<number> {
  const last = yield* db.first<{ readonly position: number | null }>(
    'SELECT max(position) AS position FROM private.account_notice',
  );
  return last?.position ?? 0;
}

/** Notices for an account after a position, in order. */
function* listAccountNotices(
  accountId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): db.Reading<AccountNotice[]> {
  const rows = yield* db.query<Omit<AccountNotice, 'details'> & { readonly body: string }>(
    `SELECT n.position, n.at, n.kind, n.body FROM private.account_notice n
     WHERE (n.account_id = $1::bigint OR n.account_id IS NULL) AND n.position > $2::bigint
     ORDER BY n.position LIMIT $3::bigint`,
    [accountId, after, limit],
  );
  return rows.map(({ body, ...row }) => {
    const details: AccountNoticeDetails = JSON.parse(body);
    return { ...row, details };
  });
}

/** A webhook with notices that it has not been sent. */
export interface NoticeReader {
  readonly channelId: number;
  readonly accountId: number;
  readonly kinds: readonly AccountNoticeKind[];
  readonly position: number;
}

/** Of accounts on the Reseller plan, like events. */
function* listNoticeReaders(): db.Reading<NoticeReader[]> {
  const rows = yield* db.query<Omit<NoticeReader, 'kinds'> & { readonly notices: string }>(
    `SELECT c.id AS "channelId", c.account_id AS "accountId", c.notices,
       c.notice_position AS position
     FROM private.channel c JOIN private.account a ON a.id = c.account_id
     WHERE c.notice_position IS NOT NULL AND c.state <> 'off' AND a.plan = 'reseller'
       AND EXISTS (SELECT 1 FROM private.account_notice n
         WHERE (n.account_id = c.account_id OR n.account_id IS NULL)
           AND n.position > c.notice_position)
     ORDER BY c.id`,
  );
  return rows.map(({ notices, ...row }) => ({ ...row, kinds: readNoticeKinds(notices) }));
}

/** As stored: separated by commas, null for none. */
export function readNoticeKinds(text: string | null): AccountNoticeKind[] {
  return text === null ? [] : (text.split(',') as AccountNoticeKind[]);
}

/** Queues deliveries and moves the position; a webhook that was changed meanwhile is skipped. */
function* advanceNotices(
  { channelId, position }: Pick<NoticeReader, 'channelId' | 'position'>,
  { to, deliveries }: { readonly to: number; readonly deliveries: readonly NewDelivery[] },
): db.Operation<void> {
  yield* lockChannels([channelId]);
  const moved = yield* db.run(
    `UPDATE private.channel SET notice_position = $3::bigint
     WHERE id = $1::bigint AND notice_position = $2::bigint AND state <> 'off'`,
    [channelId, position, to],
  );
  if (moved === 0) return;
  yield* insertDeliveries(deliveries);
  yield* wake(deliveries);
}
