/** Quota: who may call, and whether the day's allowance covers it. */

/** The plans an account can be on; the API needs Reseller. */
export const plans = ['free', 'reseller'] as const;
export type Plan = (typeof plans)[number];

/** Whoever a key belongs to. */
export interface Caller {
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: Plan;
  /** Calls per UTC day. */
  readonly allowance: number;
  /** Grows with every change of the account's own data: what was made from it before is stale. */
  readonly privateVersion: number;
}

/** A key at the door: with cost 0 it only asks who it is, else it wants to spend. */
export interface AdmissionRequest {
  readonly keyHash: Uint8Array;
  readonly cost: number;
}

/** What became of it. `used` is the day's total after this request. */
export interface Admission {
  readonly caller: Caller;
  readonly used: number;
  readonly outcome: 'granted' | 'plan' | 'exhausted';
}

/** What became of a group, and the instant at which that was decided. */
export interface AdmittedGroup {
  /** In the order of the requests; null where the key is not good. */
  readonly admissions: readonly (Admission | null)[];
  readonly at: number;
}

/** Decides one request on its own. Only `granted` charges. */
export function decideAdmission(
  caller: Caller,
  spend: { readonly used: number; readonly cost: number },
): Admission {
  const { used, cost } = spend;
  if (caller.plan !== 'reseller') return { caller, used, outcome: 'plan' };
  // Asking who a key is costs nothing, also when nothing is left.
  if (cost > 0 && used + cost > caller.allowance) return { caller, used, outcome: 'exhausted' };
  return { caller, used: used + cost, outcome: 'granted' };
}
