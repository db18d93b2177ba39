/** The offers of many sets, read back from where the folds over them were left. */
import type { ItemName } from '../../domain/market/learning-inputs.ts';
import type { ItemInputs, RetailInputs } from '../../domain/market/market-store.ts';
import { type RetailState, retailFoldVersion } from '../../domain/market/retail-state.ts';
import { type Offer, type Retailer, retailers } from '../../domain/market/source-rows.ts';
import { type OfferRow, toOffer } from '../source-rows.ts';
import type { Connection } from './client.ts';

type Row = Omit<OfferRow, 'observed_at'> & {
  readonly id: number;
  readonly state: string | null;
  readonly nextAt: number | null;
  /** Null: there is no offer after the state. */
  readonly observed_at: number | null;
};

/**
 * Reads the retail inputs of items up to an instant; empty for minifigs. States and offers are
 * read by one statement: a state that another process takes further meanwhile would hide offers.
 */
export async function loadRetail(
  client: Connection,
  items: readonly ItemName[],
  at: number,
): Promise<(item: ItemName) => ItemInputs['retail']> {
  const setIds = items.flatMap(({ id, kind }) => (kind === 'set' ? [id] : []));
  const rows = setIds.length === 0 ? [] : await findRows(client, setIds, at);
  const found = { retailer_a: new Map<number, Row[]>(), retailer_b: new Map<number, Row[]>() };
  for (const row of rows) {
    const ofRetailer = found[row.retailer];
    const list = ofRetailer.get(row.id);
    if (list) list.push(row);
    else ofRetailer.set(row.id, [row]);
  }
  return ({ id, key }) => {
    const read = (retailer: Retailer) => toInputs(found[retailer].get(id) ?? [], key);
    const [first, second] = retailers;
    return { [first]: read(first), [second]: read(second) };
  };
}

function findRows(client: Connection, setIds: readonly number[], at: number): Promise<Row[]> {
  return client.query<Row>(
    `SELECT w.id::float8 AS id, r.retailer, s.state, n.at::float8 AS "nextAt",
       o.observed_at::float8 AS observed_at, o.price_cents::float8 AS price_cents,
       o.list_price_cents::float8 AS list_price_cents, o.seller_type, o.in_stock, o.asin,
       o.product_url, o.lowest_fba_cents::float8 AS lowest_fba_cents,
       o.fba_sellers::float8 AS fba_sellers, o.buy_box_cents::float8 AS buy_box_cents
     FROM unnest($1::bigint[]) AS w (id)
     CROSS JOIN unnest($2::text[]) AS r (retailer)
     LEFT JOIN source.retail_state s ON s.item_id = w.id AND s.retailer = r.retailer
       AND s.fold_version = $3 AND s.checked_at <= $4::bigint
     LEFT JOIN LATERAL (SELECT min(observed_at) AS at FROM source.offer
       WHERE item_id = w.id AND retailer = r.retailer AND observed_at > $4::bigint) n ON true
     LEFT JOIN LATERAL (SELECT * FROM source.offer
       WHERE item_id = w.id AND retailer = r.retailer AND observed_at <= $4::bigint
         AND (s.checked_at IS NULL OR observed_at > s.checked_at)) o ON true
     ORDER BY w.id, r.retailer, o.observed_at`,
    [setIds, retailers, retailFoldVersion, at],
  );
}

function toInputs(rows: readonly Row[], setKey: string): RetailInputs {
  const { state = null, nextAt = null } = rows[0] ?? {};
  const kept: RetailState | null = state === null ? null : JSON.parse(state);
  const offers = rows.flatMap((row): Offer[] => {
    const { observed_at } = row;
    return observed_at === null ? [] : [toOffer({ ...row, observed_at }, setKey)];
  });
  return { kept, offers, nextAt };
}
