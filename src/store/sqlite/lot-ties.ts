/** Which lots were sold, and what sales took of them, in `accounts.db`. */

import type { Database } from 'bun:sqlite';
import type { DaySpan } from '../../domain/kernel/page.ts';
import type { OwnLot } from '../../domain/portfolio/holding-edits.ts';
import type { LotSale, LotTies, SaleLot } from '../../domain/portfolio/lot-ties.ts';
import { inSnapshot } from './database.ts';

type OwnLotRow = Omit<OwnLot, 'isEstimated'> & { readonly isEstimated: number };

const selectLots = `SELECT lot.id, lot.source_id AS sourceId, brickfolio_id AS brickfolioId,
    brickfolio.name AS brickfolio, set_key AS setKey, set_number AS setNumber, quantity,
    condition, price_cents AS priceCents, purchase_date AS purchaseDate, status,
    is_estimated AS isEstimated, sold
  FROM lot JOIN brickfolio ON brickfolio.id = lot.brickfolio_id`;

const takes = `FROM ledger_take take JOIN ledger_sale sale ON sale.id = take.sale_id
  JOIN lot ON lot.id = take.lot_id`;

/** A lot of an account by its id. */
export function findOwnLot(db: Database, accountId: number, lotId: number): OwnLot | null {
  const own = `${selectLots} WHERE lot.account_id = ? AND lot.id = ?`;
  const row = db.query<OwnLotRow, [number, number]>(own).get(accountId, lotId);
  return row && toOwnLot(row);
}

/** The reading of what ties them together. */
export function sqliteLotTies(db: Database): LotTies {
  return {
    listSoldOut: async (accountId, { brickfolioId, limit, offset }) => {
      const where = 'WHERE lot.account_id = ? AND brickfolio_id = ? AND sold >= quantity';
      const count = `SELECT count(*) AS n FROM lot ${where}`;
      const select = `${selectLots} ${where} ORDER BY purchase_date DESC, lot.id LIMIT ? OFFSET ?`;
      return inSnapshot(db, () => ({
        total: db.query<{ n: number }, number[]>(count).get(accountId, brickfolioId)?.n ?? 0,
        rows: db
          .query<OwnLotRow, number[]>(select)
          .all(accountId, brickfolioId, limit, offset)
          .map(toOwnLot),
      }));
    },
    listLotsOfSet: async (accountId, setKey, limit) =>
      db
        .query<OwnLotRow, [number, string, number]>(
          `${selectLots} WHERE lot.account_id = ? AND set_key = ? AND sold < quantity
           ORDER BY purchase_date, lot.id LIMIT ?`,
        )
        .all(accountId, setKey, limit)
        .map(toOwnLot),
    listLotSales: async (accountId, lotId, limit) =>
      db
        .query<LotSale, [number, number, number]>(
          `SELECT sale.id AS saleId, sale_date AS saleDate, platform, take.quantity ${takes}
           WHERE lot.account_id = ? AND take.lot_id = ?
           ORDER BY sale_date DESC, sale.id DESC LIMIT ?`,
        )
        .all(accountId, lotId, limit),
    listSaleLots: async (accountId, saleId, limit) =>
      db
        .query<SaleLot, [number, number, number]>(
          `SELECT lot.id AS lotId, purchase_date AS purchaseDate, brickfolio.name AS brickfolio,
             take.quantity ${takes} JOIN brickfolio ON brickfolio.id = lot.brickfolio_id
           WHERE sale.account_id = ? AND take.sale_id = ? ORDER BY purchase_date, lot.id LIMIT ?`,
        )
        .all(accountId, saleId, limit),
    findPurchaseSpans: async (accountId, saleIds) => {
      const rows = db
        .query<DaySpan & { readonly saleId: number }, [number, string]>(
          `SELECT sale.id AS saleId, min(purchase_date) AS "from", max(purchase_date) AS "to"
           ${takes} WHERE sale.account_id = ? AND sale.id IN (SELECT value FROM json_each(?))
           GROUP BY sale.id`,
        )
        .all(accountId, JSON.stringify(saleIds));
      return new Map(rows.map(({ saleId, from, to }) => [saleId, { from, to }]));
    },
  };
}

function toOwnLot(row: OwnLotRow): OwnLot {
  return { ...row, isEstimated: row.isEstimated === 1 };
}
