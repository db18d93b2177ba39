/** Removes what has ended from `accounts.db`, and adds up days of usage that are old. */
import type { Database } from 'bun:sqlite';
import type { AccountStore } from '../../domain/account/account-store.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { triesKeptMs, usageDaysKept } from '../sweep.ts';
import { hasRemoved, sweepRemoved } from './account-removal.ts';
import { inTransaction } from './database.ts';

/** The sweeping part of the private half. It may be interrupted at any time. */
export function sqliteSweep(db: Database): Pick<AccountStore, 'sweep'> {
  return {
    sweep: async (at, limit) => {
      // Nothing is written while nothing is due.
      if (!hasEnded(db, at)) return 0;
      return inTransaction(
        db,
        () => removeEnded(db, at, limit) + addUpUsage(db, at, limit) + sweepRemoved(db, limit),
      );
    },
  };
}

function hasEnded(db: Database, at: number): boolean {
  const found = db
    .query<{ any: number }, [number, number, number]>(
      `SELECT EXISTS (SELECT 1 FROM session WHERE expires_at <= ?1)
         OR EXISTS (SELECT 1 FROM reset_link WHERE expires_at <= ?1)
         OR EXISTS (SELECT 1 FROM tries WHERE since <= ?2)
         OR EXISTS (SELECT 1 FROM usage WHERE day < ?3)
         OR ${hasRemoved} AS any`,
    )
    .get(at, at - triesKeptMs, dayOf(at) - usageDaysKept);
  return found?.any === 1;
}

/** Each table with its key, and the column that tells when a row ended. */
const ending = [
  { table: 'session', key: 'id', end: 'expires_at', keptMs: 0 },
  { table: 'reset_link', key: 'account_id', end: 'expires_at', keptMs: 0 },
  { table: 'tries', key: 'key', end: 'since', keptMs: triesKeptMs },
] as const;

function removeEnded(db: Database, at: number, limit: number): number {
  let removed = 0;
  for (const { table, key, end, keptMs } of ending) {
    const ended = `SELECT ${key} FROM ${table} WHERE ${end} <= ? ORDER BY ${end} LIMIT ?`;
    const remove = db.query(`DELETE FROM ${table} WHERE ${key} IN (${ended})`);
    removed += remove.run(at - keptMs, limit).changes;
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

function addUpUsage(db: Database, at: number, limit: number): number {
  const days = db
    .query<OldDay, [number, number]>(
      `SELECT account_id AS accountId, place, day, used, last_at AS lastAt, key_id AS keyId
       FROM usage WHERE day < ? ORDER BY day LIMIT ?`,
    )
    .all(dayOf(at) - usageDaysKept, limit);
  const addUp = db.query('UPDATE account SET calls_earlier = calls_earlier + ? WHERE id = ?');
  const note = db.query(
    'UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?',
  );
  const remove = db.query('DELETE FROM usage WHERE account_id = ? AND place = ? AND day = ?');
  for (const { accountId, place, day, used, lastAt, keyId } of days) {
    addUp.run(used, accountId);
    note.run(lastAt, keyId);
    remove.run(accountId, place, day);
  }
  return days.length;
}
