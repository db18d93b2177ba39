/** What imports ask PostgreSQL before rows go in, and the marks of what a source lost. */
import type {
  KnownSet,
  MarketLookups,
  SetBarcodes,
  StoredCensus,
} from '../../domain/market/market-lookups.ts';
import { knownSets, type SetRecordRow } from '../known-sets.ts';
import type { Connection } from './client.ts';
import type { Writing } from './writing.ts';

/** The looking-up part of the ingest half. */
export function postgresLookups(client: Connection, write: Writing): MarketLookups {
  // A role that only serves sees what is published, and nothing of the sources. It is asked for
  // rather than tried, because a refusal would end the transaction of a rehearsal.
  let may: Promise<boolean> | null = null;
  const maySeeSources = () => {
    may ??= client
      .query<{ may: boolean }>("SELECT has_schema_privilege('source', 'USAGE') AS may")
      .then(([row]) => row?.may === true);
    return may;
  };
  return {
    findKnownSets: async (keys) =>
      (await maySeeSources()) ? findKnownSets(client, keys) : findPublishedSets(client, keys),
    listBarcodes: () =>
      client.query<SetBarcodes>(
        `SELECT item.number, record.body::json ->> 'upc' AS upc, record.body::json ->> 'ean' AS ean
         FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
         WHERE item.kind = 'set'
           AND (record.body::json ->> 'upc' IS NOT NULL OR record.body::json ->> 'ean' IS NOT NULL)
         ORDER BY item.id, record.source COLLATE "C"`,
      ),
    findRates: async (queries) => {
      const rows = await client.query<{ rate: number | null }>(
        `SELECT (SELECT usd_per_unit FROM published.fx
           WHERE fx.currency = options.currency AND fx.date <= options.date
           ORDER BY fx.date DESC LIMIT 1)::float8 AS rate
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS options(currency, date, place)
         ORDER BY options.place`,
        [queries.map((options) => options.currency), queries.map((options) => options.date)],
      );
      return rows.map((row) => row.rate);
    },
    countRecords: async (source, itemKind) => {
      const [row] = await client.query<{ count: number }>(
        `SELECT count(*)::float8 AS count
         FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
         WHERE record.source = $1 AND item.kind = $2 AND record.gone_at IS NULL`,
        [source, itemKind],
      );
      return row?.count ?? 0;
    },
    markGone: (census) => write((tx) => markGone(tx, census)),
  };
}

async function findKnownSets(
  client: Connection,
  keys: readonly string[],
): Promise<Map<string, KnownSet>> {
  const rows = await client.query<SetRecordRow>(
    `SELECT item.key, item.number, record.source, record.body
     FROM published.item JOIN source.catalog_record AS record ON record.item_id = item.id
     WHERE item.kind = 'set' AND item.key = ANY($1::text[])
     ORDER BY record.source COLLATE "C"`,
    [keys],
  );
  return knownSets(rows);
}

async function findPublishedSets(
  client: Connection,
  keys: readonly string[],
): Promise<Map<string, KnownSet>> {
  const rows = await client.query<KnownSet & { key: string }>(
    `SELECT listing.key, listing.number, listing.name AS title,
       round((document.body::json ->> 'msrp_usd')::numeric * 100)::float8 AS "msrpCents"
     FROM published.listing JOIN published.document USING (item_id)
     WHERE listing.kind = 'set' AND listing.key = ANY($1::text[])`,
    [keys],
  );
  return new Map(rows.map(({ key, ...set }) => [key, set]));
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
