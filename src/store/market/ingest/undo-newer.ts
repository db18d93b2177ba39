/** Checks whether later imports changed the rows of an import to undo. */
import { first, type Operation, query } from '../../sql/operation.ts';
import { eachPart } from '../../sql/pages.ts';
import { UndoError } from './undo-error.ts';
import type { UndoEntries, UndoKind } from './undo-log.ts';

interface KeptRow {
  readonly id: number;
  readonly importId: number;
  readonly kind: UndoKind;
  readonly body: string;
}

const rowsAtOnce = 20;

/** Stored rows with keys in memory at once, about a million keys. */
const rowsHeldAtOnce = 1_000;

/** Throws if a later import, which was not undone, changed any of the same rows. */
export function* checkNothingNewer(id: number): Operation<void> {
  const later = new Set<number>();
  const own = yield* first<{ count: number }>(
    'SELECT count(*) AS count FROM source.import_undo WHERE import_id = $1::bigint',
    [id],
  );
  // A large import is compared in several passes, by hash of the key, to limit memory.
  const parts = Math.ceil((own?.count ?? 0) / rowsHeldAtOnce);
  for (let part = 0; part < parts; part++) {
    const isIn = (name: string) => Bun.hash.crc32(name) % parts === part;
    const names = new Set<string>();
    yield* eachName('=', id, (name) => isIn(name) && names.add(name));
    yield* eachName('>', id, (name, importId) => names.has(name) && later.add(importId));
  }
  if (later.size === 0) return;
  const newest = [...later].sort((a, b) => b - a);
  const [last, ...others] = newest;
  const them = others.length === 0 ? `Import ${last}` : `Imports ${newest.join(', ')}`;
  throw new UndoError(
    `${them} changed the same rows after import ${id}. Undo import ${last} first, or keep both.`,
  );
}

function* eachName(
  comparison: '=' | '>',
  id: number,
  visit: (name: string, importId: number) => void,
): Operation<void> {
  const read = (afterId: number) =>
    query<KeptRow>(
      `SELECT id::float8 AS id, import_id::float8 AS "importId", kind, body
       FROM source.import_undo WHERE import_id ${comparison} $1::bigint
         AND import_undo.id > $2::bigint ORDER BY import_undo.id LIMIT ${rowsAtOnce}`,
      [id, afterId],
    );
  yield* eachPart(read, (rows) => {
    for (const { kind, body, importId } of rows) {
      for (const entry of JSON.parse(body)) {
        const name = nameOf(kind, entry);
        if (name !== null) visit(name, importId);
      }
    }
  });
}

/**
 * The key of a row as text; null for a series, which is not a source row. A mark has the key of its
 * record.
 */
function nameOf(kind: UndoKind, entry: UndoEntries[UndoKind]): string | null {
  if (kind === 'series') return null;
  const nameLength = kind === 'offer' || kind === 'listings' ? 3 : 2;
  const row = kind === 'gone' ? 'record' : kind;
  return JSON.stringify([row, ...entry.slice(0, nameLength)]);
}
