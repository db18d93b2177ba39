/** Changes that can be undone for a day: of lots, of sales, and returns of purchases. */

import * as db from '../../store/sql/operation.ts';
import { columnsBut, columnsOf, tables } from '../../store/sql/tables.ts';
import { listPhotosOf } from '../photos/photos.store.ts';
import {
  type EditKind,
  type EditResult,
  editsKept,
  editsKeptMs,
  type FoundEdit,
} from './lot-edits.ts';
import { type AccountOutcome, refusedCounts } from './private-rows.ts';
import type { LotRow, PredictionRow, PrivateTables, RemovedLots } from './private-tables.store.ts';
import { type Undo, undoOf } from './undo-rules.store.ts';

export function undoLog(engine: db.Engine) {
  return db.methods(engine.run, { findEdit, listEdits, listReturnEdits });
}

interface EditRow extends Pick<FoundEdit, 'id' | 'at' | 'changed'> {
  readonly kind: EditKind;
  readonly refused: string;
  readonly undo: string;
}

/** A change of lots that can still be undone; null if it is too old or already undone. */
function* findEdit(accountId: number, editId: number, at: number): db.Reading<FoundEdit | null> {
  const found = yield* findStoredEdit(accountId, editId, at);
  if (!found || !isOfLots(found.kind)) return null;
  const { undo, refused, kind, ...edit } = found;
  const { changed, removed }: Undo = JSON.parse(undo);
  const ids = changed.map(({ id }) => id);
  const lots = removed.lots.length > 0 ? removed.lots : yield* findLotsById(accountId, ids);
  const items = new Map(
    lots.map((lot) => [
      `${lot.kind} ${lot.key}`,
      { kind: lot.kind, key: lot.key, number: lot.number },
    ]),
  );
  return { ...edit, kind, refused: JSON.parse(refused), items: [...items.values()] };
}

/** A change, and what it is of. */
export interface EditRef {
  readonly editId: number;
  readonly of: 'lots' | 'sale' | 'return';
}

export function nounOf(kind: EditKind): EditRef['of'] {
  return isOfLots(kind) ? 'lots' : kind;
}

function isOfLots(kind: EditKind): kind is EditResult['kind'] {
  return kind !== 'sale' && kind !== 'return';
}

function findLotsById(accountId: number, ids: readonly number[]): db.Reading<LotRow[]> {
  return db.query<LotRow>(
    `SELECT ${columnsOf(tables.lot, 'l')} FROM private.lot l
     WHERE l.account_id = $1::bigint AND l.id = ANY($2::bigint[]) ORDER BY l.id`,
    [accountId, ids],
  );
}

export function findStoredEdit(
  accountId: number,
  editId: number,
  at: number,
): db.Reading<EditRow | null> {
  return db.first<EditRow>(
    `SELECT ${columnsBut(tables.edit, 'e', ['accountId'])}
     FROM private.edit e
     WHERE e.account_id = $1::bigint AND e.id = $2::bigint AND e.at > $3::bigint`,
    [accountId, editId, at - editsKeptMs],
  );
}

/** Stored changes, latest first. */
function listEdits(
  accountId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): db.Reading<Omit<EditRow, 'refused'>[]> {
  return db.query(
    `SELECT ${columnsOf(tables.edit, 'e', ['id', 'at', 'kind', 'changed', 'undo'])}
     FROM private.edit e
     WHERE e.account_id = $1::bigint AND ($2::bigint IS NULL OR e.id < $2::bigint)
     ORDER BY e.id DESC LIMIT $3::bigint`,
    [accountId, before, limit],
  );
}

/** The IDs of the returns that can still be undone. */
function* listReturnEdits(accountId: number, at: number): db.Reading<number[]> {
  const rows = yield* db.query<{ id: number }>(
    `SELECT id::float8 AS id FROM private.edit
     WHERE account_id = $1::bigint AND kind = 'return' AND at > $2::bigint`,
    [accountId, at - editsKeptMs],
  );
  return rows.map(({ id }) => id);
}

/** Stores what undoes the changes of the tables, before they are saved; returns its id. */
export function* keepEdit(
  changes: PrivateTables,
  kind: EditKind,
  outcomes: readonly AccountOutcome[],
): db.Operation<number> {
  const removed = yield* removedLots(changes.lots.removed);
  const undo: Undo = { ...undoOf(changes), removed };
  const { id: accountId, at } = changes.account;
  const id = yield* db.insertRow(tables.edit, {
    accountId,
    at,
    kind,
    changed: undo.changed.length + removed.lots.length + undo.sales.length,
    refused: JSON.stringify(refusedCounts(outcomes)),
    undo: JSON.stringify(undo),
  });
  yield* db.run('UPDATE private.photo SET edit_id = $1::bigint WHERE id = ANY($2::bigint[])', [
    id,
    removed.photos.map((photo) => photo.id),
  ]);
  // Only the latest changes are kept.
  yield* db.run(
    `DELETE FROM private.edit WHERE account_id = $1::bigint AND id NOT IN (
       SELECT id FROM private.edit WHERE account_id = $1::bigint
       ORDER BY edit.id DESC LIMIT ${editsKept})`,
    [accountId],
  );
  return id;
}

function* removedLots(lots: readonly LotRow[]): db.Reading<RemovedLots> {
  const ids = lots.map(({ id }) => id);
  const predictions = yield* db.query<PredictionRow>(
    `SELECT ${columnsOf(tables.lotPrediction, 'p')} FROM private.lot_prediction p
     WHERE p.lot_id = ANY($1::bigint[])`,
    [ids],
  );
  return { lots, predictions, photos: yield* listPhotosOf(ids) };
}
