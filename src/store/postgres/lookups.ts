/** What imports ask PostgreSQL before rows go in, and the marks of what a source lost. */
import type { MarketLookups, SetBarcodes, StoredCensus } from '../../domain/market-lookups.ts';
import { knownSets, type SetRecordRow } from '../known-sets.ts';
import type { Connection } from './client.ts';
import type { Writing } from './writing.ts';

/** The looking-up part of the ingest half. */
export function postgresLookups(client: Connection, write: Writing): MarketLookups {
  return {
    findKnownSets: async (keys) =>
      knownSets(
        await client.query<SetRecordRow>(
          `SELECT item.key, item.number, record.source, record.body
           FROM published.item JOIN source.catalog_record AS record ON record.item_id = item.id
           WHERE item.kind = 'set' AND item.key = ANY($1::text[])
           ORDER BY record.source COLLATE "C"`,
          [keys],
        ),
      ),
    listBarcodes: () =>
      client.query<SetBarcodes>(
        `SELECT item.number, record.body::json ->> 'upc' AS upc, record.body::json ->> 'ean' AS ean
         FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
         WHERE item.kind = 'set'
           AND (record.body::json ->> 'upc' IS NOT NULL OR record.body::json ->> 'ean' IS NOT NULL)
         ORDER BY item.id, record.source COLLATE "C"`,
      ),
    findRates: async (wishes) => {
      const rows = await client.query<{ rate: number | null }>(
        `SELECT (SELECT usd_per_unit FROM source.fx
           WHERE fx.currency = wish.currency AND fx.date <= wish.date
           ORDER BY fx.date DESC LIMIT 1)::float8 AS rate
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wish(currency, date, place)
         ORDER BY wish.place`,
        [wishes.map((wish) => wish.currency), wishes.map((wish) => wish.date)],
      );
      return rows.map((row) => row.rate);
    },
    markGone: (census) => write((tx) => markGone(tx, census)),
  };
}

async function markGone(
  tx: Connection,
  { source, itemKind, keys, at }: StoredCensus,
): Promise<number> {
  const records = await tx.query<{ id: number; key: string; isGone: boolean }>(
    `SELECT item.id::float8 AS id, item.key, record.gone_at IS NOT NULL AS "isGone"
     FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
     WHERE record.source = $1 AND item.kind = $2`,
    [source, itemKind],
  );
  const mark = (ids: readonly number[], goneAt: number | null) =>
    tx.query(
      `UPDATE source.catalog_record SET gone_at = $1::bigint
       WHERE source = $2 AND item_id = ANY($3::bigint[])`,
      [goneAt, source, ids],
    );
  const gone = records.filter(({ key, isGone }) => !isGone && !keys.has(key));
  const back = records.filter(({ key, isGone }) => isGone && keys.has(key));
  if (gone.length > 0)
    await mark(
      gone.map((record) => record.id),
      at,
    );
  if (back.length > 0)
    await mark(
      back.map((record) => record.id),
      null,
    );
  return gone.length;
}
