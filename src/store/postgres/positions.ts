/** Lots with the days on which units of them were sold. */
import type { Position } from '../../domain/portfolio/value-history.ts';
import { type ExitRow, type PositionRow, toPositions } from '../holding-rows.ts';
import type { Connection } from './client.ts';

/** Every lot of an account; both statements must see one snapshot. */
export async function listPositions(tx: Connection, accountId: number): Promise<Position[]> {
  const lots = await tx.query<PositionRow>(
    `SELECT id::float8, set_key AS "setKey", condition,
       purchase_date::date - DATE '1970-01-01' AS "boughtOn", quantity::float8,
       price_cents::float8 AS "priceCents", NULL AS exits
     FROM private.lot WHERE account_id = $1::bigint
     ORDER BY set_key, condition, purchase_date, lot.quantity, price_cents, lot.id`,
    [accountId],
  );
  const takes = await tx.query<ExitRow>(
    `SELECT t.lot_id::float8 AS "lotId", s.sale_date::date - DATE '1970-01-01' AS day,
       t.quantity::float8
     FROM private.ledger_sale s JOIN private.ledger_take t ON t.sale_id = s.id
     WHERE s.account_id = $1::bigint ORDER BY s.sale_date DESC, s.id`,
    [accountId],
  );
  return toPositions(lots, takes);
}
