/** Admission on SQLite: finds the account of a key, and charges its quota. */
import type { Database } from 'bun:sqlite';
import { isUsable } from '../../accounts/keys/key-use.ts';
import {
  type Admission,
  type AdmissionRequest,
  chargedCost,
  decideAdmission,
} from '../../accounts/keys/quota.ts';
import { dayOf } from '../../kernel/time.ts';
import { inSnapshot, inTransaction } from './database.ts';
import { type KeyPlaceCount, KnownKeys } from './known-keys.ts';

/** See `AdmissionStore.admitGroup`. Nothing else may write with this connection. */
export function sqliteAdmission(db: Database) {
  const known = new KnownKeys(db);
  // The guard repeats the decision in SQL, so that no mistake can exceed a limit.
  const charge = db.query<never, [number, number, number, number, number, number, number]>(`
    INSERT INTO usage (account_id, place, day, used, last_at, key_id)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (account_id, place, day) DO UPDATE SET used = used + ?4, last_at = ?5, key_id = ?6
    WHERE used + ?4 <= ?7`);

  const decideAll = (requests: readonly AdmissionRequest[], at: number) => {
    const day = dayOf(at);
    known.check(day);
    const due = new Map<KeyPlaceCount, Charge>();
    const decide = (request: AdmissionRequest): Admission | null => {
      const key = known.find(request.keyHash);
      if (!key || !isUsable(key, request, at)) return null;
      const { caller, count } = key;
      const cost = chargedCost(caller, request.cost);
      const admission = decideAdmission(caller, { used: count.used, cost, needs: request.needs });
      if (admission.outcome !== 'granted' || cost === 0) return admission;
      count.used = admission.used;
      due.set(count, { admission, cost: cost + (due.get(count)?.cost ?? 0) });
      return admission;
    };
    const admissions = requests.map(decide);
    // A group charges each place once.
    for (const [{ place }, { admission, cost }] of due) {
      const { accountId, keyId, allowance } = admission.caller;
      const { changes } = charge.run(accountId, place, day, cost, at, keyId, allowance);
      if (changes !== 1) throw new Error(`Key ${keyId} was not charged as decided.`);
    }
    return admissions;
  };

  return (requests: readonly AdmissionRequest[], at: number): (Admission | null)[] => {
    const spends = requests.some((request) => request.cost > 0);
    try {
      return (spends ? inTransaction : inSnapshot)(db, () => decideAll(requests, at));
    } catch (error) {
      // The counts in memory were not committed.
      known.forget();
      throw error;
    }
  };
}

/** The total charge of a group to a place, and its last admission. */
interface Charge {
  readonly admission: Admission;
  readonly cost: number;
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
