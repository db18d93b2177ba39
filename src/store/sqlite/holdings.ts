/** What `accounts.db` tells about an account's own collections, lots and sales. */

import type { Database } from 'bun:sqlite';
import type { DaySpan, Page, PageRange } from '../../domain/kernel/page.ts';
import type {
  Brickfolio,
  HeldCost,
  HoldingStore,
  PurchaseMonth,
  SaleResult,
} from '../../domain/portfolio/holding-store.ts';
import type { HeldLot, Stake } from '../../domain/portfolio/holdings.ts';
import type { LedgerSale } from '../../domain/portfolio/ledger.ts';
import {
  allDays,
  type PurchaseMonthRow,
  type SaleResultRow,
  toPurchaseMonth,
  toSaleResult,
} from '../holding-rows.ts';
import { inSnapshot } from './database.ts';
import { findLots, listLots, listRecordedSales } from './lots.ts';
import { positionsReader } from './positions.ts';

/** The reading half for private data; answers that need several statements see one instant. */
export function sqliteHoldings(db: Database): HoldingStore {
  const stakes = stakesReader(db);
  const positions = positionsReader(db);
  return {
    hasMoreRows: async (accountId, rows) => hasMoreRows(db, accountId, rows),
    findHoldings: async (accountId) =>
      inSnapshot(db, () => ({
        brickfolios: listBrickfolios(db, accountId),
        stakes: stakes(accountId),
        purchases: listPurchases(db, accountId),
      })),
    listEntries: async (accountId, page) => inSnapshot(db, () => listEntries(db, accountId, page)),
    findLots: async (accountId, sourceIds) => findLots(db, accountId, sourceIds),
    listLots: async (accountId, options) => listLots(db, accountId, options),
    listRecordedSales: async (accountId, options) =>
      inSnapshot(db, () => listRecordedSales(db, accountId, options)),
    listPositions: async (accountId) => inSnapshot(db, () => positions(accountId)),
    listSales: async (accountId, page) => inSnapshot(db, () => listSales(db, accountId, page)),
    listSaleResults: async (accountId) => listSaleResults(db, accountId),
    listHeldCosts: async (accountId, setKeys) =>
      setKeys ? heldAmong(db, accountId, setKeys) : listHeld(db, accountId),
  };
}

