/** How fast prices rose in the last year, by condition: the medians of many items. */

import { yearsBetween } from '../../../kernel/time.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import type { Growth } from '../engine/parameters.ts';
import { usualGrowthPerYear } from '../price.ts';
import { quantile } from '../quantile.ts';
import { itemMedian, type Medians, type SharedSubject, type When } from './item-medians.ts';

/** Sales of an item in each of two half years, one year apart. */
const salesMin = 3;

/** The usual growth counts as much as this many items. */
const usualItems = 100;

export class GrowthExamples {
  readonly #logs: Readonly<Record<Condition, number[]>> = { sealed: [], used: [] };

  /** With the same offsets for both, so that only prices change. */
  add(item: SharedSubject, medians: Medians, { month, offsets }: When): void {
    for (const condition of conditions) {
      const now = medians[condition];
      if (now === null || now.sales < salesMin) continue;
      const before = itemMedian(item, condition, { month: month - 12, offsets });
      if (before === null || before.sales < salesMin) continue;
      this.#logs[condition].push((now.log - before.log) / yearsBetween(before.at, now.at));
    }
  }

  growth(): Growth {
    return { sealed: shrunk(this.#logs.sealed), used: shrunk(this.#logs.used) };
  }
}

function shrunk(logs: readonly number[]): number {
  const all = logs.length === 0 ? 0 : logs.length * quantile(logs, 0.5);
  const log = (all + usualItems * usualGrowthPerYear) / (logs.length + usualItems);
  return Math.round(10_000 * log) / 10_000;
}
