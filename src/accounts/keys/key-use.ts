/** Whether a key can be used: the checks on its row, the same on both engines. */
import { isWithin } from '../people/network.ts';
import type { AdmissionRequest, Caller } from './quota.ts';

/** A key and its account, as read for admission. Revoked keys are not read. */
export interface KeyRow extends Omit<Caller, 'network'> {
  /** The only networks it can be used from, separated by spaces; null: everywhere. */
  readonly networks: string | null;
}

/** A key that was found by a secret; can be kept as long as its row does not change. */
export interface FoundKey {
  readonly caller: Caller;
  readonly networks: string | null;
}

export function foundKey(row: KeyRow): FoundKey {
  const { keyId, accountId, plan, allowance, scopes, expiresAt } = row;
  const { isTest, isOld, privateVersion } = row;
  return {
    caller: {
      keyId,
      accountId,
      plan,
      allowance,
      scopes,
      expiresAt,
      isTest,
      isOld,
      privateVersion,
    },
    networks: row.networks,
  };
}

/** Whether it works here and now; otherwise it looks like a key that does not exist. */
export function isUsable(
  { caller, networks }: FoundKey,
  { address }: Pick<AdmissionRequest, 'address'>,
  at: number,
): boolean {
  if (caller.expiresAt !== null && caller.expiresAt <= at) return false;
  return networks === null || isWithin(networks, address?.() ?? '');
}
