/** Quotas: whether a caller's plan and daily allowance cover a request. */

/** Only Reseller includes the API. */
export const plans = ['free', 'reseller'] as const;
export type Plan = (typeof plans)[number];

export const fullPlan: Plan = 'reseller';

/** Whether an account may use what is part of the Reseller plan. */
export function hasPlan({ plan }: { readonly plan: Plan }): boolean {
  return plan === fullPlan;
}

/** A key, and the account that owns it. */
export interface Caller {
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: Plan;
  /** Calls per UTC day. */
  readonly allowance: number;
  /** The scopes of the key, as bits. */
  readonly scopes: number;
  /** When the key, or the secret that was sent, ends; null: never. */
  readonly expiresAt: number | null;
  /** Whether it is a test key, which gets fixed data at no cost. */
  readonly isTest: boolean;
  /** Whether the earlier secret of a rolled key was sent. */
  readonly isOld: boolean;
  /**
   * Increases with every change of the account's data, and invalidates what was derived from it.
   */
  readonly privateVersion: number;
  /** The network that the call comes from, once it is answered. */
  readonly network?: string;
}

/** A key that was sent, and what it was sent for. */
export interface KeyUse {
  /** SHA-256 of the key. */
  readonly keyHash: Uint8Array;
  /** The scopes that the call needs, as bits. */
  readonly needs: number;
  /** The client's address; found only for keys that are limited to networks. */
  address(): string;
}

/** With cost 0, the key is only identified and nothing is spent. */
export interface AdmissionRequest {
  readonly keyHash: Uint8Array;
  readonly cost: number;
  /** Doors always say what a key is used for. */
  readonly needs?: number;
  address?(): string;
}

/** `used` is the day's total after this request; 0 for a test key. */
export interface Admission {
  readonly caller: Caller;
  readonly used: number;
  readonly outcome: 'granted' | 'plan' | 'scope' | 'exhausted';
}

/** The results of a batch, and the instant of the decision. */
export interface AdmittedGroup {
  /** In the order of the requests; null for an invalid key. */
  readonly admissions: readonly (Admission | null)[];
  readonly at: number;
}

export function chargedCost({ isTest }: Pick<Caller, 'isTest'>, cost: number): number {
  return isTest ? 0 : cost;
}

/** Only `granted` charges, what `chargedCost` says. */
export function decideAdmission(
  caller: Caller,
  spend: { readonly used: number; readonly cost: number; readonly needs?: number | undefined },
): Admission {
  const { needs = 0 } = spend;
  // The count of its place is that of other keys.
  const used = caller.isTest ? 0 : spend.used;
  const cost = chargedCost(caller, spend.cost);
  if (!hasPlan(caller)) return { caller, used, outcome: 'plan' };
  if ((needs & ~caller.scopes) !== 0) return { caller, used, outcome: 'scope' };
  // Free requests are granted even if the allowance is exhausted.
  if (cost > 0 && used + cost > caller.allowance) return { caller, used, outcome: 'exhausted' };
  return { caller, used: used + cost, outcome: 'granted' };
}
