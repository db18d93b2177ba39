/** Admission on PostgreSQL: finds keys and charges their quota in one round trip per group. */
import { foundKey, isUsable, type KeyRow } from '../../accounts/keys/key-use.ts';
import {
  type Admission,
  type AdmissionRequest,
  type AdmittedGroup,
  chargedCost,
  decideAdmission,
} from '../../accounts/keys/quota.ts';
import { isWithin } from '../../accounts/people/network.ts';
import { at as elementAt } from '../../kernel/at.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { AccountStore } from '../store.ts';
import type { Connection } from './client.ts';
import { retried } from './retried.ts';

/** A row of `private.admit`; fields are null if the key is invalid. */
interface AdmitRow extends Omit<KeyRow, 'keyId'> {
  readonly position: number;
  readonly at: number;
  readonly keyId: number | null;
  readonly usedBefore: number;
  readonly isCharged: boolean;
}

/** SHA-256. */
const hashBytes = 32;

/**
 * The longest a group may take, with the wait for a connection of a pooler. If the server does not
 * answer, the connection is dropped. Groups run one after the other, so a request may wait for two.
 */
export const admissionMsMax = 5_000;

/** How often a group is asked for: more than requests that fit between others that do not. */
const roundsMax = 1_000;

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
  const limits = new KnownLimits();
  const ask = async (requests: readonly AdmissionRequest[], at: number) => {
    const hashes = joinHashes(requests);
    const costs = `{${requests.map(({ cost }) => cost).join()}}`;
    const needs = `{${requests.map((request) => request.needs ?? 0).join()}}`;
    // Outside a transaction, the statement is committed before it returns.
    return client.query<AdmitRow>(
      `SELECT * FROM private.admit($1::bytea, $2::text::integer[], $3::text::integer[],
         $4::text::text[], $5::bigint, $6::bigint)`,
      [hashes, costs, needs, limits.checked(requests), ...clock(at)],
    );
  };
  const admitGroup = async (
    requests: readonly AdmissionRequest[],
    at: number,
    round = 1,
  ): Promise<AdmittedGroup> => {
    if (round > roundsMax) throw new Error('Keys were not charged as decided.');
    const rows = await retried(() => ask(requests, at));
    limits.learn(requests, rows);
    const { unpaid, ...decided } = toAdmissions(requests, rows, at);
    if (unpaid.length === 0) return decided;
    const rest = unpaid.map((index) => elementAt(requests, index));
    const paid = await admitGroup(rest, at, round + 1);
    const admissions = [...decided.admissions];
    for (const [n, index] of unpaid.entries()) admissions[index] = paid.admissions[n] ?? null;
    return { admissions, at: paid.at };
  };
  return {
    admissionMsMax,
    admitGroup: (requests, at) => admitGroup(requests, at),
    checkCountable: async (at) => {
      await retried(() => client.run(heartbeat, clock(at)));
    },
  };
}

/** Limited keys that are remembered; the oldest are dropped first. */
const limitsRoomMax = 2 ** 20;

/**
 * The networks of keys that are limited to some, so that the addresses of their calls can be
 * checked before the database is asked. It compares the networks with those it has.
 */
class KnownLimits {
  private readonly networks = new BoundedMap<string>(limitsRoomMax, (text) => text.length);

  /** The networks that each address was found in, as an array; null elsewhere. */
  checked(requests: readonly AdmissionRequest[]): string {
    // Most servers have no such keys.
    if (this.networks.count === 0) return '{}';
    const found = requests.map(({ keyHash, address }) => {
      const networks = this.networks.get(hashName(keyHash));
      const isInside = networks !== undefined && isWithin(networks, address?.() ?? '');
      return isInside ? `"${networks}"` : 'NULL';
    });
    return `{${found.join()}}`;
  }

  learn(requests: readonly AdmissionRequest[], rows: readonly AdmitRow[]): void {
    for (const { position, networks } of rows) {
      if (networks !== null) {
        this.networks.set(hashName(elementAt(requests, position).keyHash), networks);
      }
    }
  }
}

function hashName(hash: Uint8Array): string {
  return Buffer.prototype.latin1Slice.call(hash);
}

function joinHashes(requests: readonly AdmissionRequest[]): Uint8Array {
  const joined = new Uint8Array(requests.length * hashBytes);
  for (const [index, { keyHash }] of requests.entries()) {
    if (keyHash.length !== hashBytes) throw new Error('A hash of a key has the wrong length.');
    joined.set(keyHash, index * hashBytes);
  }
  return joined;
}

/**
 * `unpaid` are still to be charged, in order: the first calls of keys that are limited to networks,
 * or whose networks have changed, and what fits after a request that does not, or into what another
 * node has left.
 */
function toAdmissions(
  requests: readonly AdmissionRequest[],
  rows: readonly AdmitRow[],
  requestedAt: number,
): AdmittedGroup & { readonly unpaid: readonly number[] } {
  const admissions: (Admission | null)[] = requests.map(() => null);
  const unpaid: number[] = [];
  const unpaidKeys = new Set<number>();
  for (const { keyId, position, usedBefore: used, isCharged, ...row } of rows) {
    if (keyId === null) continue;
    const request = elementAt(requests, position);
    const found = foundKey({ ...row, keyId });
    if (!isUsable(found, request, row.at)) continue;
    const { caller } = found;
    const cost = chargedCost(caller, request.cost);
    const admission = decideAdmission(caller, { used, cost, needs: request.needs });
    const isDue = admission.outcome === 'granted' && cost > 0;
    if (isCharged && !isDue) throw new Error(`Key ${keyId} was not charged as decided.`);
    if (isDue && !isCharged) unpaidKeys.add(keyId);
    // Later requests are decided with the count after it.
    if (unpaidKeys.has(keyId) && !isCharged) unpaid.push(position);
    else admissions[position] = admission;
  }
  return { admissions, at: rows[0]?.at ?? requestedAt, unpaid };
}
