/** The sales of many items, read back with the exchange rates of their days. */

import { dayMs, dayOf, formatDay } from '../../domain/kernel/time.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';
import { bySale } from '../source-rows.ts';
import type { Connection } from './client.ts';

type Sale = { -readonly [Name in keyof StoredSale]: StoredSale[Name] };

/** Reads the sales of items, each in order. */
export async function loadSales(
  client: Connection,
  ids: readonly number[],
): Promise<Map<number, StoredSale[]>> {
  const rows = await client.query<Sale & { readonly id: number }>(
    `SELECT item_id::float8 AS id, source, source_id AS "sourceId", condition,
       price_cents::float8 AS "priceCents", shipping_cents::float8 AS "shippingCents", currency,
       quantity::float8 AS quantity, sold_at::float8 AS "soldAt", channel, seller, completeness,
       ingested_at::float8 AS "ingestedAt", retracted_at::float8 AS "retractedAt",
       1::float8 AS "usdPerUnit"
     FROM source.sale WHERE item_id = ANY($1::bigint[])`,
    [ids],
  );
  const found = new Map<number, Sale[]>();
  const foreign: Sale[] = [];
  for (const { id, ...sale } of rows) {
    if (sale.currency !== 'USD') foreign.push(sale);
    const list = found.get(id);
    if (list) list.push(sale);
    else found.set(id, [sale]);
  }
  await addRates(client, foreign);
  for (const list of found.values()) list.sort(bySale);
  return found;
}

/** Fills in the latest rate up to the day of each sale; 0 when there is none. */
async function addRates(client: Connection, foreign: readonly Sale[]): Promise<void> {
  if (foreign.length === 0) return;
  const rates = new Map<string, Map<number, number>>();
  for (const { currency, soldAt } of foreign) {
    const ofDays = rates.get(currency) ?? new Map<number, number>();
    rates.set(currency, ofDays.set(dayOf(soldAt), 0));
  }
  // Each day is asked for once: there are fewer of them than sales, and than rates.
  const days = [...rates].flatMap(([currency, ofDays]) =>
    Array.from(ofDays.keys(), (day) => ({ currency, day })),
  );
  const rows = await client.query<{ currency: string; day: number; rate: number }>(
    `SELECT w.currency, w.day, f.usd_per_unit AS rate
     FROM unnest($1::text[], $2::integer[], $3::text[]) AS w (currency, day, date)
     CROSS JOIN LATERAL (SELECT usd_per_unit FROM published.fx
       WHERE currency = w.currency AND date <= w.date ORDER BY date DESC LIMIT 1) f`,
    [
      days.map(({ currency }) => currency),
      days.map(({ day }) => day),
      days.map(({ day }) => formatDay(day * dayMs)),
    ],
  );
  for (const { currency, day, rate } of rows) rates.get(currency)?.set(day, rate);
  for (const sale of foreign) {
    sale.usdPerUnit = rates.get(sale.currency)?.get(dayOf(sale.soldAt)) ?? 0;
  }
}
