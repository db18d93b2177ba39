/** Lots as they were bought, sold out or not. */
import type { StoredLot } from '../../domain/holding-store.ts';
import type { Connection } from './client.ts';

/** The lots that have one of these source ids. */
export async function findLots(
  client: Connection,
  accountId: number,
  sourceIds: readonly string[],
): Promise<Map<string, StoredLot>> {
  const rows = await client.query<StoredLot>(
    `SELECT lot.source_id AS "sourceId", brickfolio.name AS brickfolio,
       set_number AS "setNumber", quantity::float8 AS quantity, condition,
       price_cents::float8 AS "priceCents", purchase_date AS "purchaseDate", status,
       is_estimated AS "isEstimated", sold::float8 AS sold
     FROM private.lot JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id
     WHERE lot.account_id = $1::bigint AND lot.source_id = ANY($2::text[])`,
    [accountId, sourceIds],
  );
  return new Map(rows.map((row) => [row.sourceId, row]));
}
