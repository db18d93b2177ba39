/** Each sale was a test of what was believed before it: the errors that ranges are made from. */

import { soldShares } from '../../domain/buying/price.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { type Month, monthOf } from '../../domain/kernel/time.ts';
import type { TestedSale } from '../engine/fold.ts';
import { groupNames, type Quantiles, type RangeTable, supportOf } from '../engine/range.ts';
import { MonthlyHistograms } from './histogram.ts';

/** Ranges are learned from the errors of a year. */
const windowMonths = 12;

/** Fewer errors than this are no basis for a range. */
const errorsMin = 200;

/** What is further off is not an ordinary sale. */
const errorMax = 4;

/** Sources that repeat a price say nothing of how prices differ. */
const quantileMin = 0.8;

const bins = { min: -errorMax, max: errorMax, step: 0.01 };

/** Errors in proportion to what was to be expected, by month and group. */
export class TestedErrors {
  readonly #errors = new MonthlyHistograms(bins);
  readonly #names = new Set<string>();

  add(kind: ItemKind, { row, support, isFirst, error }: TestedSale): void {
    const isOrdinary = row.caution === null && row.noise === 1;
    if (!isOrdinary || Math.abs(error) > errorMax) return;
    const group = isFirst ? 'never' : supportOf(support);
    for (const name of groupNames(kind, row.condition, group)) {
      this.#names.add(name);
      this.#errors.add(monthOf(row.at), name, error);
    }
  }

  /** The quantiles to be used in a month, of the groups that have enough errors. */
  ranges(month: Month): RangeTable {
    const table: Record<string, Quantiles> = {};
    for (const name of [...this.#names].sort()) {
      const errors = this.#errors.between(name, month - windowMonths, month);
      if (errors.count < errorsMin) continue;
      const below = (share: number) => errors.atRank(Math.floor(share * (errors.count + 1)));
      const tenth = below(0.1);
      const low = Math.min(-quantileMin, tenth);
      const widened = tenth < 0 ? low / tenth : 1;
      table[name] = {
        low,
        high: Math.max(quantileMin, errors.atRank(Math.ceil(0.9 * (errors.count + 1)))),
        // What was widened at its end is widened all along.
        above: soldShares.map((share) => rounded(below(1 - share) * widened)),
      };
    }
    return table;
  }
}

/** Errors are counted in hundredths; more digits say nothing. */
function rounded(quantile: number): number {
  return Math.round(quantile * 1_000) / 1_000;
}
