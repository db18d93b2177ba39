/** Removes what has ended from the private tables, and adds up days of usage that are old. */
import type { AccountRegistry } from '../../domain/account/account-registry.ts';
import { notificationsKeptDays } from '../../domain/alerts/alert-store.ts';
import { dayMs, dayOf } from '../../domain/kernel/time.ts';
import { editsKeptMs } from '../../domain/portfolio/lot-edits.ts';
import { type Engine, first, type Operation, query, run, runEach } from '../sql/operation.ts';
import { hasRemoved, sweepRemoved } from './account-registry.ts';
import { deliveriesKeptMs } from './deliveries.ts';

/** Tries of a window that ended so long ago are removed. */
const triesKeptMs = dayMs;

/** Usage is kept day by day for so long; what is older is one number for the account. */
export const usageDaysKept = 366;

/** The sweeping part of the private half. Several nodes may do it at once. */
export function sweeping(engine: Engine): Pick<AccountRegistry, 'sweep'> {
  return {
    sweep: async (at, limit) => {
      // Nothing is written while nothing is due.
      if (!(await engine.run(() => hasEnded(at)))) return 0;
      const steps = [
        () => removeEnded(at, limit),
        () => addUpUsage(dayOf(at) - usageDaysKept, limit),
        () => sweepRemoved(limit),
      ];
      let removed = 0;
      for (const step of steps) removed += await engine.transaction(step);
      return removed;
    },
  };
}

function* hasEnded(at: number): Operation<boolean> {
  const found = yield* first<{ isAny: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM private.session WHERE expires_at <= $1::bigint)
       OR EXISTS (SELECT 1 FROM private.reset_link WHERE expires_at <= $1::bigint)
       OR EXISTS (SELECT 1 FROM private.import_draft WHERE expires_at <= $1::bigint)
       OR EXISTS (SELECT 1 FROM private.tries WHERE since <= $2::bigint)
       OR EXISTS (SELECT 1 FROM private.usage WHERE day < $3::integer)
       OR EXISTS (SELECT 1 FROM private.delivery WHERE state <> 'waiting' AND at <= $4::bigint)
       OR EXISTS (SELECT 1 FROM private.notification WHERE at <= $5::bigint)
       OR EXISTS (SELECT 1 FROM private.lot_edit WHERE at <= $6::bigint)
       OR ${hasRemoved} AS "isAny"`,
    [
      at,
      at - triesKeptMs,
      dayOf(at) - usageDaysKept,
      at - deliveriesKeptMs,
      at - notificationsKeptDays * dayMs,
      at - editsKeptMs,
    ],
  );
  return found?.isAny === true;
}

interface Ending {
  readonly table: string;
  readonly key: string;
  /** The column that tells when a row ended. */
  readonly end: string;
  readonly keptMs: number;
  /** Which rows end at all, where not all of them do. */
  readonly only?: string;
}

const waitsNoMore = "state <> 'waiting'";

const ending: readonly Ending[] = [
  { table: 'private.session', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.reset_link', key: 'account_id', end: 'expires_at', keptMs: 0 },
  { table: 'private.import_draft', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.tries', key: 'key', end: 'since', keptMs: triesKeptMs },
  // What waits is sent, however old it is.
  { table: 'private.delivery', key: 'id', end: 'at', keptMs: deliveriesKeptMs, only: waitsNoMore },
  { table: 'private.notification', key: 'id', end: 'at', keptMs: notificationsKeptDays * dayMs },
  { table: 'private.lot_edit', key: 'id', end: 'at', keptMs: editsKeptMs },
];

function* removeEnded(at: number, limit: number): Operation<number> {
  let removed = 0;
  for (const { table, key, end, keptMs, only = 'true' } of ending) {
    const hasEnded = `${only} AND ${end} <= $1::bigint`;
    // The end is looked at twice: a row that is renewed meanwhile stays.
    removed += yield* run(
      `DELETE FROM ${table} WHERE ${hasEnded} AND ${key} IN (
         SELECT ${key} FROM ${table} WHERE ${hasEnded}
         ORDER BY ${end} LIMIT $2::integer FOR UPDATE SKIP LOCKED)`,
      [at - keptMs, limit],
    );
  }
  return removed;
}

interface OldDay {
  readonly accountId: number;
  readonly place: number;
  readonly day: number;
  readonly used: number;
  readonly lastAt: number;
  readonly keyId: number;
}

/** Accounts are locked first, as by those who remove one: nobody waits in a circle. */
function* addUpUsage(firstDay: number, limit: number): Operation<number> {
  const old = yield* query<{ accountId: number }>(
    `SELECT account_id AS "accountId" FROM private.usage
     WHERE day < $1::integer ORDER BY day LIMIT $2::integer`,
    [firstDay, limit],
  );
  const accountIds = [...new Set(old.map((day) => day.accountId))];
  yield* query(
    'SELECT 1 FROM private.account WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE',
    [accountIds],
  );
  // Another node may have added up some of them meanwhile.
  const days = yield* query<OldDay>(
    `SELECT account_id AS "accountId", place, day, used, last_at AS "lastAt", key_id AS "keyId"
     FROM private.usage WHERE day < $1::integer AND account_id = ANY($3::bigint[])
     ORDER BY day LIMIT $2::integer`,
    [firstDay, limit, accountIds],
  );
  yield* addUp(days);
  yield* runEach(
    `DELETE FROM private.usage AS u USING {rows}
     WHERE u.account_id = r."accountId" AND u.place = r.place AND u.day = r.day`,
    { types: { accountId: 'bigint', place: 'integer', day: 'integer' }, rows: days },
  );
  return days.length;
}

function* addUp(days: readonly OldDay[]): Operation<void> {
  const sums = [...Map.groupBy(days, (day) => day.accountId)].map(([id, own]) => ({
    id,
    used: own.reduce((sum, day) => sum + day.used, 0),
  }));
  yield* runEach(
    `UPDATE private.account AS a SET calls_earlier = calls_earlier + r.used FROM {rows}
     WHERE a.id = r.id`,
    { types: { id: 'bigint', used: 'bigint' }, rows: sums },
  );
  const lastUses = [...Map.groupBy(days, (day) => day.keyId)].map(([id, own]) => ({
    id,
    at: own.reduce((last, day) => Math.max(last, day.lastAt), 0),
  }));
  yield* runEach(
    `UPDATE private.api_key AS k SET last_used_at = greatest(coalesce(last_used_at, r.at), r.at)
     FROM {rows} WHERE k.id = r.id`,
    { types: { id: 'bigint', at: 'bigint' }, rows: lastUses },
  );
}
