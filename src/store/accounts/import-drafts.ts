/** Files between being sent and being imported: few for each account, and not for long. */
import {
  type ImportDraft,
  type ImportDraftStore,
  importDraftMs,
  importDraftsMax,
} from '../../domain/portfolio/import-draft-store.ts';
import { type Engine, first, type Operation, run } from '../sql/operation.ts';

/** Keeping files of owners. */
export function importDraftStore(engine: Engine): ImportDraftStore {
  return {
    addImportDraft: (accountId, file) => engine.transaction(() => addDraft(accountId, file)),
    findImportDraft: (accountId, id, at) =>
      engine.run(() =>
        first<ImportDraft>(
          `SELECT name, content, result FROM private.import_draft
           WHERE account_id = $1::bigint AND id = $2::bigint AND expires_at > $3::bigint`,
          [accountId, id, at],
        ),
      ),
    finishImportDraft: async (accountId, id, { result, replaces, at }) =>
      (await engine.run(() =>
        run(
          `UPDATE private.import_draft SET result = $3::text, expires_at = $4::bigint
           WHERE account_id = $1::bigint AND id = $2::bigint
             AND result IS NOT DISTINCT FROM $5::text`,
          [accountId, id, result, at + importDraftMs, replaces],
        ),
      )) > 0,
  };
}

/** The account stays locked: of two files at once, the second sees the first. */
function* addDraft(
  accountId: number,
  { name, content, at }: Pick<ImportDraft, 'name' | 'content'> & { readonly at: number },
): Operation<number | null> {
  const added = yield* first<{ id: number }>(
    `INSERT INTO private.import_draft (account_id, name, content, expires_at)
     SELECT id, $2::text, $3::bytea, $4::bigint FROM private.account
     WHERE id = $1::bigint FOR NO KEY UPDATE RETURNING id`,
    [accountId, name, content, at + importDraftMs],
  );
  yield* run(
    `DELETE FROM private.import_draft WHERE account_id = $1::bigint AND id < (
       SELECT min(id) FROM (SELECT id FROM private.import_draft
         WHERE account_id = $1::bigint ORDER BY id DESC LIMIT $2::integer) AS kept)`,
    [accountId, importDraftsMax],
  );
  return added?.id ?? null;
}
