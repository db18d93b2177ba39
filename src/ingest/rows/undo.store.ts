/**
 * Undoes an import in one transaction: deletes added rows, restores changed ones, and updates
 * derived data as after any batch. It refuses if later imports changed the same rows, or if history
 * was sealed with them.
 */

import { dayText } from '../../kernel/format.ts';
import { formatDay, lastFinalMonth, monthOf } from '../../kernel/time.ts';
import { markUndone } from '../../market/events/events.store.ts';
import { listRestatements } from '../../market/history/history.store.ts';
import { forgetValuesSince } from '../../market/published/listing.store.ts';
import { readMeta } from '../../market/published/meta.store.ts';
import type { UndoneImport, UndoRefusal } from '../../market/source-rows/market-ingest.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { saveJoin } from '../catalog/minifigs.store.ts';
import { findImport, logImport, updateImport } from '../runner/journal.store.ts';
import { type ImportEntry, undoableMs } from '../runner/journal.ts';
import { saveWaiting } from '../runner/waiting.store.ts';
import { type MemberChanges, newMemberChanges } from './batch.store.ts';
import { Changes } from './changes.store.ts';
import { settleMembers } from './member-rows.store.ts';
import { SalesAtHand } from './sales-at-hand.store.ts';
import { UndoError } from './undo-error.store.ts';
import { removeItems, type Undescribed } from './undo-items.store.ts';
import { UndoLog } from './undo-log.store.ts';
import { checkNothingNewer } from './undo-newer.store.ts';
import { takeBackRows } from './undo-rows.store.ts';

/** Undoes an import; if that is refused, nothing has changed. */
export async function undoImport(
  id: number,
  at: number,
  writing: Pick<db.Engine, 'transaction'>,
): Promise<UndoneImport | UndoRefusal> {
  try {
    return await writing.transaction(() => undo(id, at));
  } catch (error) {
    if (error instanceof UndoError) return { refusal: error.message };
    throw error;
  }
}

function* undo(id: number, at: number): db.Operation<UndoneImport> {
  const entry = yield* findUndoable(id, at);
  yield* checkHistory(entry, at);
  yield* checkNothingNewer(id);
  // The undo itself cannot be undone, so it logs nothing.
  const undoLog = new UndoLog(null);
  const changes = new Changes(new SalesAtHand(), undoLog);
  const members = newMemberChanges();
  const waiting = new Set<string>();
  const batch = { at, changes, members, waiting, undo: undoLog };
  const undone = yield* takeBackRows(id, batch);
  if (isCatalog(undone, members)) {
    for (const key of (yield* saveJoin()).keys) members.keys.add(key);
  }
  yield* settleMembers(batch);
  const since = entry.startedAt;
  const itemsRemoved = yield* removeItems(undone, { keys: members.keys, since, at });
  yield* saveWaiting(waiting);
  yield* changes.settle();
  yield* forgetSince(entry.startedAt, changes);
  yield* changes.save();
  yield* markUndone(changes.listTouched());
  yield* db.deleteRows(tables.importUndo, { importId: id });
  const { id: _, ...logged } = entry;
  const { removed, restored } = undone;
  const takenBack = removed + restored;
  yield* updateImport(id, { ...logged, undoneAt: at, takenBack });
  yield* logImport(entryOf(id, at, takenBack));
  return { removed, restored, itemsRemoved };
}

/** Whether catalog rows changed, so that minifigs may have to be joined differently. */
function isCatalog(
  { undescribed, sets }: Undescribed,
  { keys, described }: MemberChanges,
): boolean {
  return undescribed.size + sets.size + keys.size + described.size > 0;
}

function entryOf(id: number, at: number, updated: number): ImportEntry {
  return {
    format: 'undo',
    files: [`import ${id}`],
    startedAt: at,
    endedAt: at,
    added: 0,
    updated,
    unchanged: 0,
    rejected: 0,
    gone: null,
    error: null,
    rejects: [],
    warned: 0,
    warnings: [],
  };
}

function* findUndoable(
  id: number,
  at: number,
): db.Operation<ImportEntry & { readonly id: number }> {
  const entry = yield* findImport(id);
  if (entry === null) {
    throw new UndoError(`There is no import ${id}. Run 'brickmark import log' to list imports.`);
  }
  if (entry.undoneAt !== undefined) {
    const day = dayText(formatDay(entry.undoneAt));
    throw new UndoError(`Import ${id} was already undone on ${day}.`);
  }
  if (entry.format === 'undo') {
    throw new UndoError(`Import ${id} is itself an undo. Import the files again instead.`);
  }
  const kept = yield* db.hasRow(tables.importUndo, { importId: id });
  if (kept) return entry;
  const day = dayText(formatDay(entry.endedAt));
  throw new UndoError(
    entry.endedAt < at - undoableMs
      ? `Import ${id} is from ${day}. Imports can be undone for 30 days.`
      : `Import ${id} changed no market data, so there is nothing to undo.`,
  );
}

/** Sealed months and their parameters never change, so none may include rows of this import. */
function* checkHistory({ id, startedAt }: { id: number; startedAt: number }, at: number) {
  const sealedAt = (yield* readMeta()).get('sealed_at');
  if (sealedAt === undefined) return;
  const learned = yield* db.first<{ month: number | null }>(
    'SELECT max(month)::float8 AS month FROM source.parameters',
  );
  const isSealedOn =
    startedAt <= sealedAt ||
    lastFinalMonth(at) > lastFinalMonth(startedAt) ||
    (learned?.month ?? 0) > monthOf(startedAt) ||
    (yield* listRestatements()).some((restatement) => restatement.at >= startedAt);
  if (!isSealedOn) return;
  throw new UndoError(
    `Months with rows of import ${id} are already final. Import corrected rows instead, then ` +
      "run 'brickmark history restate'.",
  );
}

/**
 * Removes daily values published since the import. If parameters change, this concerns all sets.
 */
function* forgetSince(startedAt: number, changes: Changes): db.Operation<void> {
  const isSealed = (yield* readMeta()).has('sealed_at');
  const ids = changes.hasLearned() && !isSealed ? null : new Set(changes.listTouched());
  for (const id of yield* forgetValuesSince(ids, startedAt)) changes.touch(id);
}
