/** Lots as they were bought and sales as they were recorded, all of them. */

import type { Database } from 'bun:sqlite';
import type { RowsAfter } from '../../domain/kernel/page.ts';
import type {
  Recorded,
  StoredLedgerSale,
  StoredLot,
} from '../../domain/portfolio/holding-store.ts';
import type { NamedTake } from '../../domain/portfolio/lots.ts';
import { type RecordedSaleRow, toRecordedSale } from '../holding-rows.ts';

type LotRow = Omit<Recorded<StoredLot>, 'isEstimated'> & { readonly isEstimated: number };

const selectLots = `SELECT lot.id AS place, lot.source_id AS sourceId,
    brickfolio.name AS brickfolio, set_number AS setNumber, quantity, condition,
    price_cents AS priceCents, purchase_date AS purchaseDate, status,
    is_estimated AS isEstimated, sold
  FROM lot JOIN brickfolio ON brickfolio.id = lot.brickfolio_id`;

/** The lots that have one of these source ids. */
export function findLots(
  db: Database,
  accountId: number,
  sourceIds: readonly string[],
): Map<string, StoredLot> {
  const find = db.query<LotRow, [number, string]>(
    `${selectLots} WHERE lot.account_id = ? AND lot.source_id = ?`,
  );
  const rows = sourceIds.flatMap((sourceId) => find.get(accountId, sourceId) ?? []);
  return new Map(
    rows.map(({ place: _, ...row }) => [
      row.sourceId,
      { ...row, isEstimated: row.isEstimated === 1 },
    ]),
  );
}

/** Lots after one that is known. */
export function listLots(
  db: Database,
  accountId: number,
  { after, limit }: RowsAfter,
): Recorded<StoredLot>[] {
  return db
    .query<LotRow, [number, number, number]>(
      `${selectLots} WHERE lot.account_id = ? AND lot.id > ? ORDER BY lot.id LIMIT ?`,
    )
    .all(accountId, after, limit)
    .map((row) => ({ ...row, isEstimated: row.isEstimated === 1 }));
}

/** Sales after one that is known. */
export function listRecordedSales(
  db: Database,
  accountId: number,
  { after, limit }: RowsAfter,
): Recorded<StoredLedgerSale>[] {
  const takes = db.query<NamedTake, [number]>(
    `SELECT lot.source_id AS lot, ledger_take.quantity FROM ledger_take
     JOIN lot ON lot.id = ledger_take.lot_id WHERE sale_id = ? ORDER BY lot.id`,
  );
  return db
    .query<Omit<RecordedSaleRow, 'takes'>, [number, number, number]>(
      `SELECT id AS place, given, cost_cents AS costCents FROM ledger_sale
       WHERE account_id = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .all(accountId, after, limit)
    .map((row) => toRecordedSale({ ...row, takes: takes.all(row.place) }));
}
