/** What the API reads of `market.db`: documents, listings and series, never source rows. */
import type { Database } from 'bun:sqlite';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { MarketReading } from '../../domain/market/market-reading.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { sharedMax } from '../retail-matching.ts';
import { listingReading } from './listing-rows.ts';
import { listRestatements } from './market-publishing.ts';
import { retailReading } from './retail-rows.ts';
import { pointsReader } from './series-rows.ts';

/** The reading half of the market store, on a connection that never writes. */
export function sqliteMarketReading(db: Database): MarketReading {
  const changes = db.query<{ kind: ItemKind; key: string; name: string }, [number, number]>(
    `SELECT d.kind, d.key, l.name FROM document d JOIN listing l ON l.item_id = d.item_id
     WHERE d.stamp > ? LIMIT ?`,
  );
  const byKey = db.query<{ key: string; body: string }, [ItemKind, string]>(
    'SELECT key, body FROM document WHERE kind = ? AND key = ?',
  );
  const byAlias = db.query<{ key: string; body: string }, [string]>(
    `SELECT d.key, d.body FROM item i JOIN document d ON d.item_id = i.part_of
     WHERE i.kind = 'minifig' AND i.key = ?`,
  );
  const removed = db.query<unknown, [number]>(
    "SELECT 1 FROM meta WHERE name = 'removed_stamp' AND value > ?",
  );
  const themes = db.query<{ body: string }, []>('SELECT body FROM theme_list');
  const entries = db.query<{ key: string; name: string }, [ItemKind]>(
    'SELECT key, name FROM listing WHERE kind = ?',
  );
  const searchRow = db.query<{ search_row: string }, [ItemKind, string]>(
    'SELECT search_row FROM listing WHERE kind = ? AND key = ?',
  );
  return {
    publishStamp: stampReader(db),
    listChanges: async (afterStamp, limit) => {
      if (removed.get(afterStamp) !== null) return null;
      const rows = changes.all(afterStamp, limit + 1);
      return rows.length > limit ? null : rows;
    },
    findDocument: async (kind, key) =>
      byKey.get(kind, key) ?? (kind === 'minifig' ? byAlias.get(key) : null),
    findThemes: async () => themes.get()?.body ?? null,
    listSearchEntries: async (kind) => entries.all(kind),
    findSearchRows: async (kind, keys) =>
      keys.flatMap((key) => searchRow.get(kind, key)?.search_row ?? []),
    ...catalogReading(db),
    findSeries: seriesFinder(db),
    listRestatements: async () => listRestatements(db),
    ...retailReading(db),
    ...listingReading(db),
  };
}

/** Asks SQLite whether anyone else has written since; only then is the stamp read again. */
function stampReader(db: Database): () => number {
  const version = db.query<{ data_version: number }, []>('PRAGMA data_version');
  const stamp = db.query<{ value: number }, []>(
    "SELECT value FROM meta WHERE name = 'publish_stamp'",
  );
  let knownVersion = -1;
  let knownStamp = 0;
  return () => {
    const current = version.get()?.data_version ?? 0;
    if (current !== knownVersion) {
      knownVersion = current;
      knownStamp = stamp.get()?.value ?? 0;
    }
    return knownStamp;
  };
}

/** Sets by theme and by barcode. */
function catalogReading(db: Database): Pick<MarketReading, 'listThemeSets' | 'findBarcodeSets'> {
  const count = db.query<{ total: number }, [string]>(
    "SELECT count(*) AS total FROM listing WHERE kind = 'set' AND theme = ?",
  );
  const ofTheme = db.query<{ row: string }, [string, number, number]>(
    `SELECT search_row AS row FROM listing WHERE kind = 'set' AND theme = ?
     ORDER BY search_row ->> '$.year' DESC NULLS LAST, key LIMIT ? OFFSET ?`,
  );
  const byBarcode = db.query<{ key: string }, [string]>(
    `SELECT key FROM listing WHERE kind = 'set' AND (upc_key = ?1 OR ean_key = ?1)
     ORDER BY key LIMIT ${sharedMax}`,
  );
  return {
    listThemeSets: async (theme, { limit, offset }) => ({
      total: count.get(theme)?.total ?? 0,
      rows: ofTheme.all(theme, limit, offset).map(({ row }) => row),
    }),
    findBarcodeSets: async (barcodeKey) => byBarcode.all(barcodeKey).map(({ key }) => key),
  };
}

function seriesFinder(db: Database): MarketReading['findSeries'] {
  const find = db.query<{ id: number; number: string }, [string]>(
    "SELECT item_id AS id, number FROM listing WHERE kind = 'set' AND key = ?",
  );
  const series = pointsReader(db);
  return async (key: string, condition: Condition) => {
    const item = find.get(key);
    return item && { number: item.number, series: series(item.id, condition) };
  };
}
