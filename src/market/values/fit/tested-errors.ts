/** Standardized errors of sales against the values before them; their quantiles are the ranges. */

import type { ItemKind } from '../../../catalog/items/numbers.ts';
import { type Month, monthOf } from '../../../kernel/time.ts';
import type { Row } from '../engine/admit.ts';
import type { TestedSale } from '../engine/fold.ts';
import { groupNames, type Quantiles, type RangeTable, supportOf } from '../engine/range.ts';
import { soldShares } from '../price.ts';
import { MonthlyHistograms } from './histogram.ts';

/** Ranges are learned from the last months with enough errors: half a year, or a year. */
const windowMonths = [6, 12] as const;

/** Groups with fewer errors have no range. */
const errorsMin = 200;

/** Larger standardized errors are excluded as outliers. */
const errorMax = 4;

/** Quantiles are at least this far from zero, because some sources repeat prices. */
const quantileMin = 0.8;

const bins = { min: -errorMax, max: errorMax, step: 0.01 };

/** By month and group. */
export class TestedErrors {
  readonly #errors = new MonthlyHistograms(bins);
  readonly #names = new Set<string>();

  add(kind: ItemKind, { row, support, motion, isFirst, error }: TestedSale): void {
    if (!isOrdinary(row) || Math.abs(error) > errorMax) return;
    const group = isFirst ? 'never' : supportOf(support);
    for (const name of groupNames(kind, row.condition, { group, motion })) {
      this.#names.add(name);
      this.#errors.add(monthOf(row.at), name, error);
    }
  }

  /** Quantiles of groups with enough errors. */
  ranges(month: Month): RangeTable {
    const table: Record<string, Quantiles> = {};
    for (const name of [...this.#names].sort()) {
      const windows = windowMonths.map((months) =>
        this.#errors.between(name, month - months, month),
      );
      const errors = windows.find(({ count }) => count >= errorsMin);
      if (!errors) continue;
      const below = (share: number) => errors.atRank(Math.floor(share * (errors.count + 1)));
      const tenth = below(0.1);
      const low = Math.min(-quantileMin, tenth);
      const widened = tenth < 0 ? low / tenth : 1;
      table[name] = {
        low,
        high: Math.max(quantileMin, errors.atRank(Math.ceil(0.9 * (errors.count + 1)))),
        // Widened by the same factor as the range.
        above: soldShares.map((share) => rounded(below(1 - share) * widened)),
      };
    }
    return table;
  }
}

/** Whether it is one complete unit, in any currency. */
function isOrdinary({ caution, noise }: Row): boolean {
  return caution === null && noise === 1;
}

/** Bins are hundredths, so more digits are meaningless. */
function rounded(quantile: number): number {
  return Math.round(quantile * 1_000) / 1_000;
}
