/** A set's offers, read back from where the fold over them was left. */
import type { Database } from 'bun:sqlite';
import type { ItemInputs, RetailInputs } from '../../domain/market/market-store.ts';
import { type RetailState, retailFoldVersion } from '../../domain/market/retail-state.ts';
import { type Retailer, retailers } from '../../domain/market/source-rows.ts';
import { type OfferRow, toOffer } from '../source-rows.ts';

/** Reads the retail inputs of an item up to an instant; empty for a minifig. */
export function retailReader(
  db: Database,
): (item: Pick<ItemInputs, 'id' | 'kind' | 'key'>, at: number) => ItemInputs['retail'] {
  const findState = db.query<{ state: string }, [number, Retailer, number, number]>(
    `SELECT state FROM retail_state
     WHERE item_id = ? AND retailer = ? AND fold_version = ? AND checked_at <= ?`,
  );
  const findOffers = db.query<OfferRow, [number, Retailer, number, number]>(
    `SELECT * FROM offer WHERE item_id = ? AND retailer = ? AND observed_at > ?
       AND observed_at <= ? ORDER BY observed_at`,
  );
  const findNext = db.query<{ at: number | null }, [number, Retailer, number]>(
    `SELECT min(observed_at) AS at FROM offer
     WHERE item_id = ? AND retailer = ? AND observed_at > ?`,
  );
  return ({ id, kind, key }, at) => {
    const read = (retailer: Retailer): RetailInputs => {
      if (kind !== 'set') return { kept: null, offers: [], nextAt: null };
      const row = findState.get(id, retailer, retailFoldVersion, at);
      const kept: RetailState | null = row && JSON.parse(row.state);
      const since = kept?.latest.at ?? Number.MIN_SAFE_INTEGER;
      const offers = findOffers.all(id, retailer, since, at).map((found) => toOffer(found, key));
      return { kept, offers, nextAt: findNext.get(id, retailer, at)?.at ?? null };
    };
    const [first, second] = retailers;
    return { [first]: read(first), [second]: read(second) };
  };
}
