/** Median prices of items in the half year before a month, from which priors are learned. */

import { dayMs, type Month, monthStart } from '../../domain/kernel/time.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { ChannelOffsets } from '../engine/parameters.ts';
import type { Subject } from '../engine/subject.ts';
import { quantile } from '../quantile.ts';

const windowMs = 180 * dayMs;

/** Median log price in one condition, and the mean of its sale times. */
export interface ItemMedian {
  readonly log: number;
  readonly at: number;
  readonly sales: number;
}

/** Null without sales. */
export function itemMedian(
  { rows }: Subject,
  condition: Condition,
  when: { readonly month: Month; readonly offsets: ChannelOffsets },
): ItemMedian | null {
  const before = monthStart(when.month);
  const logs: number[] = [];
  let times = 0;
  for (let index = firstAtOrAfter(rows, before - windowMs); index < rows.length; index++) {
    const row = rows[index];
    if (!row || row.at >= before) break;
    if (row.condition !== condition || row.rejection || row.sale.retractedAt !== null) continue;
    logs.push(row.log - when.offsets[row.channel]);
    times += row.at;
  }
  if (logs.length === 0) return null;
  return { log: quantile(logs, 0.5), at: times / logs.length, sales: logs.length };
}

/** Binary search for the first row at or after an instant. */
function firstAtOrAfter(rows: Subject['rows'], at: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
