/** Removes what has ended from the private tables, and adds up days of usage that are old. */
import type { AccountStore } from '../../domain/account/account-store.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { triesKeptMs, usageDaysKept } from '../sweep.ts';
import { sweepRemoved } from './account-removal.ts';
import type { Client, Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';

/** The sweeping part of the private half. Several nodes may do it at once. */
export function postgresSweep(client: Client): Pick<AccountStore, 'sweep'> {
  return {
    sweep: async (at, limit) => {
      const removed = (await removeEnded(client, at, limit)) + (await sweepRemoved(client, limit));
      return removed + (await addUpUsage(client, dayOf(at) - usageDaysKept, limit));
    },
  };
}

/** Each table with its key, and the column that tells when a row ended. */
const ending = [
  { table: 'private.session', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'private.reset_link', key: 'account_id', end: 'expires_at', keptMs: 0 },
  { table: 'private.tries', key: 'key', end: 'since', keptMs: triesKeptMs },
] as const;

async function removeEnded(client: Client, at: number, limit: number): Promise<number> {
  let removed = 0;
  for (const { table, key, end, keptMs } of ending) {
    // The end is looked at twice: a row that is renewed meanwhile stays.
    removed += await client.run(
      `DELETE FROM ${table} WHERE ${end} <= $1::bigint AND ${key} IN (
         SELECT ${key} FROM ${table} WHERE ${end} <= $1::bigint
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
}

async function addUpUsage(client: Client, firstDay: number, limit: number): Promise<number> {
  const days = await client.query<OldDay>(
    `SELECT account_id AS "accountId", place, day FROM private.usage
     WHERE day < $1::integer ORDER BY day LIMIT $2::integer`,
    [firstDay, limit],
  );
  return days.length === 0 ? 0 : client.transaction((tx) => moveDays(tx, days));
}

/** Accounts are locked first, as by those who remove one: nobody waits in a circle. */
async function moveDays(tx: Connection, days: readonly OldDay[]): Promise<number> {
  await tx.query(
    `SELECT 1 FROM private.account WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    [[...new Set(days.map((day) => day.accountId))]],
  );
  const [moved] = await tx.query<{ count: number }>(
    `WITH old AS (
       DELETE FROM private.usage u USING json_to_recordset($1::text::json)
         AS w ("accountId" bigint, place integer, day integer)
       WHERE u.account_id = w."accountId" AND u.place = w.place AND u.day = w.day
       RETURNING u.account_id, u.used, u.key_id, u.last_at
     ), added_up AS (
       UPDATE private.account a SET calls_earlier = calls_earlier + sums.used
       FROM (SELECT account_id, sum(used) AS used FROM old GROUP BY account_id) sums
       WHERE a.id = sums.account_id
     ), noted AS (
       UPDATE private.api_key k SET last_used_at = greatest(last_used_at, seen.at)
       FROM (SELECT key_id, max(last_at) AS at FROM old GROUP BY key_id) seen
       WHERE k.id = seen.key_id
     )
     SELECT count(*) AS count FROM old`,
    [jsonRows(days)],
  );
  return moved?.count ?? 0;
}
