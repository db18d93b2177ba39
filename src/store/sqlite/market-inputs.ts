/** Everything that one document is made from, read back. */
import type { Database } from 'bun:sqlite';
import { type Series, unpackPoints } from '../../domain/history.ts';
import type { Condition, StoredSale } from '../../domain/market.ts';
import type { ItemInputs, MarketPublishing } from '../../domain/market-store.ts';
import { compareText, type ItemKind } from '../../domain/numbers.ts';
import { formatDay } from '../../domain/time.ts';
import { retailReader } from './retail-inputs.ts';
import { rateFinder } from './sale-rows.ts';

/** Reads the inputs of items; ids that are not there are left out. */
export function inputsReader(
  db: Database,
): (...asked: Parameters<MarketPublishing['loadInputs']>) => ItemInputs[] {
  const findItem = db.query<
    { id: number; kind: ItemKind; key: string; number: string; version: number },
    [number]
  >('SELECT id, kind, key, number, version FROM item WHERE id = ?');
  const records = db.query<{ source: string; body: string }, [number]>(
    'SELECT source, body FROM catalog_record WHERE item_id = ? ORDER BY source',
  );
  const sales = salesReader(db);
  const retail = retailReader(db);
  const related = relatedReader(db);
  const series = seriesReader(db);
  const noSeries = { sealed: null, used: null };
  const read = (id: number, wish: { at: number; withSeries: boolean }): ItemInputs[] => {
    const item = findItem.get(id);
    if (!item) return [];
    return [
      {
        ...item,
        records: records.all(id).map(({ source, body }) => ({ source, facts: JSON.parse(body) })),
        sales: sales(id),
        retail: retail(item, wish.at),
        related: related(id, item.kind),
        series: wish.withSeries
          ? { sealed: series(id, 'sealed'), used: series(id, 'used') }
          : noSeries,
      },
    ];
  };
  return (ids, wish) => ids.flatMap((id) => read(id, wish));
}

interface SaleRow {
  readonly source: string;
  readonly source_id: string;
  readonly condition: Condition;
  readonly price_cents: number;
  readonly shipping_cents: number;
  readonly currency: string;
  readonly quantity: number;
  readonly sold_at: number;
  readonly channel: StoredSale['channel'];
  readonly seller: string | null;
  readonly completeness: StoredSale['completeness'];
  readonly ingested_at: number;
  readonly retracted_at: number | null;
}

function salesReader(db: Database): (itemId: number) => StoredSale[] {
  const find = db.query<SaleRow, [number]>('SELECT * FROM sale WHERE item_id = ?');
  const rate = rateFinder(db);
  const toSale = (row: SaleRow): StoredSale => ({
    source: row.source,
    sourceId: row.source_id,
    condition: row.condition,
    priceCents: row.price_cents,
    shippingCents: row.shipping_cents,
    currency: row.currency,
    quantity: row.quantity,
    soldAt: row.sold_at,
    channel: row.channel,
    seller: row.seller,
    completeness: row.completeness,
    ingestedAt: row.ingested_at,
    retractedAt: row.retracted_at,
    usdPerUnit: row.currency === 'USD' ? 1 : (rate(row.currency, formatDay(row.sold_at)) ?? 0),
  });
  // Sorted here: the rows lie by source, and an item has few of them.
  return (itemId) => find.all(itemId).map(toSale).sort(bySale);
}

function bySale(a: StoredSale, b: StoredSale): number {
  return (
    a.soldAt - b.soldAt || compareText(a.source, b.source) || compareText(a.sourceId, b.sourceId)
  );
}

/** The other side of the link between sets and minifigs, under canonical numbers. */
function relatedReader(db: Database): (itemId: number, kind: ItemKind) => string[] {
  const minifigs = db.query<{ number: string }, [number]>(
    `SELECT DISTINCT coalesce(
       (SELECT number FROM item WHERE kind = 'minifig' AND key = m.minifig_key),
       (SELECT i.number FROM alias a JOIN item i ON i.id = a.item_id
        WHERE a.key = m.minifig_key ORDER BY i.id LIMIT 1),
       m.minifig_number) AS number
     FROM set_minifig m WHERE m.set_id = ?`,
  );
  const sets = db.query<{ number: string }, [number]>(
    `SELECT DISTINCT s.number FROM set_minifig m JOIN item s ON s.id = m.set_id
     WHERE m.minifig_key IN (
       SELECT key FROM item WHERE id = ?1
       UNION SELECT key FROM alias WHERE item_id = ?1)`,
  );
  return (itemId, kind) =>
    (kind === 'set' ? minifigs : sets)
      .all(itemId)
      .map((row) => row.number)
      .sort(compareText);
}

/** Reads the stored months of an item; null when there are none. */
export function seriesReader(
  db: Database,
): (itemId: number, condition: Condition) => Series | null {
  const find = db.query<
    { first_month: number; points: Uint8Array; revision: number },
    [number, Condition]
  >('SELECT first_month, points, revision FROM series WHERE item_id = ? AND condition = ?');
  return (itemId, condition) => {
    const row = find.get(itemId, condition);
    return (
      row && {
        firstMonth: row.first_month,
        points: unpackPoints(row.points),
        revision: row.revision,
      }
    );
  };
}
