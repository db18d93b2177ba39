/** Median prices of items in the half year before a month, from which priors are learned. */

import { dayMs, type Month, monthStart } from '../../../kernel/time.ts';
import type { Condition } from '../../source-rows/source-rows.ts';
import type { ChannelOffsets } from '../engine/parameters.ts';
import type { Subject } from '../engine/subject.ts';
import { sortWeighted, type Weighted, weightedQuantile } from '../quantile.ts';

const windowMs = 180 * dayMs;

/** Median log price in one condition, the mean of its sale times, and effective sales. */
export interface ItemMedian {
  readonly log: number;
  readonly at: number;
  readonly sales: number;
}

export type Medians = Readonly<Record<Condition, ItemMedian | null>>;

/** A subject, and the effective sales that each of its rows is. */
export interface SharedSubject {
  readonly subject: Subject;
  readonly shares: Float64Array;
}

export interface When {
  readonly month: Month;
  readonly offsets: ChannelOffsets;
}

export function itemMedians(item: SharedSubject, when: When): Medians {
  return { sealed: itemMedian(item, 'sealed', when), used: itemMedian(item, 'used', when) };
}

/** Null without sales. */
export function itemMedian(
  { subject: { rows }, shares }: SharedSubject,
  condition: Condition,
  when: When,
): ItemMedian | null {
  const before = monthStart(when.month);
  const logs: Weighted[] = [];
  let [sales, times] = [0, 0];
  for (let index = firstAtOrAfter(rows, before - windowMs); index < rows.length; index++) {
    const row = rows[index];
    if (!row || row.at >= before) break;
    const weight = shares[index] ?? 0;
    if (row.condition !== condition || weight === 0) continue;
    logs.push({ value: row.log - when.offsets[row.channel], weight });
    sales += weight;
    times += weight * row.at;
  }
  if (logs.length === 0) return null;
  return { log: weightedQuantile(sortWeighted(logs), 0.5), at: times / sales, sales };
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
