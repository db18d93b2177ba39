/** Loads the offers of many sets that are not yet part of their stored retail states. */

import { weekMs } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, tables } from '../../store/sql/tables.ts';
import type { ItemInputs, RetailInputs } from '../published/publishing.ts';
import { offerInDollars } from '../rates/exchange.ts';
import { loadRateBook, type RateBook } from '../rates/rates.store.ts';
import { type Offer, type Retailer, retailers } from '../source-rows/source-rows.ts';
import type { ItemName } from '../values/learning-inputs.ts';
import { endLooks, lookTimes } from './offer-runs.ts';
import { type RunRow, toRun } from './offer-weeks.store.ts';
import { retailFoldVersion } from './retail-state.ts';

type Row = Omit<RunRow, 'observedAt'> & {
  readonly state: string | null;
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  /** Null if there is no offer after the state. */
  readonly observedAt: number | null;
};

/** A run is within a week. */
const sinceState = `o.last_at > coalesce(s.checked_at, ${Number.MIN_SAFE_INTEGER})
    AND o.observed_at > coalesce(s.checked_at - ${weekMs}, ${Number.MIN_SAFE_INTEGER})`;

/** One statement: a state that another process advances in between would hide offers. */
const offersSql = `
  SELECT s.state, s.checked_at::float8 AS "checkedAt",
    ${columnsBut(tables.offer, 'o', ['itemId', 'retailer'])},
    (SELECT min(observed_at) FROM source.offer WHERE item_id = r.id AND retailer = r.retailer
      AND observed_at > r.at)::float8 AS "nextAt"
  FROM (SELECT 1) AS one
  LEFT JOIN source.retail_state s ON s.item_id = r.id AND s.retailer = r.retailer
    AND s.fold_version = ${retailFoldVersion} AND s.checked_at <= r.at
  LEFT JOIN source.offer o ON o.item_id = r.id AND o.retailer = r.retailer
    AND ${sinceState} AND o.observed_at <= r.at
  ORDER BY o.observed_at`;

/** The number of offers up to a time that are not part of the retail states, by item. */
export const openOffers = `
  SELECT o.item_id::float8 AS id, count(*)::float8 AS rows FROM source.offer o
  LEFT JOIN source.retail_state s ON s.item_id = o.item_id AND s.retailer = o.retailer
    AND s.fold_version = ${retailFoldVersion} AND s.checked_at <= $2::bigint
  WHERE o.item_id = ANY($1::bigint[]) AND o.observed_at <= $2::bigint AND ${sinceState}
  GROUP BY o.item_id`;

/** Items with any offers; most have none. */
const offeredSql = `SELECT id::float8 AS id FROM published.item WHERE id = ANY($1::bigint[])
  AND (EXISTS (SELECT 1 FROM source.retail_state s WHERE s.item_id = item.id)
    OR EXISTS (SELECT 1 FROM source.offer o WHERE o.item_id = item.id))`;

/** Retail inputs of items up to a time; empty for minifigs. */
export function* loadRetail(
  items: readonly ItemName[],
  at: number,
): db.Reading<(item: ItemName) => ItemInputs['retail']> {
  const setIds = items.flatMap(({ id, kind }) => (kind === 'set' ? [id] : []));
  const sets = yield* db.query<{ readonly id: number }>(offeredSql, [setIds]);
  const rows = sets.flatMap(({ id }) => retailers.map((retailer) => ({ id, retailer, at })));
  const groups = yield* db.queryGroups<Row>(offersSql, {
    types: { id: 'bigint', retailer: 'text', at: 'bigint' },
    rows,
  });
  const book = yield* loadRateBook(
    groups.flatMap((group) =>
      group.flatMap(({ currency, observedAt: at }) =>
        at === null || currency === 'USD' ? [] : { currency, at },
      ),
    ),
  );
  const groupOf = new Map(sets.map(({ id }, index) => [id, index * retailers.length]));
  return ({ id, key: setKey }) => {
    const read = (retailer: Retailer): RetailInputs => {
      const group = (groupOf.get(id) ?? Number.NaN) + retailers.indexOf(retailer);
      return toInputs(groups[group] ?? [], { look: { retailer, setKey }, at, book });
    };
    const [first, second] = retailers;
    return { [first]: read(first), [second]: read(second) };
  };
}

interface InputQuestion {
  readonly look: Pick<Offer, 'retailer' | 'setKey'>;
  readonly at: number;
  readonly book: RateBook;
}

/** Offers in US dollars, without those that wait for an exchange rate. */
function toInputs(rows: readonly Row[], { look, at, book }: InputQuestion): RetailInputs {
  const { state = null, checkedAt, nextAt = null } = rows[0] ?? {};
  const runs = rows.flatMap(({ state: _, checkedAt: __, nextAt: ___, observedAt, ...row }) =>
    observedAt === null ? [] : toRun({ ...row, observedAt }),
  );
  const offers = runs.flatMap((run) => {
    const rate = book.find({ currency: run.facts.currency, at: run.firstAt });
    const offer = offerInDollars({ ...run.facts, ...look }, rate?.usdPerUnit ?? null);
    if (offer === null) return [];
    const times = endLooks(run, checkedAt ?? Number.NEGATIVE_INFINITY, at);
    return times.map((observedAt) => ({ ...offer, observedAt }));
  });
  const last = runs.at(-1);
  const later = last && last.lastAt > at ? lookTimes(last).find((time) => time > at) : undefined;
  return { kept: state === null ? null : JSON.parse(state), offers, nextAt: later ?? nextAt };
}
