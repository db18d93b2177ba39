/** Lots as they were bought and sales as they were recorded, all of them. */
import type { RowsAfter } from '../../domain/kernel/page.ts';
import type {
  Recorded,
  StoredLedgerSale,
  StoredLot,
} from '../../domain/portfolio/holding-store.ts';
import { type RecordedSaleRow, toRecordedSale } from '../holding-rows.ts';
import type { Connection } from './client.ts';

const selectLots = `SELECT lot.id::float8 AS place, lot.source_id AS "sourceId",
    brickfolio.name AS brickfolio, set_number AS "setNumber", quantity::float8 AS quantity,
    condition, price_cents::float8 AS "priceCents", purchase_date AS "purchaseDate", status,
    is_estimated AS "isEstimated", sold::float8 AS sold
  FROM private.lot JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id`;

/** The lots that have one of these source ids. */
export async function findLots(
  client: Connection,
  accountId: number,
  sourceIds: readonly string[],
): Promise<Map<string, StoredLot>> {
  const rows = await client.query<Recorded<StoredLot>>(
    `${selectLots} WHERE lot.account_id = $1::bigint AND lot.source_id = ANY($2::text[])`,
    [accountId, sourceIds],
  );
  return new Map(rows.map(({ place: _, ...row }) => [row.sourceId, row]));
}

/** Lots after one that is known. */
export function listLots(
  client: Connection,
  accountId: number,
  { after, limit }: RowsAfter,
): Promise<Recorded<StoredLot>[]> {
  return client.query<Recorded<StoredLot>>(
    `${selectLots} WHERE lot.account_id = $1::bigint AND lot.id > $2::bigint
     ORDER BY lot.id LIMIT $3::bigint`,
    [accountId, after, limit],
  );
}

/** Sales after one that is known. */
export async function listRecordedSales(
  client: Connection,
  accountId: number,
  { after, limit }: RowsAfter,
): Promise<Recorded<StoredLedgerSale>[]> {
  const rows = await client.query<RecordedSaleRow>(
    `SELECT id::float8 AS place, given, cost_cents::float8 AS "costCents",
       coalesce((SELECT json_agg(json_build_object('lot', lot.source_id,
           'quantity', ledger_take.quantity) ORDER BY lot.id)
         FROM private.ledger_take JOIN private.lot ON lot.id = ledger_take.lot_id
         WHERE sale_id = ledger_sale.id), '[]') AS takes
     FROM private.ledger_sale WHERE account_id = $1::bigint AND id > $2::bigint
     ORDER BY id LIMIT $3::bigint`,
    [accountId, after, limit],
  );
  return rows.map(toRecordedSale);
}
