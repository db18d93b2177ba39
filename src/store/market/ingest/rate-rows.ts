/** Applies exchange rates, and checks whether sales have one. */

import { compareText } from '../../../domain/catalog/numbers.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-ingest.ts';
import type { ExchangeRate } from '../../../domain/market/source-rows.ts';
import { givenRows, type Operation, query, queryEach, saveRows } from '../../sql/operation.ts';
import { tables } from '../../sql/tables.ts';
import type { Batch } from './batch.ts';
import { rateWindow } from './rate-window.ts';

/** Whether there is an exchange rate to dollars at a time. */
export type HasRate = (currency: string, at: number) => boolean;

/** The rate of a currency on a day while a batch is applied. */
interface HeldRate {
  readonly currency: string;
  readonly date: string;
  /** Null if there is none. */
  usdPerUnit: number | null;
  readonly stored: number | null;
  /** The next day with a rate in the store; null if there is none. */
  readonly nextDate: string | null;
  isChanged: boolean;
}

/** Loads what rates and sales concern. A changed rate makes items stale that have sales with it. */
export function* loadRateRows(rows: readonly MarketRow[], batch: Batch) {
  const rates = yield* loadRates(rows);
  const firstDates = yield* loadFirstDates(rows);
  const newDates = new Map<string, SortedDates>();

  const addDate = ({ currency, date }: ExchangeRate) => {
    const dates = newDates.get(currency) ?? new SortedDates();
    dates.add(date);
    newDates.set(currency, dates);
    const first = firstDates.get(currency);
    if (first === undefined || date < first) firstDates.set(currency, date);
  };
  const findNext = (rate: HeldRate): string | null => {
    const added = newDates.get(rate.currency)?.after(rate.date) ?? null;
    const [next = null] = [added, rate.nextDate].filter((date) => date !== null).sort();
    return next;
  };
  const hasRate: HasRate = (currency, at) => {
    if (currency === 'USD') return true;
    const first = firstDates.get(currency);
    return first !== undefined && first <= formatDay(at);
  };
  return {
    hasRate,
    apply(rate: ExchangeRate): RowOutcome {
      const held = rates.get(nameOf(rate));
      if (!held) throw new Error(`The rate of ${nameOf(rate)} was not looked up.`);
      if (held.usdPerUnit === rate.usdPerUnit) return { kind: 'unchanged' };
      const isNew = held.usdPerUnit === null;
      if (isNew) addDate(rate);
      held.usdPerUnit = rate.usdPerUnit;
      held.isChanged = true;
      batch.changes.addRate(rateWindow(rate, findNext(held)));
      return { kind: isNew ? 'added' : 'updated' };
    },
    *save(): Operation<void> {
      const changed = [...rates.values()].filter((rate) => rate.isChanged);
      for (const { currency, date, stored } of changed) {
        batch.undo.add('rate', stored === null ? [currency, date] : [currency, date, stored]);
      }
      yield* saveRows(tables.fx, ['currency', 'date', 'usdPerUnit'], changed);
    },
  };
}

/** Sorted days. Rates mostly arrive in order, so most are added at the end. */
class SortedDates {
  private readonly dates: string[] = [];

  add(date: string): void {
    this.dates.splice(this.placeAfter(date), 0, date);
  }

  /** The first day after a given one; null if there is none. */
  after(date: string): string | null {
    return this.dates[this.placeAfter(date)] ?? null;
  }

  private placeAfter(date: string): number {
    let [low, high] = [0, this.dates.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareText(this.dates[middle] ?? '', date) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function nameOf({ currency, date }: Pick<ExchangeRate, 'currency' | 'date'>): string {
  return `${currency} ${date}`;
}

function* loadRates(rows: readonly MarketRow[]): Operation<Map<string, HeldRate>> {
  const named = new Map<string, ExchangeRate>();
  for (const row of rows) if (row.kind === 'fx') named.set(nameOf(row.rate), row.rate);
  const found = yield* queryEach<Omit<HeldRate, 'stored' | 'isChanged'>>(
    `SELECT r.currency AS currency, r.date AS date,
       (SELECT usd_per_unit FROM published.fx
         WHERE currency = r.currency AND date = r.date) AS "usdPerUnit",
       (SELECT date FROM published.fx WHERE currency = r.currency AND date > r.date
         ORDER BY date LIMIT 1) AS "nextDate"`,
    givenRows(tables.fx, ['currency', 'date'], [...named.values()]),
  );
  return new Map(
    found.map((rate) => [nameOf(rate), { ...rate, stored: rate.usdPerUnit, isChanged: false }]),
  );
}

/** The first day with a rate, for each currency in the batch. */
function* loadFirstDates(rows: readonly MarketRow[]): Operation<Map<string, string>> {
  const currencies = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'sale') currencies.add(row.sale.currency);
    else if (row.kind === 'fx') currencies.add(row.rate.currency);
  }
  currencies.delete('USD');
  if (currencies.size === 0) return new Map();
  const found = yield* query<{ currency: string; date: string }>(
    `SELECT currency, min(date) AS date FROM published.fx
     WHERE currency = ANY($1::text[]) GROUP BY currency`,
    [[...currencies]],
  );
  return new Map(found.map(({ currency, date }) => [currency, date]));
}
