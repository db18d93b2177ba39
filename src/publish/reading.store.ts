/** Reads of the API and of pages: documents, listings and series, never source rows. */

import { dealReading } from '../buying/deals/deals.store.ts';
import { type ItemKind, variantBase, variantOf } from '../catalog/items/numbers.ts';
import type { Page, PageRange } from '../kernel/page.ts';
import { listEvents } from '../market/events/events.store.ts';
import type { EventItems } from '../market/events/events.ts';
import { findGradeEffects } from '../market/grades/grade-effects.store.ts';
import { listRestatements } from '../market/history/history.store.ts';
import { type SeriesRow, toBareSeries } from '../market/history/series.store.ts';
import { listingReading } from '../market/published/listing.store.ts';
import type { PublishStamp } from '../market/published/meta.store.ts';
import type { FoundSeries, ItemName, SetDetails } from '../market/published/published-records.ts';
import { findLatestRates, listLatestRates } from '../market/rates/rates.store.ts';
import { retailReading } from '../market/retail/retail-reading.store.ts';
import type { Condition } from '../market/source-rows/source-rows.ts';
import { groupValues } from '../store/sql/group-values.ts';
import * as db from '../store/sql/operation.ts';
import type { BulkReading } from './bulk/bulk.store.ts';
import { listChanges, listSearchEntries } from './search-entries.store.ts';

/**
 * Without the publish stamp, which each engine reads in its own way, and without bulk files, which
 * are not read from a replica.
 */
export function marketReading(engine: Pick<db.Engine, 'run'>) {
  return {
    ...db.methods(engine.run, {
      /**
       * Search entries published after a stamp; null if there are more than `limit`, or if some
       * were removed.
       */
      listChanges,
      findDocument,
      findFigureKey,
      listSearchEntries,
      listThemeSets,
      findSetDetails,
      listVariants,
      findSeries,
      listSeries,
      listRestatements,
      findAllKeys,
      findSameKeys,
      findNames,
      findThemes,
      listKeys,
      listKeysAfter,
      findSearchRows,
      findLatestRates,
      listLatestRates,
      findGradeEffects,
      listEvents,
    }),
    ...retailReading(engine),
    ...listingReading(engine),
    ...dealReading(engine),
  };
}

/** Everything that is published, and no source rows. */
export interface MarketReading
  extends ReturnType<typeof marketReading>,
    BulkReading,
    PublishStamp {}

/**
 * All current keys of items, including the given ones: a minifig may have several numbers, and
 * events have the number it had at the time.
 */
function* findAllKeys({ set, minifig }: EventItems): db.Reading<EventItems> {
  const others = [...(yield* findSameKeys(minifig)).values()].flat();
  return { set, minifig: [...new Set([...minifig, ...others])] };
}

/** Current names by requested key; unknown keys are left out. */
function* findNames(
  kind: ItemKind,
  keys: readonly string[],
): db.Reading<ReadonlyMap<string, ItemName>> {
  const rows = yield* db.query<ItemName & { requested: string }>(namesSql[kind], [keys]);
  return new Map(rows.map(({ requested, ...name }) => [requested, name]));
}

function* findThemes(): db.Reading<string | null> {
  const sql = 'SELECT body FROM published.theme_list';
  return (yield* db.first<{ body: string }>(sql))?.body ?? null;
}

/** In order. */
function* listKeys(kind: ItemKind): db.Reading<string[]> {
  const sql = 'SELECT key FROM published.listing WHERE kind = $1::text ORDER BY key';
  const rows = yield* db.query<{ key: string }>(sql, [kind]);
  return rows.map(({ key }) => key);
}

function* listKeysAfter(kind: ItemKind, afterKey: string, limit: number): db.Reading<string[]> {
  const sql = `SELECT key FROM published.listing WHERE kind = $1::text AND key > $2::text
        ORDER BY key LIMIT $3::bigint`;
  const rows = yield* db.query<{ key: string }>(sql, [kind, afterKey, limit]);
  return rows.map(({ key }) => key);
}

/** In the order of the keys; unknown keys are left out. */
function* findSearchRows(kind: ItemKind, keys: readonly string[]): db.Reading<string[]> {
  const rows = yield* db.query<{ key: string; row: string }>(
    `SELECT key, search_row AS row FROM published.listing
     WHERE kind = $1::text AND key = ANY($2::text[])`,
    [kind, keys],
  );
  const found = new Map(rows.map(({ key, row }) => [key, row]));
  return keys.flatMap((key) => found.get(key) ?? []);
}

/** Sets have one number, and there may be thousands of keys. */
const namesSql: Readonly<Record<ItemKind, string>> = {
  set: `SELECT key AS requested, number, name FROM published.listing
    WHERE kind = 'set' AND key = ANY($1::text[])`,
  minifig: `SELECT n.key AS requested, l.number, l.name FROM published.item n
    JOIN published.listing l ON l.item_id = coalesce(n.part_of, n.id)
    WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])`,
};

