/** The use of the caller's key. */
import { type Usage, usageDays } from '../../contract/plus/usage.ts';
import { dayMs, dayOf, formatDay, formatInstant, nextMidnight } from '../../kernel/time.ts';
import { dataOf } from '../answer-data.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function usageHandlers({ accounts }: HandlerDeps) {
  return {
    getUsage: () => ({
      read: async ({ accountId, keyId, allowance }, { used, at }) => {
        const first = dayOf(at) - usageDays + 1;
        const { days } = await accounts.findUsage(accountId, first);
        const own = new Map(days.filter((row) => row.keyId === keyId).map((row) => [row.day, row]));
        const usage: Usage = {
          limit: allowance,
          used,
          remaining: Math.max(0, allowance - used),
          reset: formatInstant(nextMidnight(at)),
          days: Array.from({ length: usageDays }, (_, index) => ({
            date: formatDay((first + index) * dayMs),
            used: own.get(first + index)?.used ?? 0,
          })),
        };
        return dataOf(usage);
      },
    }),
  } satisfies Partial<Handlers>;
}
