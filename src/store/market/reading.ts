/** What the API and the pages read: documents, listings and series, never source rows. */
import { type ItemKind, variantBase, variantOf } from '../../domain/catalog/numbers.ts';
import type { BulkReading } from '../../domain/market/bulk.ts';
import type {
  ItemName,
  MarketReading,
  ResaleRecord,
  SetDetails,
} from '../../domain/market/market-reading.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { type Engine, first, type Operation, query, together } from '../sql/operation.ts';
import { dealReading } from './deals.ts';
import { eventReading } from './events.ts';
import { listRestatements } from './history.ts';
import { listingReading } from './listing.ts';
import { retailReading, sharedMax } from './retail-reading.ts';
import { listChanges, listSearchEntries } from './search-entries.ts';
import { type SeriesRow, toBareSeries } from './series.ts';

/**
 * The reading half of the market store, but for the stamp, to which each engine has its own way,
 * and for what is not read from a replica.
 */
export function marketReading(
  engine: Pick<Engine, 'run'>,
): Omit<MarketReading, 'publishStamp' | keyof BulkReading> {
  return {
    listChanges: (afterStamp, limit) => engine.run(() => listChanges(afterStamp, limit)),
    findDocument: (kind, key) => engine.run(() => findDocument(kind, key)),
    findResaleRecords: (kind, keys) => engine.run(() => findResaleRecords(kind, keys)),
    findAllKeys: async ({ set, minifig }) => ({
      set,
      minifig: await engine.run(() => findMinifigKeys(minifig)),
    }),
    findNames: async (kind, keys) => {
      const rows = await engine.run(() =>
        query<ItemName & { asked: string }>(namesSql[kind], [keys]),
      );
      return new Map(rows.map(({ asked, ...name }) => [asked, name]));
    },
    findThemes: async () => {
      const sql = 'SELECT body FROM published.theme_list';
      return (await engine.run(() => first<{ body: string }>(sql)))?.body ?? null;
    },
    listKeys: async (kind) => {
      const sql = 'SELECT key FROM published.listing WHERE kind = $1::text ORDER BY key';
      const rows = await engine.run(() => query<{ key: string }>(sql, [kind]));
      return rows.map(({ key }) => key);
    },
    listKeysAfter: async (kind, afterKey, limit) => {
      const sql = `SELECT key FROM published.listing WHERE kind = $1::text AND key > $2::text
        ORDER BY key LIMIT $3::bigint`;
      const rows = await engine.run(() => query<{ key: string }>(sql, [kind, afterKey, limit]));
      return rows.map(({ key }) => key);
    },
    listSearchEntries: (kind, afterKey, limit) =>
      engine.run(() => listSearchEntries(kind, afterKey, limit)),
    findSearchRows: async (kind, keys) => {
      const rows = await engine.run(() =>
        query<{ key: string; row: string }>(
          `SELECT key, search_row AS row FROM published.listing
           WHERE kind = $1::text AND key = ANY($2::text[])`,
          [kind, keys],
        ),
      );
      const found = new Map(rows.map(({ key, row }) => [key, row]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },
    listThemeSets: (theme, page) => engine.run(() => listThemeSets(theme, page)),
    findSetDetails: (setKey) => engine.run(() => findSetDetails(setKey)),
    listVariants: (setKey) => engine.run(() => listVariants(setKey)),
    findBarcodeSets: async (barcodeKeys) => {
      if (barcodeKeys.length === 0) return new Map();
      const rows = await engine.run(() =>
        query<{ code: string; key: string }>(barcodeSetsSql, [barcodeKeys]),
      );
      const grouped = Map.groupBy(rows, ({ code }) => code);
      return new Map([...grouped].map(([code, sets]) => [code, sets.map(({ key }) => key)]));
    },
    findSeries: (key, condition) => engine.run(() => findSeries(key, condition)),
    listRestatements: () => engine.run(listRestatements),
    ...retailReading(engine),
    ...listingReading(engine),
    ...dealReading(engine),
    ...eventReading(engine),
  };
}

/** Only minifigs have several numbers; of sets there may be thousands. */
const namesSql: Readonly<Record<ItemKind, string>> = {
  set: `SELECT key AS asked, number, name FROM published.listing
    WHERE kind = 'set' AND key = ANY($1::text[])`,
  minifig: `SELECT n.key AS asked, l.number, l.name FROM published.item n
    JOIN published.listing l ON l.item_id = coalesce(n.part_of, n.id)
    WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])`,
};

/** The first few sets of each barcode: nobody knows how many have one by mistake. */
const barcodeSetsSql = `SELECT code, key FROM (
    SELECT code, key, row_number() OVER (PARTITION BY code ORDER BY key) AS place FROM (
      SELECT upc_key AS code, key FROM published.listing
      WHERE kind = 'set' AND upc_key = ANY($1::text[])
      UNION
      SELECT ean_key AS code, key FROM published.listing
      WHERE kind = 'set' AND ean_key = ANY($1::text[])
    ) coded
  ) placed
  WHERE place <= ${sharedMax} ORDER BY code, key`;

interface DocumentRow {
  readonly key: string;
  readonly body: string;
}

function* findDocument(kind: ItemKind, key: string): Operation<DocumentRow | null> {
  const found = yield* first<DocumentRow>(
    'SELECT key, body FROM published.document WHERE kind = $1::text AND key = $2::text',
    [kind, key],
  );
  if (found || kind !== 'minifig') return found;
  return yield* first<DocumentRow>(
    `SELECT d.key, d.body FROM published.item i
     JOIN published.document d ON d.item_id = i.part_of
     WHERE i.kind = 'minifig' AND i.key = $1::text`,
    [key],
  );
}

type ResaleRow = Omit<ResaleRecord, 'evidence'> & {
  readonly asked: string;
  readonly evidence: string | null;
};

function* findResaleRecords(
  kind: ItemKind,
  keys: readonly string[],
): Operation<ReadonlyMap<string, ResaleRecord>> {
  const rows = yield* query<ResaleRow>(
    `SELECT n.key AS asked, i.key, i.number, d.body, e.body AS evidence, r.body AS retail
     FROM published.item n JOIN published.item i ON i.id = coalesce(n.part_of, n.id)
     JOIN published.document d ON d.item_id = i.id
     LEFT JOIN published.evidence e ON e.item_id = i.id
     LEFT JOIN published.retail r ON r.item_id = i.id
     WHERE n.kind = $1::text AND n.key = ANY($2::text[])`,
    [kind, keys],
  );
  return new Map(
    rows.map(({ asked, evidence, ...record }) => [
      asked,
      { ...record, evidence: evidence === null ? null : JSON.parse(evidence) },
    ]),
  );
}

/** A number that nobody describes any more is part of item 0, which is none. */
function* findMinifigKeys(keys: readonly string[]): Operation<string[]> {
  if (keys.length === 0) return [];
  const rows = yield* query<{ key: string }>(
    `SELECT whole.key FROM published.item n
     JOIN published.item whole ON whole.id = n.part_of
     WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])
     UNION SELECT part.key FROM published.item n
     JOIN published.item part ON part.part_of = coalesce(nullif(n.part_of, 0), n.id)
     WHERE n.kind = 'minifig' AND n.key = ANY($1::text[])`,
    [keys],
  );
  return [...new Set([...keys, ...rows.map(({ key }) => key)])];
}

type ThemeSets = MarketReading['listThemeSets'];

function* listThemeSets(
  ...[theme, { limit, offset }]: Parameters<ThemeSets>
): Operation<Awaited<ReturnType<ThemeSets>>> {
  const from = "FROM published.listing WHERE kind = 'set' AND theme = $1::text";
  const [counted, rows] = yield* together([
    first<{ total: number }>(`SELECT count(*) AS total ${from}`, [theme]),
    query<{ row: string }>(
      `SELECT search_row AS row ${from}
       ORDER BY (search_row::json ->> 'year')::integer DESC NULLS LAST, key
       LIMIT $2::bigint OFFSET $3::bigint`,
      [theme, limit, offset],
    ),
  ]);
  return { total: counted?.total ?? 0, rows: rows.map(({ row }) => row) };
}

function findSetDetails(setKey: string): Operation<SetDetails | null> {
  return first<SetDetails>(
    `SELECT (search_row::json ->> 'year')::integer AS year, item_class AS "itemClass",
       minifigs_count::float8 AS "minifigsCount"
     FROM published.listing WHERE kind = 'set' AND key = $1::text`,
    [setKey],
  );
}

/** Variants go up to 99; what else begins like a number is left out. */
const variantKeysMax = 1000;

function* listVariants(setKey: string): Operation<string[]> {
  const base = variantBase(setKey);
  // A period is what comes after a hyphen.
  const rows = yield* query<{ key: string; row: string }>(
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

type FoundSeries = Awaited<ReturnType<MarketReading['findSeries']>>;

function* findSeries(key: string, condition: Condition): Operation<FoundSeries> {
  type Months = Omit<SeriesRow, 'provenance'>;
  const row = yield* first<{ number: string } & (Months | Record<keyof Months, null>)>(
    `SELECT l.number, s.first_month AS "firstMonth", s.points, s.revision FROM published.listing l
     LEFT JOIN published.series s ON s.item_id = l.item_id AND s.condition = $2::text
     WHERE l.kind = 'set' AND l.key = $1::text`,
    [key, condition],
  );
  return row && { number: row.number, series: row.points === null ? null : toBareSeries(row) };
}
