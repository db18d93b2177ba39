/** What the API reads on PostgreSQL: documents, listings and series, never source rows. */

import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { MarketReading } from '../../domain/market/market-reading.ts';
import { sharedMax } from '../retail-matching.ts';
import { toBareSeries } from '../series.ts';
import { listingReading } from './listing-rows.ts';
import type { PublishStamp } from './publish-stamp.ts';
import type { Reader } from './replica.ts';
import { listRestatements } from './restatement-rows.ts';
import { retailReading } from './retail-rows.ts';

/** The reading half of the market store, on the primary or on a replica. */
export function postgresMarketReading(reader: Reader, stamp: PublishStamp): MarketReading {
  return {
    publishStamp: () => stamp.get(),
    listChanges: async (afterStamp, limit) => {
      const rows = await reader.query<{ kind: ItemKind; key: string; name: string }>(
        `SELECT d.kind, d.key, l.name FROM published.document d
         JOIN published.listing l ON l.item_id = d.item_id WHERE d.stamp > $1
         UNION ALL
         SELECT 'removed', '', '' FROM published.meta
         WHERE name = 'removed_stamp' AND value > $1 LIMIT $2`,
        [afterStamp, limit + 1],
      );
      const isTold = rows.every(({ kind }) => kind === 'set' || kind === 'minifig');
      return isTold && rows.length <= limit ? rows : null;
    },
    findDocument: documentFinder(reader),
    findThemes: async () => {
      const sql = 'SELECT body FROM published.theme_list';
      const [row] = await reader.query<{ body: string }>(sql);
      return row?.body ?? null;
    },
    listSearchEntries: (kind) =>
      reader.query('SELECT key, name FROM published.listing WHERE kind = $1', [kind]),
    findSearchRows: async (kind, keys) => {
      const rows = await reader.query<{ key: string; search_row: string }>(
        `SELECT key, search_row FROM published.listing
         WHERE kind = $1 AND key = ANY($2::text[])`,
        [kind, keys],
      );
      const found = new Map(rows.map((row) => [row.key, row.search_row]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },
    ...catalogReading(reader),
    findSeries: seriesFinder(reader),
    listRestatements: () => listRestatements(reader),
    ...retailReading(reader),
    ...listingReading(reader),
  };
}

interface DocumentRow {
  readonly key: string;
  readonly body: string;
}

function documentFinder(reader: Reader): MarketReading['findDocument'] {
  return async (kind, key) => {
    const [found] = await reader.query<DocumentRow>(
      'SELECT key, body FROM published.document WHERE kind = $1 AND key = $2',
      [kind, key],
    );
    if (found || kind !== 'minifig') return found ?? null;
    const [named] = await reader.query<DocumentRow>(
      `SELECT d.key, d.body FROM published.item i
       JOIN published.document d ON d.item_id = i.part_of
       WHERE i.kind = 'minifig' AND i.key = $1`,
      [key],
    );
    return named ?? null;
  };
}

/** Sets by theme and by barcode. */
function catalogReading(reader: Reader): Pick<MarketReading, 'listThemeSets' | 'findBarcodeSets'> {
  return {
    listThemeSets: async (theme, { limit, offset }) => {
      const where = "FROM published.listing WHERE kind = 'set' AND theme = $1";
      const [counted, rows] = await Promise.all([
        reader.query<{ total: number }>(`SELECT count(*)::float8 AS total ${where}`, [theme]),
        reader.query<{ row: string }>(
          `SELECT search_row AS row ${where}
           ORDER BY (search_row::json ->> 'year')::integer DESC NULLS LAST, key
           LIMIT $2 OFFSET $3`,
          [theme, limit, offset],
        ),
      ]);
      return { total: counted[0]?.total ?? 0, rows: rows.map(({ row }) => row) };
    },
    findBarcodeSets: async (barcodeKey) => {
      const rows = await reader.query<{ key: string }>(
        `SELECT key FROM published.listing
         WHERE kind = 'set' AND (upc_key = $1 OR ean_key = $1) ORDER BY key LIMIT ${sharedMax}`,
        [barcodeKey],
      );
      return rows.map(({ key }) => key);
    },
  };
}

interface SeriesRow {
  readonly number: string;
  readonly first_month: number | null;
  readonly points: Uint8Array | null;
  readonly revision: number | null;
}

function seriesFinder(reader: Reader): MarketReading['findSeries'] {
  return async (key, condition) => {
    const [row] = await reader.query<SeriesRow>(
      `SELECT l.number, s.first_month, s.points, s.revision FROM published.listing l
       LEFT JOIN published.series s ON s.item_id = l.item_id AND s.condition = $2
       WHERE l.kind = 'set' AND l.key = $1`,
      [key, condition],
    );
    if (!row) return null;
    const { number, first_month: firstMonth, points, revision } = row;
    if (firstMonth === null || points === null || revision === null) {
      return { number, series: null };
    }
    return { number, series: toBareSeries({ firstMonth, points, revision }) };
  };
}
