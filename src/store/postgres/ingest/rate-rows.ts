/** Exchange rates on their way in, and what sales ask of them. */

import { compareText } from '../../../domain/catalog/numbers.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import type { ExchangeRate } from '../../../domain/market/source-rows.ts';
import { rateWindow } from '../../rate-window.ts';
import { runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';

/** Whether what was paid at an instant can be told in dollars. */
export type HasRate = (currency: string, at: number) => boolean;

/** The rate of a currency on a day while a batch is applied. */
interface HeldRate {
  readonly currency: string;
  readonly date: string;
  /** Null: there is none. */
  usdPerUnit: number | null;
  /** The next day with a rate in the store; null: there is none. */
  readonly nextDate: string | null;
  isChanged: boolean;
}

/** Reads what rates and sales concern; a changed rate changes the items that it applies to. */
export async function loadRateRows(tx: Connection, rows: readonly MarketRow[], batch: Batch) {
  const rates = await loadRates(tx, rows);
  const firstDates = await loadFirstDates(tx, rows);
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
    if (added === null || rate.nextDate === null) return added ?? rate.nextDate;
    return added < rate.nextDate ? added : rate.nextDate;
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
    save: () => saveRates(tx, [...rates.values()]),
  };
}

/** Days in order. Rates mostly come in order, so that each is put at the end. */
class SortedDates {
  private readonly dates: string[] = [];

  add(date: string): void {
    this.dates.splice(this.placeAfter(date), 0, date);
  }

  /** The first day after one; null when there is none. */
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

async function loadRates(
  tx: Connection,
  rows: readonly MarketRow[],
): Promise<Map<string, HeldRate>> {
  const named = new Map<string, ExchangeRate>();
  for (const row of rows) if (row.kind === 'fx') named.set(nameOf(row.rate), row.rate);
  if (named.size === 0) return new Map();
  const found = await tx.query<Omit<HeldRate, 'isChanged'>>(
    `SELECT named.currency, named.date, stored.usd_per_unit AS "usdPerUnit",
       later.date AS "nextDate"
     FROM unnest($1::text[], $2::text[]) AS named(currency, date)
     LEFT JOIN LATERAL (
       SELECT usd_per_unit FROM published.fx
       WHERE currency = named.currency AND date = named.date LIMIT 1) AS stored ON true
     LEFT JOIN LATERAL (
       SELECT fx.date FROM published.fx
       WHERE currency = named.currency AND fx.date > named.date
       ORDER BY fx.date LIMIT 1) AS later ON true`,
    [[...named.values()].map((r) => r.currency), [...named.values()].map((r) => r.date)],
  );
  return new Map(found.map((rate) => [nameOf(rate), { ...rate, isChanged: false }]));
}

/** From which day on there are rates, for every currency that a row names. */
async function loadFirstDates(
  tx: Connection,
  rows: readonly MarketRow[],
): Promise<Map<string, string>> {
  const currencies = new Set<string>();
  for (const row of rows) {
    if (row.kind === 'sale') currencies.add(row.sale.currency);
    else if (row.kind === 'fx') currencies.add(row.rate.currency);
  }
  currencies.delete('USD');
  if (currencies.size === 0) return new Map();
  const found = await tx.query<{ currency: string; date: string }>(
    `SELECT named.currency, first.date FROM unnest($1::text[]) AS named(currency)
     CROSS JOIN LATERAL (
       SELECT date FROM published.fx WHERE currency = named.currency
       ORDER BY date LIMIT 1) AS first`,
    [[...currencies]],
  );
  return new Map(found.map(({ currency, date }) => [currency, date]));
}

async function saveRates(tx: Connection, rates: readonly HeldRate[]): Promise<void> {
  await runForRows(
    tx,
    `INSERT INTO published.fx (currency, date, usd_per_unit)
     SELECT currency, date, "usdPerUnit" FROM json_to_recordset($1::text::json)
       AS r(currency text, date text, "usdPerUnit" double precision)
     ON CONFLICT (currency, date) DO UPDATE SET usd_per_unit = excluded.usd_per_unit`,
    rates.filter((rate) => rate.isChanged),
  );
}
