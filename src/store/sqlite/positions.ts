/** Lots with the days on which units of them were sold. */
import type { Database } from 'bun:sqlite';
import type { Position } from '../../domain/value-history.ts';

type Exits = Position['exits'];

const noExits: Exits = [];

/** Reads every lot of an account. There may be thousands, so rows become positions in place. */
export function positionsReader(db: Database): (accountId: number) => Position[] {
  const lots = db.query<Position & { readonly id: number; exits: Exits }, [number]>(
    `SELECT id, set_key AS setKey, condition, unixepoch(purchase_date) / 86400 AS boughtOn,
       quantity, price_cents AS priceCents, NULL AS exits
     FROM lot INDEXED BY lot_position WHERE account_id = ? ORDER BY set_key, condition`,
  );
  const takes = db.query<{ lotId: number; day: number; quantity: number }, [number]>(
    `SELECT t.lot_id AS lotId, unixepoch(s.sale_date) / 86400 AS day, t.quantity
     FROM ledger_sale s JOIN ledger_take t ON t.sale_id = s.id WHERE s.account_id = ?`,
  );
  return (accountId) => {
    const exits = Map.groupBy(takes.all(accountId), (take) => take.lotId);
    const positions = lots.all(accountId);
    for (const position of positions) position.exits = exits.get(position.id) ?? noExits;
    return positions;
  };
}
