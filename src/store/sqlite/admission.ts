/** Admission on SQLite: finds the account of a key, and charges its quota. */
import type { Database } from 'bun:sqlite';
import {
  type Admission,
  type AdmissionRequest,
  decideAdmission,
  type Plan,
} from '../../domain/account/quota.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import { inSnapshot, inTransaction } from './database.ts';

interface KeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly place: number;
  readonly allowance: number;
  readonly expires_at: number | null;
  readonly plan: Plan;
  readonly private_version: number;
  readonly used: number | null;
}

/** Decides groups of requests; see `AdmissionStore.admitGroup`. */
export function sqliteAdmission(db: Database) {
  const findKey = db.query<KeyRow, [Uint8Array, number]>(`
    SELECT k.id, k.account_id, k.place, k.allowance, k.expires_at, a.plan, a.private_version,
      u.used
    FROM api_key k JOIN account a ON a.id = k.account_id
    LEFT JOIN usage u ON u.account_id = k.account_id AND u.place = k.place AND u.day = ?2
    WHERE k.hash = ?1 AND k.revoked_at IS NULL`);
  // The guard repeats the decision in SQL, so that no mistake can exceed a limit.
  const charge = db.query<never, [number, number, number, number, number, number, number]>(`
    INSERT INTO usage (account_id, place, day, used, last_at, key_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (account_id, place, day) DO UPDATE SET used = used + ?4, last_at = ?5, key_id = ?6
    WHERE used + ?4 <= ?7`);

  const admit = (request: AdmissionRequest, at: number): Admission | null => {
    const day = dayOf(at);
    const row = findKey.get(request.keyHash, day);
    if (!row || (row.expires_at !== null && row.expires_at <= at)) return null;
    const caller = {
      keyId: row.id,
      accountId: row.account_id,
      plan: row.plan,
      allowance: row.allowance,
      privateVersion: row.private_version,
    };
    const admission = decideAdmission(caller, { used: row.used ?? 0, cost: request.cost });
    if (admission.outcome === 'granted' && request.cost > 0) {
      const { account_id, place, id, allowance } = row;
      const { changes } = charge.run(account_id, place, day, request.cost, at, id, allowance);
      if (changes !== 1) throw new Error(`Key ${row.id} was not charged as decided.`);
    }
    return admission;
  };

  return (requests: readonly AdmissionRequest[], at: number): (Admission | null)[] => {
    const spends = requests.some((request) => request.cost > 0);
    const decide = () => requests.map((request) => admit(request, at));
    return spends ? inTransaction(db, decide) : inSnapshot(db, decide);
  };
}

/** Tests whether usage can be written; see `AdmissionStore.checkCountable`. */
export function sqliteHeartbeat(db: Database) {
  const beat = db.query<never, [number]>(
    'INSERT INTO heartbeat (id, at) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1',
  );
  return (at: number): void => {
    inTransaction(db, () => beat.run(at));
  };
}
