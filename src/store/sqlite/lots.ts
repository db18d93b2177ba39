/** Lots as they were bought, sold out or not. */
import type { Database } from 'bun:sqlite';
import type { StoredLot } from '../../domain/holding-store.ts';

/** The lots that have one of these source ids. */
export function findLots(
  db: Database,
  accountId: number,
  sourceIds: readonly string[],
): Map<string, StoredLot> {
  const find = db.query<Omit<StoredLot, 'isEstimated'> & { isEstimated: number }, [number, string]>(
    `SELECT lot.source_id AS sourceId, brickfolio.name AS brickfolio, set_number AS setNumber,
       quantity, condition, price_cents AS priceCents, purchase_date AS purchaseDate, status,
       is_estimated AS isEstimated, sold
     FROM lot JOIN brickfolio ON brickfolio.id = lot.brickfolio_id
     WHERE lot.account_id = ? AND lot.source_id = ?`,
  );
  const rows = sourceIds.flatMap((sourceId) => find.get(accountId, sourceId) ?? []);
  return new Map(rows.map((row) => [row.sourceId, { ...row, isEstimated: row.isEstimated === 1 }]));
}
