/** What imports ask `market.db` before rows go in, and the marks of what a source lost. */
import type { Database } from 'bun:sqlite';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type {
  MarketLookups,
  SetBarcodes,
  StoredCensus,
} from '../../domain/market/market-lookups.ts';
import { knownSets, type SetRecordRow } from '../known-sets.ts';
import { inTransaction } from './database.ts';

/** The looking-up part of the ingest half. */
export function sqliteLookups(db: Database): MarketLookups {
  return {
    findKnownSets: async (keys) => {
      const find = db.query<SetRecordRow, [string]>(
        `SELECT item.key, item.number, record.source, record.body
         FROM item JOIN catalog_record AS record ON record.item_id = item.id
         WHERE item.kind = 'set' AND item.key = ? ORDER BY record.source`,
      );
      return knownSets(keys.flatMap((key) => find.all(key)));
    },
    listBarcodes: async () =>
      db
        .query<SetBarcodes, []>(
          `SELECT item.number, record.body ->> '$.upc' AS upc, record.body ->> '$.ean' AS ean
           FROM catalog_record AS record JOIN item ON item.id = record.item_id
           WHERE item.kind = 'set'
             AND (record.body ->> '$.upc' IS NOT NULL OR record.body ->> '$.ean' IS NOT NULL)
           ORDER BY item.id, record.source`,
        )
        .all(),
    findRates: async (queries) => {
      const find = db.query<{ rate: number }, [string, string]>(
        `SELECT usd_per_unit AS rate FROM fx WHERE currency = ? AND date <= ?
         ORDER BY date DESC LIMIT 1`,
      );
      return queries.map(({ currency, date }) => find.get(currency, date)?.rate ?? null);
    },
    countRecords: async (source, itemKind) =>
      db
        .query<{ count: number }, [string, ItemKind]>(
          `SELECT count(*) AS count
           FROM catalog_record AS record JOIN item ON item.id = record.item_id
           WHERE record.source = ? AND item.kind = ? AND record.gone_at IS NULL`,
        )
        .get(source, itemKind)?.count ?? 0,
    markGone: async (census) => inTransaction(db, () => markGone(db, census)),
  };
}

function markGone(db: Database, { source, itemKind, keys, at }: StoredCensus): number {
  const records = db
    .query<{ id: number; key: string; isGone: number }, [string, ItemKind]>(
      `SELECT item.id, item.key, record.gone_at IS NOT NULL AS isGone
       FROM catalog_record AS record JOIN item ON item.id = record.item_id
       WHERE record.source = ? AND item.kind = ?`,
    )
    .all(source, itemKind);
  const mark = db.query<never, [number | null, number, string]>(
    'UPDATE catalog_record SET gone_at = ? WHERE item_id = ? AND source = ?',
  );
  let marked = 0;
  for (const { id, key, isGone } of records) {
    if (keys.has(key) === (isGone === 0)) continue;
    mark.run(isGone === 1 ? null : at, id, source);
    if (isGone === 0) marked++;
  }
  return marked;
}
