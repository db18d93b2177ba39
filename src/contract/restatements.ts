/** The response of `/restatements.json`: every change of finalized months. */

import { formatInstant, formatMonth } from '../kernel/time.ts';
import type { Restatement } from '../market/history/history.ts';

export const restatementsPath = '/restatements.json';

export function restatementsRecord(restatements: readonly Restatement[]) {
  return {
    restatements: restatements.map(({ id, fromMonth, reason, at }) => ({
      id,
      from_month: formatMonth(fromMonth),
      reason,
      recorded_at: formatInstant(at),
    })),
  };
}
