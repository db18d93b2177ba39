/** Uploaded files before their import; an account has only a few, for a short time. */

import * as db from '../../store/sql/operation.ts';
import {
  type ImportDraft,
  importDraftMs,
  importDraftsMax,
  type ListedDraft,
  type NewDraft,
} from './import-draft.ts';

export function importDraftStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, {
      findImportDraft,
      listImportDrafts,
    }),
    ...db.methods(engine.transaction, {
      addImportDraft,
      correctImportDraft,
      finishImportDraft,
    }),
  };
}

/** Null if there is none or it has expired. */
function findImportDraft(
  accountId: number,
  id: number,
  at: number,
): db.Reading<ImportDraft | null> {
  return db.first<ImportDraft>(
    `SELECT name, content, result, corrections FROM private.import_draft
     WHERE account_id = $1::bigint AND id = $2::bigint AND expires_at > $3::bigint`,
    [accountId, id, at],
  );
}

/** Without the files; oldest first. */
function listImportDrafts(accountId: number): db.Reading<ListedDraft[]> {
  return db.query(
    `SELECT id, name, path, expires_at AS "expiresAt", (result IS NOT NULL)::boolean AS "isDone"
     FROM private.import_draft WHERE account_id = $1::bigint ORDER BY import_draft.id`,
    [accountId],
  );
}

/** Saves corrections, unless the file is imported already. */
function correctImportDraft(
  accountId: number,
  id: number,
  corrections: string,
): db.Operation<boolean> {
  return db.runAny(
    `UPDATE private.import_draft SET corrections = $3::text
     WHERE account_id = $1::bigint AND id = $2::bigint AND result IS NULL`,
    [accountId, id, corrections],
  );
}

/** Keeps the file as long again. False if another request has saved a result meanwhile. */
function finishImportDraft(
  accountId: number,
  id: number,
  {
    result,
    replaces,
    at,
  }: { readonly result: string; readonly replaces: string | null; readonly at: number },
): db.Operation<boolean> {
  return db.runAny(
    `UPDATE private.import_draft SET result = $3::text, expires_at = $4::bigint
     WHERE account_id = $1::bigint AND id = $2::bigint
       AND result IS NOT DISTINCT FROM $5::text`,
    [accountId, id, result, at + importDraftMs, replaces],
  );
}

/**
 * Returns the id of the draft; null if there is no such account. The account is locked, so that the
 * limit also holds for two files at once.
 */
function* addImportDraft(
  accountId: number,
  { name, content, path, at }: NewDraft,
): db.Operation<number | null> {
  const added = yield* db.runFirst<{ id: number }>(
    `INSERT INTO private.import_draft (account_id, name, content, expires_at, path)
     SELECT id, $2::text, $3::bytea, $4::bigint, $5::text FROM private.account
     WHERE id = $1::bigint FOR NO KEY UPDATE RETURNING id`,
    [accountId, name, content, at + importDraftMs, path],
  );
  yield* db.run(
    `DELETE FROM private.import_draft WHERE account_id = $1::bigint AND id < (
       SELECT min(id) FROM (SELECT id FROM private.import_draft
         WHERE account_id = $1::bigint ORDER BY id DESC LIMIT $2::integer) AS kept)`,
    [accountId, importDraftsMax],
  );
  return added?.id ?? null;
}
