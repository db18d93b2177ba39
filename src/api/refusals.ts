/** Why calls are refused, as decided by their admission. */

import type { Admission } from '../accounts/keys/quota.ts';
import { missingScopesText } from '../accounts/keys/scopes.ts';
import { ApiError } from '../contract/errors.ts';
import { rateLimitOf, secondsUntilReset } from './respond.ts';

interface Charge {
  /** The subject of the message, such as `This request`. */
  readonly what: string;
  /** The feature that needs the plan; that of the table by default. */
  readonly planText?: string;
  readonly cost: number;
  /** The scopes it needs, as bits. */
  readonly needs: number;
  readonly at: number;
}

/** Null if it was granted. */
export function refusalOf(admission: Admission, charge: Charge): ApiError | null {
  const { outcome, caller } = admission;
  const { what, planText, cost, needs, at } = charge;
  if (outcome === 'granted') return null;
  if (outcome === 'plan') return new ApiError('TierRequired', planText);
  if (outcome === 'scope') {
    return new ApiError('ScopeRequired', missingScopesText(needs & ~caller.scopes));
  }
  const { limit, remaining } = rateLimitOf(admission, at);
  const message =
    `${what} needs ${cost} of the daily allowance of ${limit} calls and ` +
    `${remaining} are left; the allowance resets at midnight UTC.`;
  return new ApiError('QuotaExceeded', message, secondsUntilReset(at));
}
