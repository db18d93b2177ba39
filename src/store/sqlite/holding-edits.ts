/** What owners do to their collections, lots and sales, in `accounts.db`. */
import type { Database } from 'bun:sqlite';
import type {
  HoldingEdits,
  LotCount,
  LotsFate,
  SaleSum,
} from '../../domain/portfolio/holding-edits.ts';
import { type OwnSaleRow, toOwnSale } from '../holding-rows.ts';
import { inSnapshot, inTransaction } from './database.ts';
import { findOwnLot } from './lot-ties.ts';
import { tryAgain } from './patience.ts';
import { inSlices } from './slices.ts';

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
    removeBrickfolio: async (accountId, id, fate) => {
      const options = { accountId, id, fate };
      const refusal = inSnapshot(db, () => refuseRemoval(db, options));
      if (refusal) return refusal;
      await inSlices(db, (rows) => (clearLots(db, options, rows) < rows ? null : 'more'));
      return tryAgain(async () =>
        inTransaction(db, () => refuseRemoval(db, options) ?? removeEmptied(db, options)),
      );
    },
  };
}

interface Removal {
  readonly accountId: number;
  readonly id: number;
  readonly fate: LotsFate;
}

function refuseRemoval(
  db: Database,
  { accountId, id, fate: { lots, to } }: Removal,
): 'missing' | 'lots left' | null {
  if (!isOwn(db, accountId, id)) return 'missing';
  if (to !== null && (to === id || !isOwn(db, accountId, to))) return 'missing';
  const among = lots === 'move' ? '' : 'AND sold > 0';
  const staying = `SELECT 1 FROM lot WHERE brickfolio_id = ? ${among} LIMIT 1`;
  return to === null && db.query(staying).get(id) ? 'lots left' : null;
}

/** Moves or removes some of the lots; how many. What comes meanwhile is dealt with at the end. */
function clearLots(db: Database, { accountId, id, fate }: Removal, rows: number): number {
  const { lots, to } = fate;
  if (to !== null && !isOwn(db, accountId, to)) return 0;
  const some = (among: string) =>
    `id IN (SELECT id FROM lot WHERE brickfolio_id = ? ${among} LIMIT ?)`;
  const remove = `DELETE FROM lot WHERE ${some('AND sold = 0')}`;
  const removed = lots === 'move' ? 0 : db.query(remove).run(id, rows).changes;
  const move = `UPDATE lot SET brickfolio_id = ? WHERE ${some('')}`;
  const isLeft = removed < rows && to !== null;
  const moved = isLeft ? db.query(move).run(to, id, rows - removed).changes : 0;
  if (removed + moved > 0) raiseVersion(db, accountId);
  return removed + moved;
}

function removeEmptied(db: Database, options: Removal): 'done' {
  const { accountId, id, fate } = options;
  const { to } = fate;
  clearLots(db, options, Number.MAX_SAFE_INTEGER);
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
