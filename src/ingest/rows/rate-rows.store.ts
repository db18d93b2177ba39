/**
 * Applies exchange rates, before the other rows of a batch. Sales and offers are stored in their
 * own currency, so all that a rate changes is derived: it makes their items stale, and what was
 * made of offers is made again. That also brings in rows that waited for the rate.
 */

import { dayMs } from '../../kernel/time.ts';
import {
  mergeWindows,
  type RateWindow,
  rateWindow,
  windowSlices,
} from '../../market/rates/exchange.ts';
import type { MarketRow, RateQuery, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { ExchangeRate, Offer } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { Batch } from './batch.store.ts';
import { never } from './changes.store.ts';
import { forgetStates } from './offer-rows.store.ts';
import { loadRetailWeeks } from './retail-weeks.store.ts';

/** The rate of a currency on a day while a batch is applied. */
interface HeldRate extends RateQuery {
  usdPerUnit: number | null;
  readonly stored: number | null;
  isChanged: boolean;
}

/** Writes the rates of a batch; returns the outcomes of their rows, in order. */
export function* applyRates(
  rows: readonly MarketRow[],
  batch: Pick<Batch, 'at' | 'changes' | 'waiting' | 'undo'>,
): db.Operation<RowOutcome[]> {
  const rates = rows.flatMap((row) => (row.kind === 'fx' ? row.rate : []));
  if (rates.length === 0) return [];
  const held = yield* loadHeld(rates);
  const outcomes = rates.map((rate): RowOutcome => {
    const known = held.get(nameOf(rate));
    if (!known) throw new Error(`The rate of ${nameOf(rate)} was not looked up.`);
    if (known.usdPerUnit === rate.usdPerUnit) return { kind: 'unchanged' };
    const isNew = known.usdPerUnit === null;
    known.usdPerUnit = rate.usdPerUnit;
    known.isChanged = true;
    return { kind: isNew ? 'added' : 'updated' };
  });
  const changed = [...held.values()].filter((rate) => rate.isChanged);
  for (const { currency, date, stored } of changed) {
    batch.undo.add('rate', stored === null ? [currency, date] : [currency, date, stored]);
  }
  const added = changed.filter(({ stored }) => stored === null);
  // A corrected rate counts as known since it first arrived, like a corrected sale.
  const corrected = changed.filter(({ stored }) => stored !== null);
  yield* db.insertRows(
    tables.fx,
    added.map((rate) => ({ ...rate, ingestedAt: batch.at })),
  );
  yield* db.updateRows(tables.fx, ['usdPerUnit'], corrected);
  yield* convertAgain(yield* loadWindows(changed), batch);
  return outcomes;
}

function nameOf({ currency, date }: RateQuery): string {
  return `${currency} ${date}`;
}

function* loadHeld(rates: readonly ExchangeRate[]): db.Operation<Map<string, HeldRate>> {
  const named = new Map(rates.map((rate) => [nameOf(rate), rate]));
  const found = yield* db.queryEach<RateQuery & { stored: number | null }>(
    `SELECT r.currency AS currency, r.date AS date, (SELECT usd_per_unit FROM published.fx
       WHERE currency = r.currency AND date = r.date) AS stored`,
    db.givenRows(tables.fx, ['currency', 'date'], [...named.values()]),
  );
  return new Map(
    found.map((rate) => [nameOf(rate), { ...rate, usdPerUnit: rate.stored, isChanged: false }]),
  );
}

/** The amounts that rates convert, by the rates in the store. */
export function* loadWindows(rates: readonly RateQuery[]): db.Operation<RateWindow[]> {
  const found = yield* db.queryEach<RateQuery & { nextDate: string | null }>(
    `SELECT r.currency AS currency, r.date AS date, (SELECT min(date) FROM published.fx
       WHERE currency = r.currency AND date > r.date) AS "nextDate"`,
    db.givenRows(tables.fx, ['currency', 'date'], rates),
  );
  return found.map(({ nextDate, ...rate }) => rateWindow(rate, nextDate));
}

/** Offers of this long are derived again at once, to limit memory. */
const sliceMs = 28 * dayMs;

const windowTypes = { currency: 'text', from: 'bigint', to: 'bigint' };

/** Updates all that depends on the rates of rows in the store. */
export function* convertAgain(
  changed: readonly RateWindow[],
  batch: Pick<Batch, 'changes' | 'waiting'>,
): db.Operation<void> {
  for (const { currency } of changed) batch.waiting.add(currency);
  const windows = mergeWindows(changed);
  const sold = yield* db.queryEach<{ itemId: number; soldAt: number }>(
    `SELECT s.item_id::float8 AS "itemId", min(s.sold_at)::float8 AS "soldAt"
     FROM source.sale AS s WHERE s.currency = r.currency AND s.currency <> 'USD'
       AND s.sold_at >= r."from" AND s.sold_at < r."to" GROUP BY s.item_id`,
    { types: windowTypes, rows: windows },
  );
  for (const { itemId, soldAt } of sold) batch.changes.touchSale(itemId, soldAt);
  for (const { target } of [tables.listings, tables.partOut]) {
    const shown = yield* db.queryEach<{ itemId: number }>(
      `SELECT l.item_id::float8 AS "itemId" FROM ${target} AS l
       WHERE l.currency = r.currency AND l.currency <> 'USD'
         AND l.observed_at >= r."from" AND l.observed_at < r."to"`,
      { types: windowTypes, rows: windows },
    );
    for (const { itemId } of shown) batch.changes.touch(itemId, never);
  }
  for (const slice of windowSlices(windows, sliceMs)) yield* convertOffers(slice, batch);
}

function* convertOffers(
  windows: readonly RateWindow[],
  { changes }: Pick<Batch, 'changes'>,
): db.Operation<void> {
  const looks = yield* db.queryEach<Pick<Offer, 'retailer' | 'observedAt'> & { itemId: number }>(
    `SELECT o.item_id::float8 AS "itemId", o.retailer, o.observed_at::float8 AS "observedAt"
     FROM source.offer AS o WHERE o.currency = r.currency AND o.currency <> 'USD'
       AND o.observed_at >= r."from" AND o.observed_at < r."to"`,
    { types: windowTypes, rows: windows },
  );
  if (looks.length === 0) return;
  const weeks = yield* loadRetailWeeks(looks, looks);
  for (const { itemId, observedAt } of looks) {
    changes.touchOffer(itemId, observedAt, weeks.refresh(itemId, observedAt));
  }
  yield* forgetStates(looks);
  yield* weeks.save();
}
