/** Looks up the exchange rates that convert amounts. */

import { dayMs, dayOf, formatDay } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import type { RateQuery } from '../source-rows/market-ingest.ts';
import type { ExchangeRate } from '../source-rows/source-rows.ts';
import { oldestRateDay } from './exchange.ts';

export interface DayRate {
  readonly usdPerUnit: number;
  /** When the first rate arrived that could convert amounts of the day. */
  readonly knownAt: number;
}

export function* loadRates(days: readonly RateQuery[]): db.Reading<(DayRate | null)[]> {
  const groups = yield* db.queryGroups<{ usdPerUnit: number; ingestedAt: number }>(
    `SELECT usd_per_unit AS "usdPerUnit", ingested_at::float8 AS "ingestedAt" FROM published.fx
     WHERE currency = r.currency AND date <= r.date AND date >= r.since ORDER BY date DESC`,
    {
      types: { currency: 'text', date: 'text', since: 'text' },
      rows: days.map(({ currency, date }) => ({ currency, date, since: oldestRateDay(date) })),
    },
  );
  return groups.map((rates) => {
    const [latest] = rates;
    if (!latest) return null;
    const knownAt = Math.min(...rates.map(({ ingestedAt }) => ingestedAt));
    return { usdPerUnit: latest.usdPerUnit, knownAt };
  });
}

/** US dollars per unit of a day, 1 for dollars; null if there is no rate. */
export function* findRates(days: readonly RateQuery[]): db.Reading<(number | null)[]> {
  const foreign = days.filter(({ currency }) => currency !== 'USD');
  const rates = yield* loadRates(foreign);
  let next = 0;
  return days.map(({ currency }) => (currency === 'USD' ? 1 : (rates[next++]?.usdPerUnit ?? null)));
}

/** The latest rates of currencies up to a day; currencies without a rate are left out. */
export function* findLatestRates(
  currencies: readonly string[],
  until: string,
): db.Reading<ExchangeRate[]> {
  const found = yield* db.queryGroups<ExchangeRate>(
    `SELECT currency, date, usd_per_unit AS "usdPerUnit" FROM published.fx
     WHERE currency = r.currency AND date <= r.until ORDER BY date DESC LIMIT 1`,
    {
      types: { currency: 'text', until: 'text' },
      rows: currencies.map((currency) => ({ currency, until })),
    },
  );
  return found.flat();
}

/** A feed can have any code of three letters. */
const currenciesMax = 500;

/** The latest rates of all currencies up to a day, by currency. Skips from one to the next. */
export function* listLatestRates(until: string): db.Reading<ExchangeRate[]> {
  return yield* db.query<ExchangeRate>(
    `WITH RECURSIVE held(currency) AS (
       SELECT min(currency) FROM published.fx
       UNION ALL
       SELECT (SELECT min(fx.currency) FROM published.fx fx WHERE fx.currency > held.currency)
       FROM held WHERE held.currency IS NOT NULL
     )
     SELECT rate.currency, rate.date, rate.usd_per_unit AS "usdPerUnit"
     FROM held JOIN published.fx rate ON rate.currency = held.currency
       AND rate.date = (SELECT max(fx.date) FROM published.fx fx
         WHERE fx.currency = held.currency AND fx.date <= $1::text)
     ORDER BY rate.currency LIMIT $2::bigint`,
    [until, currenciesMax],
  );
}

/** An amount's currency and time. */
export interface DatedAmount {
  readonly currency: string;
  readonly at: number;
}

/** Loads the rates of amounts that are not in dollars, one lookup per currency and day. */
export function* loadRateBook(amounts: readonly DatedAmount[]): db.Reading<RateBook> {
  const book = new RateBook();
  for (const amount of amounts) book.ask(amount);
  yield* book.load();
  return book;
}

export class RateBook {
  private readonly days = new Map<string, Map<number, DayRate | null>>();

  ask({ currency, at }: DatedAmount): void {
    if (currency === 'USD') return;
    this.days.getOrInsertComputed(currency, () => new Map()).set(dayOf(at), null);
  }

  *load(): db.Reading<void> {
    const needed = [...this.days].flatMap(([currency, days]) =>
      Array.from(days.keys(), (day) => ({ currency, day, date: formatDay(day * dayMs) })),
    );
    const rates = yield* loadRates(needed);
    for (const [index, { currency, day }] of needed.entries()) {
      this.days.get(currency)?.set(day, rates[index] ?? null);
    }
  }

  /** Null if there is no rate. Only for amounts that were asked for, and not for dollars. */
  find({ currency, at }: DatedAmount): DayRate | null {
    return this.days.get(currency)?.get(dayOf(at)) ?? null;
  }
}
