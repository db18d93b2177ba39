/** The currency of most sales of a year, which is not less informative than US dollars. */
import { at } from '../../../kernel/at.ts';
import { type Month, monthOf } from '../../../kernel/time.ts';
import type { Row } from '../engine/admit.ts';

const windowMonths = 12;

export class CurrencyCounts {
  /** Effective sales by month and currency. */
  readonly #months = new Map<Month, Map<string, number>>();

  /** Adds the rows of an item, given the effective sales that each of them is. */
  add(rows: readonly Row[], shares: Float64Array): void {
    for (const [index, { at: soldAt, sale }] of rows.entries()) {
      const counts = this.#months.getOrInsertComputed(monthOf(soldAt), () => new Map());
      counts.set(sale.currency, (counts.get(sale.currency) ?? 0) + at(shares, index));
    }
  }

  /** That of more than half of the effective sales in the year before a month, or US dollars. */
  main(month: Month): string {
    const sums = new Map<string, number>();
    let all = 0;
    for (let each = month - windowMonths; each < month; each++) {
      for (const [currency, sales] of this.#months.get(each) ?? []) {
        sums.set(currency, (sums.get(currency) ?? 0) + sales);
        all += sales;
      }
    }
    return [...sums].find(([, sales]) => sales > all / 2)?.[0] ?? 'USD';
  }
}
