/** The log of imports, and the time of the latest publication. */

import { readMeta } from '../../market/published/meta.store.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import {
  type ImportEntry,
  importsKept,
  type ListedImport,
  type ShownImport,
  undoableMs,
  type WrittenCounts,
} from './journal.ts';

/** `rejects` is separate, because lists do not need it. */
interface ImportRow {
  readonly id: number;
  readonly body: string;
}

export function marketJournal(engine: db.Engine) {
  return {
    ...db.methods(engine.transaction, { logImport, countWritten, updateImport }),
    ...db.methods(engine.run, { findImport, listImports }),
    /** The time of the latest publication; null if there was none. */
    findPublishedAt: async () => (await engine.run(readMeta)).get('published_at') ?? null,
  };
}

export interface Journal extends ReturnType<typeof marketJournal> {}

/** Newest first. */
function* listImports(limit: number): db.Reading<ListedImport[]> {
  const sql = 'SELECT id, body FROM published.import_log ORDER BY id DESC LIMIT $1::bigint';
  return (yield* db.query<ImportRow>(sql, [limit])).map(toListedImport);
}

/** Returns the id. Removes undo data that is too old, and the oldest imports without any. */
export function* logImport(entry: ImportEntry): db.Operation<number> {
  yield* db.run(
    `DELETE FROM source.import_undo WHERE import_id IN
       (SELECT id FROM published.import_log WHERE at < $1::bigint)`,
    [entry.endedAt - undoableMs],
  );
  const id = yield* db.insertRow(tables.importLog, rowOf(entry));
  yield* db.run(
    `DELETE FROM published.import_log WHERE id <= $1::bigint
       AND id NOT IN (SELECT import_id FROM source.import_undo)`,
    [id - importsKept],
  );
  return id;
}

function rowOf({ rejects, ...body }: ImportEntry) {
  return { at: body.endedAt, body: JSON.stringify(body), rejects: JSON.stringify(rejects) };
}

/**
 * Adds to the counts of an import in the transaction that writes the rows, so that they are right
 * if the process is killed. The end of the import replaces them.
 */
export function* countWritten(id: number, at: number, written: WrittenCounts): db.Operation<void> {
  const sql = 'SELECT id, body FROM published.import_log WHERE id = $1::bigint';
  const row = yield* db.first<ImportRow>(sql, [id]);
  if (!row) return;
  const body: Omit<ImportEntry, 'rejects'> = JSON.parse(row.body);
  const counted = {
    ...body,
    endedAt: at,
    added: body.added + (written.added ?? 0),
    updated: body.updated + (written.updated ?? 0),
    unchanged: body.unchanged + (written.unchanged ?? 0),
    gone: written.gone === undefined ? body.gone : (body.gone ?? 0) + written.gone,
  };
  yield* db.changeRows(tables.importLog, { at, body: JSON.stringify(counted) }, { id });
}

/** Updates an import that was logged at its start. */
export function* updateImport(id: number, entry: ImportEntry): db.Operation<void> {
  yield* db.changeRows(tables.importLog, rowOf(entry), { id });
}

/** With rejects and warnings; null if there is no such import or it was removed. */
export function* findImport(id: number): db.Reading<ShownImport | null> {
  const sql = 'SELECT id, body, rejects FROM published.import_log WHERE id = $1::bigint';
  const row = yield* db.first<ImportRow & { rejects: string }>(sql, [id]);
  return row && { ...toShownImport(row), rejects: JSON.parse(row.rejects) };
}

function toListedImport(row: ImportRow): ListedImport {
  const { warnings: _, ...listed } = toShownImport(row);
  return listed;
}

function toShownImport({ id, body }: ImportRow): Omit<ShownImport, 'rejects'> {
  return { id, ...JSON.parse(body) };
}
