/** How well sales support a value, and when that changes by itself. */
import type { DataTier } from '../domain/estimator.ts';
import { dayMs } from '../domain/time.ts';

const high = { sales: 10, windowMs: 90 * dayMs };
const medium = { sales: 3, windowMs: 180 * dayMs };

/** The tier from the times of accepted sales in new condition, and of sales in any condition. */
export function tierAt(
  sealedSales: readonly number[],
  facts: { readonly anySale: boolean; readonly at: number },
): { tier: DataTier; changesAt: number | null } {
  const leavesHigh = leavesAt(sealedSales, high);
  const leavesMedium = leavesAt(sealedSales, medium);
  if (leavesHigh !== null && leavesHigh > facts.at) return { tier: 'high', changesAt: leavesHigh };
  if (leavesMedium !== null && leavesMedium > facts.at) {
    return { tier: 'medium', changesAt: leavesMedium };
  }
  return { tier: facts.anySale ? 'low' : 'modeled', changesAt: null };
}

/** When the window no longer holds enough sales; null when it never did. */
function leavesAt(
  sales: readonly number[],
  rule: { readonly sales: number; readonly windowMs: number },
): number | null {
  const oldestNeeded = sales.at(-rule.sales);
  return oldestNeeded === undefined ? null : oldestNeeded + rule.windowMs;
}
