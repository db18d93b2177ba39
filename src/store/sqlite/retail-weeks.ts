/**
 * Retailers' own lowest price of each week. It is always what the offers of the week say, however
 * those arrived: a new offer can only lower it, and a replaced one has its week gone through again.
 */
import type { Database } from 'bun:sqlite';
import { weekOf, weekStart } from '../../domain/kernel/time.ts';
import type { RetailWeek } from '../../domain/market/estimator.ts';
import { type Offer, ownPriceCents, retailers } from '../../domain/market/source-rows.ts';

/** Keeps the weeks of sets up with their offers, which are in the store already. */
export function retailWeekRows(db: Database) {
  const lower = db.query<never, [number, number, number]>(
    `INSERT INTO retail_week (item_id, week, price_cents) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET price_cents = excluded.price_cents
     WHERE excluded.price_cents < price_cents`,
  );
  const drop = db.query<never, [number, number]>(
    'DELETE FROM retail_week WHERE item_id = ? AND week = ?',
  );
  // Naming the retailers lets SQLite go straight to the week.
  const fill = db.query<never, (number | string)[]>(
    `INSERT INTO retail_week (item_id, week, price_cents)
     SELECT item_id, ?2, min(price_cents) FROM offer
     WHERE item_id = ?1 AND retailer IN (?5, ?6) AND observed_at >= ?3 AND observed_at < ?4
       AND price_cents IS NOT NULL AND in_stock = 1 AND seller_type = 'retailer'
     GROUP BY item_id`,
  );
  return {
    /** An offer was added; whether that changed its week. */
    add(setId: number, offer: Offer): boolean {
      const priceCents = ownPriceCents(offer);
      if (priceCents === null) return false;
      return lower.run(setId, weekOf(offer.observedAt), priceCents).changes > 0;
    },
    /** An offer says something else than before; whether that may have changed its week. */
    replace(setId: number, offer: Offer): boolean {
      const week = weekOf(offer.observedAt);
      const dropped = drop.run(setId, week).changes;
      const filled = fill.run(setId, week, weekStart(week), weekStart(week + 1), ...retailers);
      return dropped + filled.changes > 0;
    },
  };
}

/** Reads the weeks of a set that had begun at an instant. */
export function retailWeeksReader(db: Database): (setId: number, at: number) => RetailWeek[] {
  const find = db.query<RetailWeek, [number, number]>(
    `SELECT week, price_cents AS priceCents FROM retail_week
     WHERE item_id = ? AND week <= ? ORDER BY week`,
  );
  return (setId, at) => find.all(setId, weekOf(at));
}
