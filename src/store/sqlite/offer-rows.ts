/** Retailers' offers on their way in. */
import type { Database } from 'bun:sqlite';
import { weekOf, weekStart } from '../../domain/kernel/time.ts';
import type { RowOutcome } from '../../domain/market/market-store.ts';
import type { Offer } from '../../domain/market/source-rows.ts';
import { noItem } from '../refusals.ts';
import type { FindItem } from './find-item.ts';
import type { ParameterChanges } from './parameter-rows.ts';
import { retailWeekRows } from './retail-weeks.ts';
import type { Touched } from './touched.ts';

type OfferValues = (string | number | null)[];

/** Applies offers; a second look at the same instant replaces the first. */
export function offerRows(
  db: Database,
  work: { touched: Touched; changes: ParameterChanges; findItem: FindItem },
) {
  const insert = db.query<never, OfferValues>(
    'INSERT INTO offer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = db.query<never, OfferValues>(
    `UPDATE offer SET price_cents = ?4, list_price_cents = ?5, seller_type = ?6, in_stock = ?7,
       asin = ?8, product_url = ?9, lowest_fba_cents = ?10, fba_sellers = ?11, buy_box_cents = ?12
     WHERE item_id = ?1 AND retailer = ?2 AND observed_at = ?3 AND
       (price_cents, list_price_cents, seller_type, in_stock, asin, product_url,
        lowest_fba_cents, fba_sellers, buy_box_cents)
       IS NOT (?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`,
  );
  // A look that was made before one that is folded in already changes what came after it.
  const forgetState = db.query<never, [number, string, number]>(
    'DELETE FROM retail_state WHERE item_id = ? AND retailer = ? AND checked_at >= ?',
  );
  const weeks = retailWeekRows(db);
  return (offer: Offer): RowOutcome => {
    const setId = work.findItem('set', offer.setKey);
    if (setId === null) return noItem('set', offer.setKey);
    const values = offerValues(setId, offer);
    const isNew = insert.run(...values).changes === 1;
    if (!isNew && update.run(...values).changes === 0) return { kind: 'unchanged' };
    forgetState.run(setId, offer.retailer, offer.observedAt);
    const hasNewWeek = isNew ? weeks.add(setId, offer) : weeks.replace(setId, offer);
    work.touched.add(setId);
    // A week counts from its end on.
    if (hasNewWeek) work.changes.addAt(weekStart(weekOf(offer.observedAt) + 1));
    return { kind: isNew ? 'added' : 'updated' };
  };
}

function offerValues(setId: number, offer: Offer): OfferValues {
  return [
    setId,
    offer.retailer,
    offer.observedAt,
    offer.priceCents,
    offer.listPriceCents,
    offer.sellerType,
    offer.inStock === null ? null : Number(offer.inStock),
    offer.asin,
    offer.productUrl,
    offer.lowestFbaCents,
    offer.fbaSellers,
    offer.buyBoxCents,
  ];
}
