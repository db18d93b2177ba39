/** Imports source rows in batches, and lookups of imports. */
import type { CensusComparison } from '../../catalog/items/census.ts';
import { mergeSet } from '../../catalog/items/merge.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { findRates } from '../../market/rates/rates.store.ts';
import type {
  KnownMinifig,
  KnownSet,
  MarketRow,
  RowOutcome,
  SetBarcodes,
  StoredCensus,
} from '../../market/source-rows/market-ingest.ts';
import {
  type Engine,
  methods,
  type Operation,
  query,
  type Reading,
  run,
} from '../../store/sql/operation.ts';
import { applyRows } from '../rows/apply-rows.store.ts';
import { undoImport } from '../rows/undo.store.ts';
import { UndoLog } from '../rows/undo-log.store.ts';
import { countWritten } from './journal.store.ts';
import { countOutcomes } from './journal.ts';
import { listWaiting } from './waiting.store.ts';

export function marketIngest(engine: Engine, writing: Pick<Engine, 'transaction'>) {
  return {
    ...methods(engine.run, {
      findNumbers,
      findKnownSets,
      findKnownMinifigs,
      compareCensus,
      listBarcodes,
      findRates,
      listWaiting,
    }),
    /**
     * Applies rows in order in one transaction; one outcome per row. Replaced data is kept for
     * undoing the import, if there is an import id, and the import log counts the rows.
     */
    applyRows: (rows: readonly MarketRow[], at: number, importId: number | null = null) =>
      writing.transaction(function* (): Operation<RowOutcome[]> {
        const outcomes = yield* applyRows(rows, at, importId);
        if (importId !== null) yield* countWritten(importId, at, countOutcomes(outcomes));
        return outcomes;
      }),
    /** Undoes an import, or says why it cannot. */
    undoImport: (id: number, at: number) => undoImport(id, at, writing),
    /**
     * Marks records that are missing from a census as gone, and unmarks those that are back;
     * returns how many were marked. Replaced data is kept for undoing the import, if there is an
     * import id.
     */
    markGone: (census: StoredCensus, importId: number | null = null) =>
      writing.transaction(() => markGone(census, importId)),
  };
}

/** The barcodes of sets from all sources. */
function listBarcodes(): Reading<SetBarcodes[]> {
  return query<SetBarcodes>(
    `SELECT item.number, record.body::json ->> 'upc' AS upc,
       record.body::json ->> 'ean' AS ean
     FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
     WHERE item.kind = 'set' AND (record.body::json ->> 'upc' IS NOT NULL
       OR record.body::json ->> 'ean' IS NOT NULL)
     ORDER BY item.id, record.source`,
  );
}

/** A minifig that is named by sets only is part of item 0, which does not exist. */
const isKnown = 'coalesce(item.part_of, 1) <> 0';

/** Known numbers in their canonical spelling, by lookup key. */
function* findNumbers(kind: ItemKind, keys: readonly string[]): Reading<Map<string, string>> {
  const found = yield* query<{ key: string; number: string }>(
    `SELECT item.key, item.number FROM published.item
     WHERE item.kind = $1::text AND item.key = ANY($2::text[]) AND ${isKnown}`,
    [kind, keys],
  );
  const numbers = new Map(found.map(({ key, number }) => [key, number]));
  return new Map(
    keys.flatMap((key) => {
      const number = numbers.get(key);
      return number === undefined ? [] : [[key, number] as const];
    }),
  );
}

/** Only published data, which every role can read, by lookup key. */
function* findKnownMinifigs(keys: readonly string[]): Reading<Map<string, KnownMinifig>> {
  if (keys.length === 0) return new Map();
  const rows = yield* query<KnownMinifig & { key: string }>(
    `SELECT item.key, item.number, coalesce(l.name, item.number) AS title,
       (l.search_row::json ->> 'year_released')::integer AS year,
       l.used_cents::float8 AS "valueCents"
     FROM published.item
     LEFT JOIN published.listing l ON l.item_id = coalesce(item.part_of, item.id)
     WHERE item.kind = 'minifig' AND item.key = ANY($1::text[]) AND ${isKnown}`,
    [keys],
  );
  return new Map(rows.map(({ key, ...minifig }) => [key, minifig]));
}

/** Merged facts of known sets, by lookup key. */
function* findKnownSets(keys: readonly string[]): Reading<Map<string, KnownSet>> {
  const rows = yield* query<{ key: string; number: string; source: string; body: string }>(
    `SELECT item.key, item.number, record.source, record.body
     FROM published.item JOIN source.catalog_record AS record ON record.item_id = item.id
     WHERE item.kind = 'set' AND item.key = ANY($1::text[])`,
    [keys],
  );
  const found = new Map<string, KnownSet>();
  for (const [key, records] of Map.groupBy(rows, (row) => row.key)) {
    const facts = mergeSet(
      records.map(({ source, body }) => ({ source, facts: JSON.parse(body) })),
    );
    const number = records[0]?.number ?? facts.number;
    const { title, msrpCents, releaseDate, year } = facts;
    found.set(key, { number, title, msrpCents, releaseDate, year });
  }
  return found;
}

/** Compares a census with the current records of a source. */
function* compareCensus({
  source,
  itemKind,
  keys,
}: Omit<StoredCensus, 'at'>): Reading<CensusComparison> {
  const records = yield* listRecords(source, itemKind);
  const present = records.filter(({ goneAt }) => goneAt === null);
  const remaining = present.filter(({ key }) => keys.has(key)).length;
  const known = present.length;
  return { known, gone: known - remaining, added: keys.size - remaining };
}

/** All records of a source, including those marked as gone. */
function listRecords(
  source: string,
  itemKind: ItemKind,
): Reading<{ id: number; key: string; goneAt: number | null }[]> {
  return query(
    `SELECT item.id::float8 AS id, item.key, record.gone_at::float8 AS "goneAt"
     FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
     WHERE record.source = $1::text AND item.kind = $2::text`,
    [source, itemKind],
  );
}

function* markGone(
  { source, itemKind, keys, at }: StoredCensus,
  importId: number | null,
): Operation<number> {
  const records = yield* listRecords(source, itemKind);
  const mark = (changed: typeof records, goneAt: number | null) =>
    run(
      `UPDATE source.catalog_record SET gone_at = $1::bigint
       WHERE source = $2::text AND item_id = ANY($3::bigint[])`,
      [goneAt, source, changed.map(({ id }) => id)],
    );
  const gone = records.filter(({ key, goneAt }) => goneAt === null && !keys.has(key));
  const back = records.filter(({ key, goneAt }) => goneAt !== null && keys.has(key));
  const undo = new UndoLog(importId);
  for (const { id, goneAt } of [...gone, ...back]) undo.add('gone', [id, source, goneAt]);
  yield* undo.save();
  yield* mark(gone, at);
  yield* mark(back, null);
  if (importId !== null) yield* countWritten(importId, at, { gone: gone.length });
  return gone.length;
}
