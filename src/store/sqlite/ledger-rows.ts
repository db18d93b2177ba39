/** Recorded sales in `accounts.db`, as a batch of rows reads and writes them. */
import type { Database } from 'bun:sqlite';
import type { Take } from '../../domain/portfolio/lots.ts';
import type { PrivateTables, SaleRow, SaleValues } from '../private-tables.ts';
import type { BatchCounts } from './batch-counts.ts';

type Sales = 'countSales' | 'findSale' | 'addSale' | 'changeSale' | 'listTakes' | 'saveTakes';

/** Sales, and the units that they took. */
export function sqliteSales(db: Database, counts: BatchCounts): Pick<PrivateTables, Sales> {
  return {
    countSales: (accountId) => counts.count(accountId, 'ledger_sale'),
    findSale: (accountId, sourceId) =>
      db
        .query<SaleRow, [number, string]>(
          `SELECT id, given, cost_cents AS costCents FROM ledger_sale
           WHERE account_id = ? AND source_id = ?`,
        )
        .get(accountId, sourceId),
    addSale: (accountId, sourceId, values) => {
      counts.grow(accountId, 'ledger_sale');
      const { lastInsertRowid } = db
        .query(
          `INSERT INTO ledger_sale (account_id, source_id, set_key, set_number, condition,
             platform, sale_date, quantity, gross_cents, platform_fees_cents,
             payment_fees_cents, shipping_cents, cost_cents, given)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(accountId, sourceId, ...saleParameters(values));
      return Number(lastInsertRowid);
    },
    changeSale: (id, values) => {
      db.query(
        `UPDATE ledger_sale SET set_key = ?, set_number = ?, condition = ?, platform = ?,
           sale_date = ?, quantity = ?, gross_cents = ?, platform_fees_cents = ?,
           payment_fees_cents = ?, shipping_cents = ?, cost_cents = ?, given = ?
         WHERE id = ?`,
      ).run(...saleParameters(values), id);
    },
    listTakes: (saleId) =>
      db
        .query<Take, [number]>(
          'SELECT lot_id AS lotId, quantity FROM ledger_take WHERE sale_id = ?',
        )
        .all(saleId),
    saveTakes: (saleId, takes) => {
      db.query('DELETE FROM ledger_take WHERE sale_id = ?').run(saleId);
      const take = db.query('INSERT INTO ledger_take (sale_id, lot_id, quantity) VALUES (?, ?, ?)');
      for (const { lotId, quantity } of takes) take.run(saleId, lotId, quantity);
    },
  };
}

function saleParameters(values: SaleValues): (string | number)[] {
  return [
    values.setKey,
    values.setNumber,
    values.condition,
    values.platform,
    values.saleDate,
    values.quantity,
    values.grossCents,
    values.platformFeesCents,
    values.paymentFeesCents,
    values.shippingCents,
    values.costCents,
    values.given,
  ];
}
