/** Imports source rows in batches, and lookups of imports. */
import type { CensusComparison } from '../../catalog/items/census.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { knownItems } from '../../market/source-rows/known-items.store.ts';
import type {
  MarketRow,
  RowOutcome,
  SetBarcodes,
  StoredCensus,
} from '../../market/source-rows/market-ingest.ts';
import * as db from '../../store/sql/operation.ts';
import { applyRows } from '../rows/apply-rows.store.ts';
import { undoImport } from '../rows/undo.store.ts';
import { UndoLog } from '../rows/undo-log.store.ts';
import { countWritten } from './journal.store.ts';
import { countOutcomes } from './journal.ts';
import { listWaiting } from './waiting.store.ts';

export function marketIngest(engine: db.Engine, writing: Pick<db.Engine, 'transaction'>) {
  return {
    ...knownItems(engine),
    ...db.methods(engine.run, { compareCensus, listBarcodes, listWaiting }),
    /**
     * Applies rows in order in one transaction; one outcome per row. Replaced data is kept for
     * undoing the import, if there is an import id, and the import log counts the rows.
     */
    applyRows: (rows: readonly MarketRow[], at: number, importId: number | null = null) =>
      writing.transaction(function* (): db.Operation<RowOutcome[]> {
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

/** Importing source rows, and what imports look up. */
export interface MarketIngest extends ReturnType<typeof marketIngest> {}

function listBarcodes(): db.Reading<SetBarcodes[]> {
  return db.query<SetBarcodes>(
    `SELECT item.number, record.body::json ->> 'upc' AS upc,
       record.body::json ->> 'ean' AS ean
     FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
     WHERE item.kind = 'set' AND (record.body::json ->> 'upc' IS NOT NULL
       OR record.body::json ->> 'ean' IS NOT NULL)
     ORDER BY item.id, record.source`,
  );
}

/** Compares a census with the current records of a source. */
function* compareCensus({
  source,
  itemKind,
  keys,
}: Omit<StoredCensus, 'at'>): db.Reading<CensusComparison> {
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
): db.Reading<{ id: number; key: string; goneAt: number | null }[]> {
  return db.query(
    `SELECT item.id::float8 AS id, item.key, record.gone_at::float8 AS "goneAt"
     FROM source.catalog_record AS record JOIN published.item ON item.id = record.item_id
     WHERE record.source = $1::text AND item.kind = $2::text`,
    [source, itemKind],
  );
}

function* markGone(
  { source, itemKind, keys, at }: StoredCensus,
  importId: number | null,
): db.Operation<number> {
  const records = yield* listRecords(source, itemKind);
  const mark = (changed: typeof records, goneAt: number | null) =>
    db.run(
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
