/** Checks whether later imports changed the rows of an import to undo. */
import * as db from '../../store/sql/operation.ts';
import { UndoError } from './undo-error.store.ts';

/** Throws if a later import, which was not undone, changed any of the same rows. */
export function* checkNothingNewer(id: number): db.Operation<void> {
  const later = yield* db.query<{ id: number }>(laterImports, [id]);
  const [last, ...others] = later.map((found) => found.id);
  if (last === undefined) return;
  const them = others.length === 0 ? `Import ${last}` : `Imports ${[last, ...others].join(', ')}`;
  throw new UndoError(
    `${them} changed the same rows after import ${id}. Undo import ${last} first, or keep both.`,
  );
}

/**
 * The keys of the rows of imports, as JSON without separators. A mark has the key of its record; a
 * series is not a source row.
 */
const keysOf = (imports: string) => `
  SELECT import_id, CASE kind WHEN 'gone' THEN 'record' ELSE kind END
      || (entry.value -> 0)::text || (entry.value -> 1)::text
      || CASE WHEN kind IN ('offer', 'listings', 'part_out') THEN (entry.value -> 2)::text
        ELSE '' END AS key
  FROM source.import_undo, json_array_elements(body::json) AS entry
  WHERE import_id ${imports} $1::bigint AND kind <> 'series'`;

/** Grouping sorts the keys, so that SQLite need not insert them in random order. */
const laterImports = `
  SELECT DISTINCT import_id::float8 AS id FROM (${keysOf('>')}) AS later
  WHERE key IN (SELECT key FROM (${keysOf('=')}) AS own GROUP BY key) ORDER BY 1 DESC`;