interface DocumentRow {
  readonly key: string;
  readonly body: string;
}

/** By key or alias; null if there is none. */
function* findDocument(kind: ItemKind, key: string): db.Reading<DocumentRow | null> {
  const found = yield* db.first<DocumentRow>(
    'SELECT key, body FROM published.document WHERE kind = $1::text AND key = $2::text',
    [kind, key],
  );
  if (found || kind !== 'minifig') return found;
  return yield* db.first<DocumentRow>(
    `SELECT d.key, d.body FROM published.item i
     JOIN published.document d ON d.item_id = i.part_of
     WHERE i.kind = 'minifig' AND i.key = $1::text`,
    [key],
  );
}

/** The collectible minifig that a set consists of; null if it is not one. */
function* findFigureKey(setKey: string): db.Reading<string | null> {
  const found = yield* db.first<{ key: string }>(
    `SELECT m.key FROM published.item s JOIN published.item m ON m.valued_as = s.id
     WHERE s.kind = 'set' AND s.key = $1::text`,
    [setKey],
  );
  return found?.key ?? null;
}

/**
 * The other current keys of minifigs, by requested key. A number without any record is part of item
 * 0, which does not exist.
 */
function* findSameKeys(
  minifigKeys: readonly string[],
): db.Reading<ReadonlyMap<string, readonly string[]>> {
  if (minifigKeys.length === 0) return new Map();
  const rows = yield* db.query<{ requested: string; key: string }>(
    `SELECT n.key AS requested, whole.key FROM published.item n
     JOIN published.item whole ON whole.id = n.part_of
     WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])
     UNION SELECT n.key AS requested, part.key FROM published.item n
     JOIN published.item part ON part.part_of = coalesce(nullif(n.part_of, 0), n.id)
     WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])`,
    [minifigKeys],
  );
  return groupValues(
    rows.filter(({ requested, key }) => key !== requested),
    'requested',
    'key',
  );
}

/** Newest first, then by key. */
function* listThemeSets(theme: string, { limit, offset }: PageRange): db.Reading<Page<string>> {
  const from = "FROM published.listing WHERE kind = 'set' AND theme = $1::text";
  const [counted, rows] = yield* db.together([
    db.first<{ total: number }>(`SELECT count(*) AS total ${from}`, [theme]),
    db.query<{ row: string }>(
      `SELECT search_row AS row ${from}
       ORDER BY year DESC NULLS LAST, key
       LIMIT $2::bigint OFFSET $3::bigint`,
      [theme, limit, offset],
    ),
  ]);
  return { total: counted?.total ?? 0, rows: rows.map(({ row }) => row) };
}

/** Null if there is no such set. */
function findSetDetails(setKey: string): db.Reading<SetDetails | null> {
  return db.first<SetDetails>(
    `SELECT year::float8 AS year, item_class AS "itemClass",
       minifigs_count::float8 AS "minifigsCount"
     FROM published.listing WHERE kind = 'set' AND key = $1::text`,
    [setKey],
  );
}

/** Variants go up to 99; the limit excludes other keys with the same prefix. */
const variantKeysMax = 1000;

/** Search rows of other variants, even if the set itself does not exist. */
function* listVariants(setKey: string): db.Reading<string[]> {
  const base = variantBase(setKey);
  // '.' follows '-' in ASCII.
  const rows = yield* db.query<{ key: string; row: string }>(
    `SELECT key, search_row AS row FROM published.listing
     WHERE kind = 'set' AND key <> $1::text
       AND (key = $2::text OR (key > $2::text || '-' AND key < $2::text || '.'))
     ORDER BY key LIMIT ${variantKeysMax}`,
    [setKey, base],
  );
  return rows
    .flatMap(({ key, row }) => {
      const variant = variantOf(key, base);
      return variant === null ? [] : [{ variant, row }];
    })
    .sort((a, b) => a.variant - b.variant)
    .map(({ row }) => row);
}

/** By requested key, without provenance; sets that do not exist are left out. */
function* listSeries(
  keys: readonly string[],
  condition: Condition,
): db.Reading<ReadonlyMap<string, FoundSeries>> {
  type Months = Omit<SeriesRow, 'provenance'>;
  type Found = { key: string; number: string } & (Months | Record<keyof Months, null>);
  const rows = yield* db.query<Found>(
    `SELECT l.key, l.number, s.first_month AS "firstMonth", s.points, s.revision
     FROM published.listing l
     LEFT JOIN published.series s ON s.item_id = l.item_id AND s.condition = $2::text
     WHERE l.kind = 'set' AND l.key = ANY($1::text[])`,
    [keys, condition],
  );
  const seriesOf = (row: Found) => (row.points === null ? null : toBareSeries(row));
  return new Map(rows.map((row) => [row.key, { number: row.number, series: seriesOf(row) }]));
}

/** Null if there is no such set. */
function* findSeries(key: string, condition: Condition): db.Reading<FoundSeries | null> {
  return (yield* listSeries([key], condition)).get(key) ?? null;
}
