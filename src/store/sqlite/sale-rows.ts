/** Sales, their cancellations and exchange rates on their way in. */
import type { Database } from 'bun:sqlite';
import { formatDay } from '../../domain/kernel/time.ts';
import type { RowOutcome } from '../../domain/market/market-store.ts';
import type { ExchangeRate, Sale } from '../../domain/market/source-rows.ts';
import { rateWindow } from '../rate-window.ts';
import { noItem, noRate, noSale } from '../refusals.ts';
import type { FindItem } from './find-item.ts';
import type { ParameterChanges } from './parameter-rows.ts';
import type { Touched } from './touched.ts';

type SaleValues = [
  number,
  string,
  string,
  string,
  number,
  number,
  string,
  number,
  number,
  string | null,
  string | null,
  string | null,
  number,
];

/** Applies sales. A repeated sale is told from a changed one by its content. */
export function saleRows(
  db: Database,
  work: { touched: Touched; changes: ParameterChanges; findItem: FindItem; at: number },
) {
  const insert = db.query<never, SaleValues>(
    `INSERT INTO sale (item_id, source, source_id, condition, price_cents, shipping_cents,
       currency, quantity, sold_at, channel, seller, completeness, ingested_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const findOwner = db.query<
    { item_id: number; sold_at: number; retracted_at: number | null },
    [string, string]
  >('SELECT item_id, sold_at, retracted_at FROM sale WHERE source = ? AND source_id = ?');
  // When the sale became known stays: a correction does not take it out of a month it was in.
  const update = db.query<never, (string | number | null)[]>(
    `UPDATE sale SET item_id = ?1, condition = ?4, price_cents = ?5, shipping_cents = ?6,
       currency = ?7, quantity = ?8, sold_at = ?9, channel = ?10, seller = ?11, completeness = ?12
     WHERE source = ?2 AND source_id = ?3 AND
       (item_id, condition, price_cents, shipping_cents, currency, quantity, sold_at, channel,
        seller, completeness) IS NOT (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`,
  );
  const retract = db.query<never, [number, string, string]>(
    'UPDATE sale SET retracted_at = ? WHERE source = ? AND source_id = ?',
  );
  const hasRate = rateFinder(db);

  return {
    applySale(sale: Sale): RowOutcome {
      const itemId = work.findItem(sale.itemKind, sale.itemKey);
      if (itemId === null) return noItem(sale.itemKind, sale.itemKey);
      if (hasRate(sale.currency, sale.soldAt) === null) {
        return noRate(sale.currency, sale.soldAt);
      }
      const values = saleValues(sale, { itemId, at: work.at });
      if (insert.run(...values).changes === 1) {
        work.touched.add(itemId);
        work.changes.addAt(sale.soldAt);
        return { kind: 'added' };
      }
      const owner = findOwner.get(sale.source, sale.sourceId);
      if (update.run(...values.slice(0, -1)).changes === 0) return { kind: 'unchanged' };
      work.touched.add(itemId);
      work.changes.addAt(sale.soldAt);
      if (owner) {
        work.touched.add(owner.item_id);
        work.changes.addAt(owner.sold_at);
      }
      return { kind: 'updated' };
    },
    /** A retracted sale stays retracted, so that importing the same file again changes nothing. */
    applyRetract(source: string, sourceId: string): RowOutcome {
      const owner = findOwner.get(source, sourceId);
      if (!owner) return noSale({ source, sourceId });
      if (owner.retracted_at !== null) return { kind: 'unchanged' };
      retract.run(work.at, source, sourceId);
      work.touched.add(owner.item_id);
      work.changes.addAt(owner.sold_at);
      return { kind: 'updated' };
    },
  };
}

function saleValues(sale: Sale, place: { itemId: number; at: number }): SaleValues {
  return [
    place.itemId,
    sale.source,
    sale.sourceId,
    sale.condition,
    sale.priceCents,
    sale.shippingCents,
    sale.currency,
    sale.quantity,
    sale.soldAt,
    sale.channel,
    sale.seller,
    sale.completeness,
    place.at,
  ];
}

/** US dollars for one unit at an instant, from the latest rate up to its day; null when none. */
export function rateFinder(db: Database): (currency: string, at: number) => number | null {
  const find = db.query<{ usd_per_unit: number }, [string, string]>(
    'SELECT usd_per_unit FROM fx WHERE currency = ? AND date <= ? ORDER BY date DESC LIMIT 1',
  );
  return (currency, at) =>
    currency === 'USD' ? 1 : (find.get(currency, formatDay(at))?.usd_per_unit ?? null);
}

/** Applies exchange rates; a changed rate changes the items with sales that it applies to. */
export function rateRows(db: Database, work: { touched: Touched; changes: ParameterChanges }) {
  const find = db.query<{ usd_per_unit: number }, [string, string]>(
    'SELECT usd_per_unit FROM fx WHERE currency = ? AND date = ?',
  );
  const save = db.query<never, [string, string, number]>(
    'INSERT OR REPLACE INTO fx (currency, date, usd_per_unit) VALUES (?, ?, ?)',
  );
  const nextDate = db.query<{ date: string | null }, [string, string]>(
    'SELECT min(date) AS date FROM fx WHERE currency = ? AND date > ?',
  );
  const affected = db.query<{ item_id: number }, [string, number, number]>(
    `SELECT DISTINCT item_id FROM sale
     WHERE currency = ? AND currency <> 'USD' AND sold_at >= ? AND sold_at < ?`,
  );
  return (rate: ExchangeRate): RowOutcome => {
    const old = find.get(rate.currency, rate.date);
    if (old?.usd_per_unit === rate.usdPerUnit) return { kind: 'unchanged' };
    save.run(rate.currency, rate.date, rate.usdPerUnit);
    const next = nextDate.get(rate.currency, rate.date)?.date ?? null;
    const { from, to } = rateWindow(rate, next);
    const rows = affected.all(rate.currency, from, to);
    for (const row of rows) work.touched.add(row.item_id);
    if (rows.length > 0) work.changes.addAt(from);
    return { kind: old ? 'updated' : 'added' };
  };
}
