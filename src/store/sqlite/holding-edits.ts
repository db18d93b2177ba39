/** What owners do to their collections, lots and sales, in `accounts.db`. */
import type { Database } from 'bun:sqlite';
import type { HoldingEdits, LotCount, LotsFate, SaleSum } from '../../domain/holding-edits.ts';
import { type OwnSaleRow, toOwnSale } from '../holding-rows.ts';
import { inTransaction } from './database.ts';
import { findOwnLot } from './lot-ties.ts';

type Edits = Omit<HoldingEdits, 'applyTogether' | 'rehearse'>;

/** The owner's part of the private half. */
export function sqliteHoldingEdits(db: Database): Edits {
  return { ...reading(db), ...brickfolioEdits(db), ...lotAndSaleEdits(db) };
}

type Reading = 'findLot' | 'findSale' | 'listSaleSums' | 'countLots';

function reading(db: Database): Pick<Edits, Reading> {
  return {
    findLot: async (accountId, lotId) => findOwnLot(db, accountId, lotId),
    findSale: async (accountId, saleId) => {
      const row = db
        .query<OwnSaleRow, [number, number]>(
          `SELECT id, given, cost_cents AS costCents FROM ledger_sale
           WHERE account_id = ? AND id = ?`,
        )
        .get(accountId, saleId);
      return row && toOwnSale(row);
    },
    listSaleSums: async (accountId) =>
      db
        .query<SaleSum, [number]>(
          `SELECT substr(sale_date, 1, 7) AS month, platform, count(*) AS sales,
             sum(quantity) AS units, sum(gross_cents) AS grossCents,
             sum(platform_fees_cents) AS platformFeesCents,
             sum(payment_fees_cents) AS paymentFeesCents, sum(shipping_cents) AS shippingCents,
             sum(cost_cents) AS costCents
           FROM ledger_sale WHERE account_id = ? GROUP BY 1, 2 ORDER BY 1 DESC, 2`,
        )
        .all(accountId),
    countLots: async (accountId, brickfolioId) =>
      db
        .query<LotCount, [number, number]>(
          `SELECT (SELECT count(*) FROM lot WHERE brickfolio_id = b.id) AS lots,
             (SELECT count(*) FROM lot WHERE brickfolio_id = b.id AND sold > 0) AS withSales
           FROM brickfolio b WHERE b.account_id = ? AND b.id = ?`,
        )
        .get(accountId, brickfolioId),
  };
}

type Brickfolios = 'changeBrickfolio' | 'setDefault' | 'removeBrickfolio';

function brickfolioEdits(db: Database): Pick<Edits, Brickfolios> {
  return {
    changeBrickfolio: async (accountId, id, { name, description }) =>
      inTransaction(db, () => {
        if (!isOwn(db, accountId, id)) return 'missing';
        const others = 'SELECT 1 FROM brickfolio WHERE account_id = ? AND name = ? AND id <> ?';
        if (db.query(others).get(accountId, name, id)) return 'taken';
        const change = 'UPDATE brickfolio SET name = ?, description = ? WHERE id = ?';
        db.query(change).run(name, description, id);
        raiseVersion(db, accountId);
        return 'done';
      }),
    setDefault: async (accountId, id) =>
      inTransaction(db, () => {
        if (!isOwn(db, accountId, id)) return false;
        makeDefault(db, accountId, id);
        raiseVersion(db, accountId);
        return true;
      }),
    removeBrickfolio: async (accountId, id, fate) =>
      inTransaction(db, () => removeBrickfolio(db, { accountId, id, fate })),
  };
}

function removeBrickfolio(
  db: Database,
  wish: { readonly accountId: number; readonly id: number; readonly fate: LotsFate },
): 'done' | 'missing' | 'lots left' {
  const { accountId, id, fate } = wish;
  const { to } = fate;
  if (!isOwn(db, accountId, id)) return 'missing';
  if (to !== null && (to === id || !isOwn(db, accountId, to))) return 'missing';
  const among = fate.lots === 'move' ? '' : 'AND sold > 0';
  const staying = `FROM lot WHERE brickfolio_id = ? ${among}`;
  if (to === null && db.query(`SELECT 1 ${staying} LIMIT 1`).get(id)) return 'lots left';
  if (to !== null) {
    db.query(`UPDATE lot SET brickfolio_id = ? WHERE brickfolio_id = ? ${among}`).run(to, id);
  }
  const old = db
    .query<{ isDefault: number }, [number]>(
      'DELETE FROM brickfolio WHERE id = ? RETURNING is_default AS isDefault',
    )
    .get(id);
  if (old?.isDefault === 1) makeDefault(db, accountId, to ?? oldest(db, accountId));
  raiseVersion(db, accountId);
  return 'done';
}

function lotAndSaleEdits(db: Database): Pick<Edits, 'removeLot' | 'removeSale'> {
  return {
    removeLot: async (accountId, lotId) =>
      inTransaction(db, () => {
        const lot = db
          .query<{ sold: number }, [number, number]>(
            'SELECT sold FROM lot WHERE account_id = ? AND id = ?',
          )
          .get(accountId, lotId);
        if (!lot) return 'missing';
        if (lot.sold > 0) return 'sold';
        db.query('DELETE FROM lot WHERE id = ?').run(lotId);
        raiseVersion(db, accountId);
        return 'done';
      }),
    removeSale: async (accountId, saleId) =>
      inTransaction(db, () => {
        const own = 'SELECT 1 FROM ledger_sale WHERE account_id = ? AND id = ?';
        if (!db.query(own).get(accountId, saleId)) return false;
        db.query(
          `UPDATE lot SET sold = sold - take.quantity FROM ledger_take take
           WHERE take.sale_id = ? AND take.lot_id = lot.id`,
        ).run(saleId);
        db.query('DELETE FROM ledger_sale WHERE id = ?').run(saleId);
        raiseVersion(db, accountId);
        return true;
      }),
  };
}

function isOwn(db: Database, accountId: number, id: number): boolean {
  const own = 'SELECT 1 FROM brickfolio WHERE account_id = ? AND id = ?';
  return db.query(own).get(accountId, id) !== null;
}

function oldest(db: Database, accountId: number): number | null {
  const first = 'SELECT min(id) AS id FROM brickfolio WHERE account_id = ?';
  return db.query<{ id: number | null }, [number]>(first).get(accountId)?.id ?? null;
}

function makeDefault(db: Database, accountId: number, id: number | null): void {
  const change = 'UPDATE brickfolio SET is_default = (id IS ?) WHERE account_id = ?';
  db.query(change).run(id, accountId);
}

function raiseVersion(db: Database, accountId: number): void {
  db.query('UPDATE account SET private_version = private_version + 1 WHERE id = ?').run(accountId);
}
