/** Which lots were sold, and what sales took of them, on PostgreSQL. */
import type { DaySpan } from '../../domain/kernel/page.ts';
import type { OwnLot } from '../../domain/portfolio/holding-edits.ts';
import type { LotSale, LotTies, SaleLot } from '../../domain/portfolio/lot-ties.ts';
import type { Client, Connection } from './client.ts';

const lotColumns = `lot.id, lot.source_id AS "sourceId", brickfolio_id AS "brickfolioId",
  brickfolio.name AS brickfolio, set_key AS "setKey", set_number AS "setNumber",
  quantity, condition, price_cents AS "priceCents", purchase_date AS "purchaseDate",
  status, is_estimated AS "isEstimated", sold`;

const fromLots = 'FROM private.lot JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id';

const fromTakes = `FROM private.ledger_take take
  JOIN private.ledger_sale sale ON sale.id = take.sale_id
  JOIN private.lot ON lot.id = take.lot_id`;

/** A lot of an account by its id. */
export async function findOwnLot(
  client: Connection,
  accountId: number,
  lotId: number,
): Promise<OwnLot | null> {
  const [row] = await client.query<OwnLot>(
    `SELECT ${lotColumns} ${fromLots}
     WHERE lot.account_id = $1::bigint AND lot.id = $2::bigint`,
    [accountId, lotId],
  );
  return row ?? null;
}

/** The reading of what ties them together. */
export function postgresLotTies(client: Client): LotTies {
  return {
    listSoldOut: async (accountId, { brickfolioId, limit, offset }) => {
      const where = `WHERE lot.account_id = $1::bigint AND brickfolio_id = $2::bigint
        AND sold >= quantity`;
      const count = `SELECT count(*) AS n FROM private.lot ${where}`;
      const [counted] = await client.query<{ n: number }>(count, [accountId, brickfolioId]);
      const rows = await client.query<OwnLot>(
        `SELECT ${lotColumns} ${fromLots} ${where}
         ORDER BY purchase_date DESC, lot.id LIMIT $3::bigint OFFSET $4::bigint`,
        [accountId, brickfolioId, limit, offset],
      );
      return { total: counted?.n ?? 0, rows };
    },
    listLotsOfSet: (accountId, setKey, limit) =>
      client.query<OwnLot>(
        `SELECT ${lotColumns} ${fromLots}
         WHERE lot.account_id = $1::bigint AND set_key = $2::text AND sold < quantity
         ORDER BY purchase_date, lot.id LIMIT $3::bigint`,
        [accountId, setKey, limit],
      ),
    listLotSales: (accountId, lotId, limit) =>
      client.query<LotSale>(
        `SELECT sale.id AS "saleId", sale_date AS "saleDate", platform, take.quantity ${fromTakes}
         WHERE lot.account_id = $1::bigint AND take.lot_id = $2::bigint
         ORDER BY sale_date DESC, sale.id DESC LIMIT $3::bigint`,
        [accountId, lotId, limit],
      ),
    listSaleLots: (accountId, saleId, limit) =>
      client.query<SaleLot>(
        `SELECT lot.id AS "lotId", purchase_date AS "purchaseDate", brickfolio.name AS brickfolio,
           take.quantity ${fromTakes}
         JOIN private.brickfolio ON brickfolio.id = lot.brickfolio_id
         WHERE sale.account_id = $1::bigint AND take.sale_id = $2::bigint
         ORDER BY purchase_date, lot.id LIMIT $3::bigint`,
        [accountId, saleId, limit],
      ),
    findPurchaseSpans: async (accountId, saleIds) => {
      const rows = await client.query<DaySpan & { readonly saleId: number }>(
        `SELECT sale.id AS "saleId", min(purchase_date) AS "from", max(purchase_date) AS "to"
         ${fromTakes} WHERE sale.account_id = $1::bigint AND sale.id = ANY($2::bigint[])
         GROUP BY sale.id`,
        [accountId, saleIds],
      );
      return new Map(rows.map(({ saleId, from, to }) => [saleId, { from, to }]));
    },
  };
}
