/** Removes expired rows from the private tables, and sums up old days of usage. */

import { forgetNetworks, hasOldNetworks, oldNetworkAt } from '../../accounts/audit/audit.store.ts';
import { firstUsageDay, removeEndpointUses } from '../../accounts/keys/endpoint-usage.store.ts';
import type { KeyPlaceDay } from '../../accounts/keys/key-places.ts';
import { accountNoticesKeptDays } from '../../accounts/notices/account-notice.ts';
import {
  closedBefore,
  hasRemoved,
  sweepRemoved,
} from '../../accounts/people/account-registry.store.ts';
import { failedSignInsKeptMs } from '../../accounts/sign-in/failed-sign-ins.ts';
import { notificationsKeptDays } from '../../alerts/conditions/notification.ts';
import { deliveriesKeptMs } from '../../alerts/delivery/deliveries.store.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { editsKeptMs } from '../lots/lot-edits.ts';
import { hasLostPhotos, removeLostPhotos } from '../photos/photos.store.ts';

/** Attempts are removed this long after the start of their window. */
const triesKeptMs = dayMs;

/** Daily usage is kept this long; older days are added to one total per account. */
export const usageDaysKept = 366;

/** As long as browsers keep cookies. */
export const devicesKeptMs = 400 * dayMs;

const accountNoticesKeptMs = accountNoticesKeptDays * dayMs;

/** Several nodes may sweep at the same time. */
export function sweeping(engine: db.Engine) {
  return {
    /**
     * Removes what has expired and rows of what is gone, sums up usage older than a year, and
     * erases closed accounts and those whose removal was interrupted: at most `limit` rows of
     * each. Returns the number of rows; 0 if nothing is left.
     */
    sweep: async (at: number, limit: number): Promise<number> => {
      const firstDay = dayOf(at) - usageDaysKept;
      // Avoid write transactions when nothing has expired.
      if (!(await engine.run(() => hasEnded(at, firstDay)))) return 0;
      const steps = [
        () => removeEnded(at, limit),
        () => removeEndpointUses(firstUsageDay(at), limit),
        () => addUpUsage(firstDay, limit),
        () => forgetNetworks(at, limit),
        removeLostPhotos,
        () => sweepRemoved(at, limit),
      ];
      let removed = 0;
      for (const step of steps) removed += await engine.transaction(step);
      return removed;
    },
  };
}

function* hasEnded(at: number, firstDay: number): db.Reading<boolean> {
  const expired = ending.map(
    (each, index) => `EXISTS (SELECT 1 FROM ${each.table} WHERE ${isOver(each, index + 2)})`,
  );
  const found = yield* db.first<{ isAny: boolean }>(
    `SELECT (${expired.join(' OR ')}
       OR ${hasOldNetworks(ending.length + 2)}
       OR ${hasLostPhotos}
       OR EXISTS (SELECT 1 FROM private.usage WHERE day < $1::integer)
       OR ${hasRemoved(ending.length + 3)}
       OR EXISTS (SELECT 1 FROM private.endpoint_usage
         WHERE day < $${ending.length + 4}::integer))::boolean AS "isAny"`,
    [
      firstDay,
      ...ending.map(({ keptMs }) => at - keptMs),
      oldNetworkAt(at),
      closedBefore(at),
      firstUsageDay(at),
    ],
  );
  return found?.isAny === true;
}

interface Ending {
  readonly table: string;
  readonly key: string;
  /** The column with the time a row expires, or is kept from. */
  readonly end: string;
  readonly keptMs: number;
  /** A condition for rows that expire. */
  readonly only?: string;
}

const waitsNoMore = "state <> 'waiting'";

