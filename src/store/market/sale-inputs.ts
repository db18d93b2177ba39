/** The sales of many items, read back with the exchange rates of their days. */
import { dayMs, dayOf, formatDay } from '../../domain/kernel/time.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';
import { givenRows, type Operation, queryEach, queryGroups } from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { bySale } from './source-rows.ts';

type Sale = { -readonly [Name in keyof StoredSale]: StoredSale[Name] };

const salesSql = `SELECT ${columnsOf(tables.sale, 's', fieldsOf(tables.sale, ['itemId']))},
    1::float8 AS "usdPerUnit"
  FROM source.sale AS s WHERE s.item_id = r.id`;

/** Reads the sales of items, each in order. */
export function* loadSales(ids: readonly number[]): Operation<Map<number, StoredSale[]>> {
  const rows = ids.map((id) => ({ id }));
  const groups = yield* queryGroups<Sale>(salesSql, givenRows(tables.item, ['id'], rows));
  yield* addRates(groups.flatMap((sales) => sales.filter((sale) => sale.currency !== 'USD')));
  // Sorted here: the rows lie by source, and an item has few of them.
  return new Map(ids.map((id, index) => [id, (groups[index] ?? []).sort(bySale)]));
}

/** Fills in the latest rate up to the day of each sale; 0 when there is none. */
function* addRates(foreign: readonly Sale[]): Operation<void> {
  const rates = new Map<string, Map<number, number>>();
  for (const { currency, soldAt } of foreign) {
    const ofDays = rates.get(currency) ?? new Map<number, number>();
    rates.set(currency, ofDays.set(dayOf(soldAt), 0));
  }
  // Each day is asked for once: there are fewer of them than sales, and than rates.
  const days = [...rates].flatMap(([currency, ofDays]) =>
    Array.from(ofDays.keys(), (day) => ({ currency, day, date: formatDay(day * dayMs) })),
  );
  const found = yield* queryEach<{ currency: string; day: number; rate: number }>(
    `SELECT r.currency AS currency, r.day AS day, usd_per_unit AS rate FROM published.fx
     WHERE currency = r.currency AND date <= r.date ORDER BY date DESC LIMIT 1`,
    { types: { currency: 'text', day: 'integer', date: 'text' }, rows: days },
  );
  for (const { currency, day, rate } of found) rates.get(currency)?.set(day, rate);
  for (const sale of foreign) {
    sale.usdPerUnit = rates.get(sale.currency)?.get(dayOf(sale.soldAt)) ?? 0;
  }
}
