/** Lots with the days on which units of them were sold. */
import type { Database } from 'bun:sqlite';
import type { Position } from '../../domain/portfolio/value-history.ts';
import { type ExitRow, type PositionRow, toPositions } from '../holding-rows.ts';

/** Reads every lot of an account. */
export function positionsReader(db: Database): (accountId: number) => Position[] {
  const lots = db.query<PositionRow, [number]>(
    `SELECT id, set_key AS setKey, condition, unixepoch(purchase_date) / 86400 AS boughtOn,
       quantity, price_cents AS priceCents, NULL AS exits
     FROM lot INDEXED BY lot_position WHERE account_id = ? ORDER BY set_key, condition`,
  );
  const takes = db.query<ExitRow, [number]>(
    `SELECT t.lot_id AS lotId, unixepoch(s.sale_date) / 86400 AS day, t.quantity
     FROM ledger_sale s JOIN ledger_take t ON t.sale_id = s.id WHERE s.account_id = ?
     ORDER BY s.sale_date DESC, s.id`,
  );
  return (accountId) => toPositions(lots.all(accountId), takes.all(accountId));
}
