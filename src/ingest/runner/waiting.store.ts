/**
 * Counts the sales and offers that wait for an exchange rate, by currency. They are stored like all
 * others, and count from the moment a rate of their day, or one of the week before it, is there.
 */
import { compareText } from '../../catalog/items/numbers.ts';
import { formatDay } from '../../kernel/time.ts';
import { type RateWindow, uncovered } from '../../market/rates/exchange.ts';
import type { WaitingRows } from '../../market/source-rows/market-ingest.ts';
import { groupValues } from '../../store/sql/group-values.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';

/** Currencies with waiting rows, in order. */
export function listWaiting(): db.Reading<WaitingRows[]> {
  return db.query<WaitingRows>(
    `SELECT ${columnsOf(tables.waiting, 'w')} FROM published.waiting AS w ORDER BY w.currency`,
  );
}

/** Counts again after rows or rates in these currencies have changed. */
export function* saveWaiting(currencies: ReadonlySet<string>): db.Operation<void> {
  const changed = [...currencies].filter((currency) => currency !== 'USD').sort(compareText);
  if (changed.length === 0) return;
  const gaps = yield* loadGaps(yield* listUsed(changed));
  const counts = [...(yield* countIn(gaps, soldIn)), ...(yield* countIn(gaps, offeredIn))];
  const rows = Array.from(
    Map.groupBy(counts, ({ currency }) => currency),
    ([currency, some]): WaitingRows => ({
      currency,
      count: some.reduce((sum, { count }) => sum + count, 0),
      firstDate: formatDay(Math.min(...some.map(({ first }) => first))),
      lastDate: formatDay(Math.max(...some.map(({ last }) => last))),
    }),
  );
  yield* db.run('DELETE FROM published.waiting WHERE currency = ANY($1::text[])', [changed]);
  yield* db.insertRows(tables.waiting, rows);
}

/** Currencies that have any rows: there are rates of many more. */
function* listUsed(currencies: readonly string[]): db.Reading<string[]> {
  const rows = yield* db.queryEach<{ currency: string }>(
    `SELECT r.currency AS currency
     WHERE EXISTS (SELECT 1 FROM source.sale AS s
         WHERE s.currency = r.currency AND s.currency <> 'USD')
       OR EXISTS (SELECT 1 FROM source.offer AS o
         WHERE o.currency = r.currency AND o.currency <> 'USD')`,
    { types: { currency: 'text' }, rows: currencies.map((currency) => ({ currency })) },
  );
  return rows.map(({ currency }) => currency);
}

function* loadGaps(currencies: readonly string[]): db.Reading<RateWindow[]> {
  const rates = yield* db.query<{ currency: string; date: string }>(
    `SELECT currency, date FROM published.fx WHERE currency = ANY($1::text[])
     ORDER BY currency, date`,
    [currencies],
  );
  const dates = groupValues(rates, 'currency', 'date');
  return currencies.flatMap((currency) => uncovered(currency, dates.get(currency) ?? []));
}

interface GapCount {
  readonly currency: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

const soldIn = `SELECT r.currency AS currency, count(*)::float8 AS count,
    min(s.sold_at)::float8 AS first, max(s.sold_at)::float8 AS last
  FROM source.sale AS s WHERE s.currency = r.currency AND s.currency <> 'USD'
    AND s.sold_at >= r."from" AND s.sold_at < r."to" AND s.retracted_at IS NULL
  HAVING count(*) > 0`;

const offeredIn = `SELECT r.currency AS currency, sum(o.looks)::float8 AS count,
    min(o.observed_at)::float8 AS first, max(o.last_at)::float8 AS last
  FROM source.offer AS o WHERE o.currency = r.currency AND o.currency <> 'USD'
    AND o.observed_at >= r."from" AND o.observed_at < r."to"
  HAVING count(*) > 0`;

function countIn(gaps: readonly RateWindow[], sql: string): db.Reading<GapCount[]> {
  const types = { currency: 'text', from: 'bigint', to: 'bigint' };
  return db.queryEach<GapCount>(sql, { types, rows: gaps });
}
