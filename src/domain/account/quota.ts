/** Quotas: whether a caller's plan and daily allowance cover a request. */

/** Only Reseller includes the API. */
export const plans = ['free', 'reseller'] as const;
export type Plan = (typeof plans)[number];

/** The owner of a key. */
export interface Caller {
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: Plan;
  /** Calls per UTC day. */
  readonly allowance: number;
  /**
   * Increases with every change of the account's data, and invalidates what was derived from it.
   */
  readonly privateVersion: number;
  /** The network that the call comes from, once it is answered. */
  readonly network?: string;
}

/** With cost 0, the key is only identified and nothing is spent. */
export interface AdmissionRequest {
  readonly keyHash: Uint8Array;
  readonly cost: number;
}

/** `used` is the day's total after this request. */
export interface Admission {
  readonly caller: Caller;
  readonly used: number;
  readonly outcome: 'granted' | 'plan' | 'exhausted';
}

/** The results of a batch, and the instant of the decision. */
export interface AdmittedGroup {
  /** In the order of the requests; null for an invalid key. */
  readonly admissions: readonly (Admission | null)[];
  readonly at: number;
}

/** Only `granted` charges. */
export function decideAdmission(
  caller: Caller,
  spend: { readonly used: number; readonly cost: number },
): Admission {
  const { used, cost } = spend;
  if (caller.plan !== 'reseller') return { caller, used, outcome: 'plan' };
  // Free requests are granted even if the allowance is exhausted.
  if (cost > 0 && used + cost > caller.allowance) return { caller, used, outcome: 'exhausted' };
  return { caller, used: used + cost, outcome: 'granted' };
}
