/** Facts of sets for imports by a role that cannot read the sources. */
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import type { Connection } from './client.ts';

/** By lookup key. */
export async function findPublishedSets(
  client: Connection,
  keys: readonly string[],
): Promise<Map<string, KnownSet>> {
  const rows = await client.query<KnownSet & { key: string }>(
    `SELECT listing.key, listing.number, listing.name AS title,
       round((document.body::json ->> 'msrp_usd')::numeric * 100)::float8 AS "msrpCents",
       document.body::json ->> 'release_date' AS "releaseDate",
       listing.year::float8 AS year
     FROM published.listing JOIN published.document USING (item_id)
     WHERE listing.kind = 'set' AND listing.key = ANY($1::text[])`,
    [keys],
  );
  return new Map(rows.map(({ key, ...set }) => [key, set]));
}
