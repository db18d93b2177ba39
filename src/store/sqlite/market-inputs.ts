/** Everything that one document is made from, read back. */
import type { Database } from 'bun:sqlite';
import { minifigLister, type SetRecords } from '../../domain/catalog/merge.ts';
import { compareText } from '../../domain/catalog/numbers.ts';
import type { ItemName, LearningInputs } from '../../domain/market/learning-inputs.ts';
import type { ItemInputs, MarketPublishing } from '../../domain/market/market-store.ts';
import type { StoredSale } from '../../domain/market/source-rows.ts';
import { wholeEvidence } from '../members.ts';
import { byKey, bySale, bySource } from '../source-rows.ts';
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
  const parts = db.query<{ id: number }, [number]>('SELECT id FROM item WHERE part_of = ?');
  const noSeries = { sealed: null, used: null };
  return (ids, options) =>
    learning(ids, options.at).flatMap((item) => {
      const more = findMore.get(item.id);
      if (!more) return [];
      const partIds = item.kind === 'minifig' ? parts.all(item.id) : [];
      const months = (condition: 'sealed' | 'used') => series(item.id, condition);
      return [
        {
          ...item,
          ...more,
          retail: retail(item, options.at),
          series: options.withSeries
            ? { sealed: months('sealed'), used: months('used') }
            : noSeries,
          evidence: wholeEvidence(
            evidence(item.id),
            partIds.flatMap(({ id }) => evidence(id) ?? []),
          ),
        },
      ];
    });
}

/** Reads what is learned from. */
export function learningInputsReader(
  db: Database,
): (ids: readonly number[], at: number) => LearningInputs[] {
  const findItem = db.query<ItemName, [number]>(
    'SELECT id, kind, key FROM item WHERE id = ? AND part_of IS NULL',
  );
  const parts = db.query<{ id: number; key: string }, [number]>(
    'SELECT id, key FROM item WHERE part_of = ?',
  );
  const records = db.query<{ source: string; body: string }, [number]>(
    'SELECT source, body FROM catalog_record WHERE item_id = ?',
  );
  const sales = salesReader(db);
  const related = relatedReader(db);
  const retailWeeks = retailWeeksReader(db);
  const read = (id: number, at: number): LearningInputs[] => {
    const item = findItem.get(id);
    if (!item) return [];
    const members = item.kind === 'minifig' ? parts.all(id).sort(byKey) : [];
    const ids = [id, ...members.map((member) => member.id)];
    const said = ids
      .flatMap((of) => records.all(of))
      .sort(bySource)
      .map(({ source, body }) => ({ source, facts: JSON.parse(body) }));
    return [
      {
        ...item,
        records: said,
        sales: sales(ids),
        related: item.kind === 'set' ? related.minifigs(id, said) : related.sets(id),
        retailWeeks: item.kind === 'set' ? retailWeeks(id, at) : [],
      },
    ];
  };
  return (ids, at) => ids.flatMap((id) => read(id, at));
}

function salesReader(db: Database): (itemIds: readonly number[]) => StoredSale[] {
  const find = db.query<Omit<StoredSale, 'usdPerUnit'> & { usdPerUnit: number }, [number]>(
    `SELECT source, source_id AS sourceId, condition, price_cents AS priceCents,
       shipping_cents AS shippingCents, currency, quantity, sold_at AS soldAt, channel, seller,
       completeness, ingested_at AS ingestedAt, retracted_at AS retractedAt, 1 AS usdPerUnit
     FROM sale WHERE item_id = ?`,
  );
  const rate = rateFinder(db);
  return (itemIds) => {
    const sales = itemIds.flatMap((id) => find.all(id));
    for (const sale of sales) {
      if (sale.currency !== 'USD') sale.usdPerUnit = rate(sale.currency, sale.soldAt) ?? 0;
    }
    // Sorted here: the rows lie by source, and an item has few of them.
    return sales.sort(bySale);
  };
}

/** The other side of the link between sets and minifigs, under canonical numbers. */
function relatedReader(db: Database) {
  const minifigs = db.query<{ number: string }, [number, string]>(
    `SELECT DISTINCT coalesce(w.number, m.minifig_number) AS number FROM set_minifig m
     LEFT JOIN item i ON i.kind = 'minifig' AND i.key = m.minifig_key
     LEFT JOIN item w ON w.id = coalesce(i.part_of, i.id)
     WHERE m.set_id = ? AND m.source = ?`,
  );
  const sets = db.query<{ number: string }, [number]>(
    `SELECT DISTINCT s.number FROM set_minifig m JOIN item s ON s.id = m.set_id
     WHERE m.minifig_key IN (
       SELECT key FROM item WHERE id = ?1 UNION SELECT key FROM item WHERE part_of = ?1)`,
  );
  const numbers = (rows: readonly { number: string }[]) =>
    rows.map((row) => row.number).sort(compareText);
  return {
    /** The minifigs of a set, as the source lists them that decides this. */
    minifigs: (setId: number, records: SetRecords): string[] => {
      const lister = minifigLister(records);
      return lister === null ? [] : numbers(minifigs.all(setId, lister));
    },
    /** The sets of a minifig, by any of its numbers and sources. */
    sets: (minifigId: number): string[] => numbers(sets.all(minifigId)),
  };
}