const ending: readonly Ending[] = [
  { table: 'private.session', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.reset_link', key: 'account_id', end: 'expires_at', keptMs: 0 },
  { table: 'private.sign_in_step', key: 'token_hash', end: 'expires_at', keptMs: 0 },
  { table: 'private.challenge', key: 'hash', end: 'expires_at', keptMs: 0 },
  { table: 'private.device', key: 'id', end: 'last_used_at', keptMs: devicesKeptMs },
  { table: 'private.invitation', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.share', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.share', key: 'id', end: 'accept_until', keptMs: 0 },
  { table: 'private.import_draft', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.failed_sign_in', key: 'id', end: 'hour_at', keptMs: failedSignInsKeptMs },
  { table: 'private.tries', key: 'key', end: 'since', keptMs: triesKeptMs },
  // Waiting messages are sent, however old they are.
  { table: 'private.delivery', key: 'id', end: 'at', keptMs: deliveriesKeptMs, only: waitsNoMore },
  { table: 'private.notification', key: 'id', end: 'at', keptMs: notificationsKeptDays * dayMs },
  { table: 'private.sent_form', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.account_notice', key: 'position', end: 'at', keptMs: accountNoticesKeptMs },
  { table: 'private.edit', key: 'id', end: 'at', keptMs: editsKeptMs },
];

/** The condition for expired rows; the parameter is the latest time they expired. */
function isOver({ end, only = 'true' }: Ending, parameter: number): string {
  return `${only} AND ${end} <= $${parameter}::bigint`;
}

function* removeEnded(at: number, limit: number): db.Operation<number> {
  let removed = 0;
  for (const each of ending) {
    const { table, key, end, keptMs } = each;
    const hasEnded = isOver(each, 1);
    // The time is checked twice, because a row may be renewed meanwhile.
    removed += yield* db.run(
      `DELETE FROM ${table} WHERE ${hasEnded} AND ${key} IN (
         SELECT ${key} FROM ${table} WHERE ${hasEnded}
         ORDER BY ${end} LIMIT $2::integer FOR UPDATE SKIP LOCKED)`,
      [at - keptMs, limit],
    );
  }
  return removed;
}

interface OldDay extends KeyPlaceDay {
  readonly accountId: number;
  readonly lastAt: number;
}

/** Accounts are locked first, like when one is removed, to avoid deadlocks. */
function* addUpUsage(firstDay: number, limit: number): db.Operation<number> {
  const old = yield* db.query<{ accountId: number }>(
    `SELECT account_id AS "accountId" FROM private.usage
     WHERE day < $1::integer ORDER BY day LIMIT $2::integer`,
    [firstDay, limit],
  );
  const accountIds = [...new Set(old.map((day) => day.accountId))];
  yield* db.runRows(
    'SELECT 1 FROM private.account WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
    [accountIds],
  );
  // Another node may have summed up some of them meanwhile.
  const days = yield* db.query<OldDay>(
    `SELECT account_id AS "accountId", place, day, used, last_at AS "lastAt", key_id AS "keyId"
     FROM private.usage WHERE day < $1::integer AND account_id = ANY($3::bigint[])
     ORDER BY day LIMIT $2::integer`,
    [firstDay, limit, accountIds],
  );
  yield* addUp(days);
  yield* db.runEach(
    `DELETE FROM private.usage AS u USING {rows}
     WHERE u.account_id = r."accountId" AND u.place = r.place AND u.day = r.day`,
    { types: { accountId: 'bigint', place: 'integer', day: 'integer' }, rows: days },
  );
  return days.length;
}

function* addUp(days: readonly OldDay[]): db.Operation<void> {
  const sums = [...Map.groupBy(days, (day) => day.accountId)].map(([id, own]) => ({
    id,
    used: own.reduce((sum, day) => sum + day.used, 0),
  }));
  yield* db.runEach(
    `UPDATE private.account AS a SET calls_earlier = calls_earlier + r.used FROM {rows}
     WHERE a.id = r.id`,
    { types: { id: 'bigint', used: 'bigint' }, rows: sums },
  );
  const lastUses = [...Map.groupBy(days, (day) => day.keyId)].map(([id, own]) => ({
    id,
    at: own.reduce((last, day) => Math.max(last, day.lastAt), 0),
  }));
  yield* db.runEach(
    `UPDATE private.api_key AS k SET last_used_at = greatest(coalesce(last_used_at, r.at), r.at)
     FROM {rows} WHERE k.id = r.id`,
    { types: { id: 'bigint', at: 'bigint' }, rows: lastUses },
  );
}
