/**
 * Admission on PostgreSQL: finds the accounts of keys and charges their quota, with one round trip
 * per group.
 */
import {
  type Admission,
  type AdmissionRequest,
  type AdmittedGroup,
  decideAdmission,
  type Plan,
} from '../../domain/account/quota.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { AccountStore } from '../store.ts';
import type { Connection } from './client.ts';
import { retried } from './retried.ts';

/** A row of `private.admit`; fields are null if the key is invalid. */
interface AdmitRow {
  readonly position: number;
  readonly at: number;
  readonly keyId: number | null;
  readonly accountId: number;
  readonly plan: Plan;
  readonly allowance: number;
  readonly privateVersion: number;
  readonly usedBefore: number;
  readonly isCharged: boolean;
}

/** SHA-256. */
const hashBytes = 32;

/**
 * The longest a group may take. The server cancels it a little earlier; if the server does not
 * answer, the connection is dropped. Groups run one after the other, so a request may wait for two.
 */
export const admissionMsMax = 2_500;

/** The first part writes nothing, but fails if the role may not write usage. */
const heartbeat = `
  WITH usage AS (
    INSERT INTO private.usage AS u (account_id, place, day, used, last_at, key_id)
    SELECT 0, 0, 0, 0, 0, 0 WHERE false
    ON CONFLICT (account_id, place, day) DO UPDATE SET used = u.used + excluded.used)
  INSERT INTO private.heartbeat (id, at) VALUES (1, published.instant($1::bigint, $2::bigint))
  ON CONFLICT (id) DO UPDATE SET at = excluded.at`;

/** Decides groups of requests; see `AdmissionStore.admitGroup`. */
export function postgresAdmission(
  client: Connection,
  clock: StoreClock,
): Pick<AccountStore, 'admitGroup' | 'admissionMsMax' | 'checkCountable'> {
  const ask = async (requests: readonly AdmissionRequest[], at: number) => {
    const hashes = joinHashes(requests);
    const costs = `{${requests.map((request) => request.cost).join()}}`;
    // Outside a transaction, the statement is committed before it returns.
    return client.query<AdmitRow>(
      'SELECT * FROM private.admit($1::bytea, $2::text::integer[], $3::bigint, $4::bigint)',
      [hashes, costs, ...clock(at)],
    );
  };
  return {
    admissionMsMax,
    admitGroup: async (requests, at) => {
      const rows = await retried(() => ask(requests, at));
      return { admissions: toAdmissions(requests, rows), at: rows[0]?.at ?? at };
    },
    checkCountable: async (at) => {
      await retried(() => client.run(heartbeat, clock(at)));
    },
  };
}

function joinHashes(requests: readonly AdmissionRequest[]): Uint8Array {
  const joined = new Uint8Array(requests.length * hashBytes);
  for (const [index, { keyHash }] of requests.entries()) {
    if (keyHash.length !== hashBytes) throw new Error('A hash of a key has the wrong length.');
    joined.set(keyHash, index * hashBytes);
  }
  return joined;
}

function toAdmissions(
  requests: readonly AdmissionRequest[],
  rows: readonly AdmitRow[],
): AdmittedGroup['admissions'] {
  const admissions: (Admission | null)[] = requests.map(() => null);
  for (const row of rows) {
    const { keyId, accountId, plan, allowance, privateVersion } = row;
    if (keyId === null) continue;
    const cost = requests[row.position]?.cost ?? 0;
    const caller = { keyId, accountId, plan, allowance, privateVersion };
    const admission = decideAdmission(caller, { used: row.usedBefore, cost });
    const isDue = admission.outcome === 'granted' && cost > 0;
    if (isDue !== row.isCharged) throw new Error(`Key ${keyId} was not charged as decided.`);
    admissions[row.position] = admission;
  }
  return admissions;
}
