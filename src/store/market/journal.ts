/** Imports and publications, to look back on. */
import {
  type ImportEntry,
  importsKept,
  type Journal,
  type ListedImport,
  type ShownImport,
  undoableMs,
} from '../../domain/market/journal.ts';
import { type Engine, first, type Operation, query, run } from '../sql/operation.ts';
import { readMeta } from './meta.ts';

/** An import as it is stored: what a list needs, and beside it what only one page shows. */
interface ImportRow {
  readonly id: number;
  readonly body: string;
}

/** The journal of the market. */
export function marketJournal(engine: Engine): Journal {
  return {
    logImport: (entry) => engine.transaction(() => logImport(entry)),
    updateImport: (id, entry) => engine.transaction(() => updateImport(id, entry)),
    listImports: async (limit) => {
      const sql = 'SELECT id, body FROM published.import_log ORDER BY id DESC LIMIT $1::bigint';
      return (await engine.run(() => query<ImportRow>(sql, [limit]))).map(toListedImport);
    },
    findImport: (id) => engine.run(() => findImport(id)),
    findPublishedAt: async () => (await engine.run(readMeta)).get('published_at') ?? null,
  };
}

/** Writes an import down; the oldest that cannot be undone are forgotten. */
export function* logImport({ rejects, ...body }: ImportEntry): Operation<number> {
  yield* run(
    `DELETE FROM source.import_undo WHERE import_id IN
       (SELECT id FROM published.import_log WHERE at < $1::bigint)`,
    [body.endedAt - undoableMs],
  );
  const row = yield* first<{ id: number }>(
    `INSERT INTO published.import_log (at, body, rejects)
     VALUES ($1::bigint, $2::text, $3::text) RETURNING id`,
    [body.endedAt, JSON.stringify(body), JSON.stringify(rejects)],
  );
  if (!row) throw new Error('The store did not take the import.');
  yield* run(
    `DELETE FROM published.import_log WHERE id <= $1::bigint
       AND id NOT IN (SELECT import_id FROM source.import_undo)`,
    [row.id - importsKept],
  );
  return row.id;
}

/** Writes an import down anew. */
export function* updateImport(id: number, { rejects, ...body }: ImportEntry): Operation<void> {
  yield* run(
    `UPDATE published.import_log SET at = $1::bigint, body = $2::text, rejects = $3::text
     WHERE id = $4::bigint`,
    [body.endedAt, JSON.stringify(body), JSON.stringify(rejects), id],
  );
}

/** An import with its rejects; null when there is none, or it is forgotten. */
export function* findImport(id: number): Operation<ShownImport | null> {
  const sql = 'SELECT id, body, rejects FROM published.import_log WHERE id = $1::bigint';
  const row = yield* first<ImportRow & { rejects: string }>(sql, [id]);
  return row && { ...toShownImport(row), rejects: JSON.parse(row.rejects) };
}

function toListedImport(row: ImportRow): ListedImport {
  const { warnings: _, ...listed } = toShownImport(row);
  return listed;
}

function toShownImport({ id, body }: ImportRow): Omit<ShownImport, 'rejects'> {
  return { id, ...JSON.parse(body) };
}
