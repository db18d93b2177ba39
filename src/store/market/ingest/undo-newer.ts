/** Whether later imports changed rows that an import is to give up. */
import { first, type Operation, query } from '../../sql/operation.ts';
import { eachPart } from '../../sql/pages.ts';
import { UndoError } from './undo-error.ts';
import type { UndoEntries, UndoKind } from './undo-log.ts';

/** What was kept of an import, as it is stored. */
interface KeptRow {
  readonly id: number;
  readonly importId: number;
  readonly kind: UndoKind;
  readonly body: string;
}

/** Rows that are read at once. */
const rowsAtOnce = 20;

/** Stored rows whose names are held in memory at once, about a million names. */
const rowsHeld = 1_000;

/** Throws when an import that came later, and was not undone, changed any of the same rows. */
export function* checkNothingNewer(id: number): Operation<void> {
  const later = new Set<number>();
  const own = yield* first<{ count: number }>(
    'SELECT count(*) AS count FROM source.import_undo WHERE import_id = $1::bigint',
    [id],
  );
  // However much there is, names are compared in parts that fit into memory.
  const parts = Math.ceil((own?.count ?? 0) / rowsHeld);
  for (let part = 0; part < parts; part++) {
    const isIn = (name: string) => parts === 1 || Bun.hash.crc32(name) % parts === part;
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

/** What a row is called; null for what is no row. A mark belongs to its record. */
function nameOf(kind: UndoKind, entry: UndoEntries[UndoKind]): string | null {
  if (kind === 'series') return null;
  const nameLength = kind === 'offer' ? 3 : 2;
  const row = kind === 'gone' ? 'record' : kind;
  return JSON.stringify([row, ...entry.slice(0, nameLength)]);
}