function hasMoreRows(db: Database, accountId: number, rows: number): boolean {
  const found = db
    .query<{ n: number }, [number, number]>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM lot WHERE account_id = ?1
         UNION ALL SELECT 1 FROM ledger_sale WHERE account_id = ?1 LIMIT ?2)`,
    )
    .get(accountId, rows + 1);
  return (found?.n ?? 0) > rows;
}

function listBrickfolios(db: Database, accountId: number): Brickfolio[] {
  const rows = db
    .query<Omit<Brickfolio, 'isDefault'> & { isDefault: number }, [number]>(
      `SELECT id, name, description, is_default AS isDefault, created_at AS createdAt
       FROM brickfolio WHERE account_id = ? ORDER BY id`,
    )
    .all(accountId);
  return rows.map((row) => ({ ...row, isDefault: row.isDefault === 1 }));
}

type BrickfolioStake = Stake & { readonly brickfolioId: number };

function stakesReader(db: Database): (accountId: number) => BrickfolioStake[] {
  const read = db.query<BrickfolioStake, [number]>(
    `SELECT brickfolio_id AS brickfolioId, set_key AS setKey, condition,
       sum(quantity - sold) AS units, sum((quantity - sold) * price_cents) AS costCents
     FROM lot WHERE account_id = ? AND sold < quantity
     GROUP BY set_key, condition, brickfolio_id`,
  );
  return (accountId) => read.all(accountId);
}

function listPurchases(db: Database, accountId: number): PurchaseMonth[] {
  return db
    .query<PurchaseMonthRow, [number]>(
      `SELECT substr(purchase_date, 1, 7) AS month, count(*) AS lots,
         sum(quantity - sold) AS units, sum((quantity - sold) * price_cents) AS costCents
       FROM lot WHERE account_id = ? AND sold < quantity GROUP BY 1 ORDER BY 1`,
    )
    .all(accountId)
    .map(toPurchaseMonth);
}

const lotColumns = `id, brickfolio_id AS brickfolioId, set_key AS setKey, set_number AS setNumber,
  quantity - sold AS units, condition, price_cents AS priceCents, purchase_date AS purchaseDate,
  status, is_estimated AS isEstimated`;

function listEntries(
  db: Database,
  accountId: number,
  { brickfolioId, limit, offset }: PageRange & { brickfolioId: number | null },
): Page<HeldLot> | null {
  const owned = 'SELECT 1 FROM brickfolio WHERE id = ? AND account_id = ?';
  if (brickfolioId !== null && !db.query(owned).get(brickfolioId, accountId)) return null;
  const column = brickfolioId === null ? 'account_id' : 'brickfolio_id';
  const id = brickfolioId ?? accountId;
  const where = `FROM lot WHERE ${column} = ? AND sold < quantity`;
  const total = countRows(db, where, id);
  const rows = db
    .query<Omit<HeldLot, 'isEstimated'> & { isEstimated: number }, [number, number, number]>(
      `SELECT ${lotColumns} ${where} ORDER BY purchase_date DESC, id LIMIT ? OFFSET ?`,
    )
    .all(id, limit, offset);
  return { total, rows: rows.map((row) => ({ ...row, isEstimated: row.isEstimated === 1 })) };
}

function countRows(db: Database, where: string, id: number): number {
  return db.query<{ n: number }, [number]>(`SELECT count(*) AS n ${where}`).get(id)?.n ?? 0;
}

function listSales(
  db: Database,
  accountId: number,
  { limit, offset, span = allDays }: PageRange & { span?: DaySpan | undefined },
): Page<LedgerSale> {
  const where = 'FROM ledger_sale WHERE account_id = ? AND sale_date BETWEEN ? AND ?';
  const options = [accountId, span.from, span.to] as const;
  const total = db
    .query<{ n: number }, [number, string, string]>(`SELECT count(*) AS n ${where}`)
    .get(...options)?.n;
  const rows = db
    .query<LedgerSale, [number, string, string, number, number]>(
      `SELECT id, set_key AS setKey, set_number AS setNumber, platform, sale_date AS saleDate,
         quantity, gross_cents AS grossCents, platform_fees_cents AS platformFeesCents,
         payment_fees_cents AS paymentFeesCents, shipping_cents AS shippingCents,
         cost_cents AS costCents
       ${where} ORDER BY sale_date DESC, id LIMIT ? OFFSET ?`,
    )
    .all(...options, limit, offset);
  return { total: total ?? 0, rows };
}

function listSaleResults(db: Database, accountId: number): SaleResult[] {
  return db
    .query<SaleResultRow, [number]>(
      `SELECT sale_date AS saleDate, sum(gross_cents) AS grossCents,
         sum(platform_fees_cents) AS platformFeesCents,
         sum(payment_fees_cents) AS paymentFeesCents, sum(shipping_cents) AS shippingCents,
         sum(cost_cents) AS costCents,
         EXISTS (SELECT 1 FROM ledger_take WHERE sale_id = ledger_sale.id) AS isFromLots
       FROM ledger_sale WHERE account_id = ? GROUP BY sale_date, isFromLots`,
    )
    .all(accountId)
    .map(toSaleResult);
}

const heldColumns = `set_key AS setKey, sum(quantity - sold) AS units,
  sum((quantity - sold) * price_cents) AS costCents`;

function listHeld(db: Database, accountId: number): HeldCost[] {
  return db
    .query<HeldCost, [number]>(
      `SELECT ${heldColumns} FROM lot WHERE account_id = ? AND sold < quantity GROUP BY set_key`,
    )
    .all(accountId);
}

function heldAmong(db: Database, accountId: number, setKeys: readonly string[]): HeldCost[] {
  return db
    .query<HeldCost, [string, number]>(
      `SELECT ${heldColumns} FROM (SELECT DISTINCT value FROM json_each(?1)) j
         CROSS JOIN lot INDEXED BY lot_open
         ON lot.account_id = ?2 AND lot.set_key = j.value AND lot.sold < lot.quantity
       GROUP BY set_key`,
    )
    .all(JSON.stringify(setKeys), accountId);
}
