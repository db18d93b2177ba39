/** How fast prices are expected to rise, by condition: from those of many items in a year. */

import { yearsBetween } from '../../../kernel/time.ts';
import { type Condition, conditions } from '../../source-rows/source-rows.ts';
import type { Growth } from '../engine/parameters.ts';
import { usualGrowthPerYear } from '../price.ts';
import { itemMedian, type Medians, type SharedSubject, type When } from './item-medians.ts';

/** Sales of an item in each of two half years, one year apart. */
const salesMin = 3;

/** The usual growth counts as much as this many items. */
const usualItems = 100;

/** How much of the difference from it continues: less than half if the market turns. */
const persistence = 0.5;

/** Items that changed by more count as if they had changed by this (log). */
const logMax = 1;

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
    return { sealed: expected(this.#logs.sealed), used: expected(this.#logs.used) };
  }
}

/** Totals grow as the mean of prices does, not as the median. */
function expected(logs: readonly number[]): number {
  if (logs.length === 0) return usualGrowthPerYear;
  const factors = logs.map((log) => Math.exp(Math.max(-logMax, Math.min(logMax, log))));
  const log = Math.log(factors.reduce((sum, factor) => sum + factor) / factors.length);
  const weight = (persistence * logs.length) / (logs.length + usualItems);
  return Math.round(10_000 * (usualGrowthPerYear + weight * (log - usualGrowthPerYear))) / 10_000;
}
