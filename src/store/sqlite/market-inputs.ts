/** Everything that one document is made from, read back. */
import type { Database } from 'bun:sqlite';
import type { ItemName, LearningInputs } from '../../domain/learning-inputs.ts';
import type { StoredSale } from '../../domain/market.ts';
import type { ItemInputs, MarketPublishing } from '../../domain/market-store.ts';
import { compareText, type ItemKind } from '../../domain/numbers.ts';
import { bySale } from '../source-rows.ts';
import { evidenceReader } from './evidence-rows.ts';
import { retailReader } from './retail-inputs.ts';
import { retailWeeksReader } from './retail-weeks.ts';
import { rateFinder } from './sale-rows.ts';
import { seriesReader } from './series-rows.ts';

/** Reads the inputs of items; ids that are not there are left out. */
export function inputsReader(
  db: Database,
): (...asked: Parameters<MarketPublishing['loadInputs']>) => ItemInputs[] {
  const findMore = db.query<{ number: string; version: number }, [number]>(
    'SELECT number, version FROM item WHERE id = ?',
  );
  const learning = learningInputsReader(db);
  const retail = retailReader(db);
  const series = seriesReader(db);
  const evidence = evidenceReader(db);
  const noSeries = { sealed: null, used: null };
  return (ids, wish) =>
    learning(ids, wish.at).flatMap((item) => {
      const more = findMore.get(item.id);
      if (!more) return [];
      const months = (condition: 'sealed' | 'used') => series(item.id, condition);
      return [
        {
          ...item,
          ...more,
          retail: retail(item, wish.at),
          series: wish.withSeries ? { sealed: months('sealed'), used: months('used') } : noSeries,
          evidence: evidence(item.id),
        },
      ];
    });
}

/** Reads what is learned from. */
export function learningInputsReader(
  db: Database,
): (ids: readonly number[], at: number) => LearningInputs[] {
  const findItem = db.query<ItemName, [number]>('SELECT id, kind, key FROM item WHERE id = ?');
  const records = db.query<{ source: string; body: string }, [number]>(
    'SELECT source, body FROM catalog_record WHERE item_id = ? ORDER BY source',
  );
  const sales = salesReader(db);
  const related = relatedReader(db);
  const retailWeeks = retailWeeksReader(db);
  const read = (id: number, at: number): LearningInputs[] => {
    const item = findItem.get(id);
    if (!item) return [];
    return [
      {
        ...item,
        records: records.all(id).map(({ source, body }) => ({ source, facts: JSON.parse(body) })),
        sales: sales(id),
        related: related(id, item.kind),
        retailWeeks: item.kind === 'set' ? retailWeeks(id, at) : [],
      },
    ];
  };
  return (ids, at) => ids.flatMap((id) => read(id, at));
}

function salesReader(db: Database): (itemId: number) => StoredSale[] {
  const find = db.query<Omit<StoredSale, 'usdPerUnit'> & { usdPerUnit: number }, [number]>(
    `SELECT source, source_id AS sourceId, condition, price_cents AS priceCents,
       shipping_cents AS shippingCents, currency, quantity, sold_at AS soldAt, channel, seller,
       completeness, ingested_at AS ingestedAt, retracted_at AS retractedAt, 1 AS usdPerUnit
     FROM sale WHERE item_id = ?`,
  );
  const rate = rateFinder(db);
  return (itemId) => {
    const sales = find.all(itemId);
    for (const sale of sales) {
      if (sale.currency !== 'USD') sale.usdPerUnit = rate(sale.currency, sale.soldAt) ?? 0;
    }
    // Sorted here: the rows lie by source, and an item has few of them.
    return sales.sort(bySale);
  };
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
