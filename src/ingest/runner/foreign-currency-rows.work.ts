/** Counts the imported rows that wait for an exchange rate. */

import { dayMs, dayOf, formatDay } from '../../kernel/time.ts';
import type { KnownItems } from '../../market/source-rows/known-items.store.ts';
import type { MarketRow, WaitingRows } from '../../market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';

/** Numbers of rows by currency and day; USD is left out. */
export class ForeignCurrencyRows {
  private readonly counts = new Map<string, Map<number, number>>();

  add(row: MarketRow | PrivateRow): void {
    if (row.kind === 'sale') this.count(row.sale.currency, row.sale.soldAt);
    else if (row.kind === 'offer') this.count(row.offer.currency, row.offer.observedAt);
  }

  private count(currency: string, at: number): void {
    if (currency === 'USD') return;
    const days = this.counts.get(currency) ?? new Map<number, number>();
    const day = dayOf(at);
    this.counts.set(currency, days.set(day, (days.get(day) ?? 0) + 1));
  }

  /** Those without a rate, asked for at the end: rates may follow in the same file. */
  async listWaiting(market: Pick<KnownItems, 'findRates'>): Promise<WaitingRows[]> {
    const days = [...this.counts].flatMap(([currency, counts]) =>
      Array.from(counts, ([day, count]) => ({ currency, date: formatDay(day * dayMs), count })),
    );
    if (days.length === 0) return [];
    const rates = await market.findRates(days);
    const waiting = days.filter((_, index) => rates[index] === null);
    return Array.from(
      Map.groupBy(waiting, ({ currency }) => currency),
      ([currency, some]) => {
        const dates = some.map(({ date }) => date).sort();
        return {
          currency,
          count: some.reduce((sum, { count }) => sum + count, 0),
          firstDate: dates[0] ?? '',
          lastDate: dates.at(-1) ?? '',
        };
      },
    );
  }
}
