/** Views of the inventory by name. */
import {
  type SavedView,
  type SavedViewStore,
  viewLimits,
} from '../../domain/portfolio/saved-views.ts';
import { type Engine, first, insertRows, type Operation, query, run } from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { changing } from './holding-edits.ts';

/** Reading and saving views. */
export function savedViewStore(engine: Engine): SavedViewStore {
  const change = <T>(accountId: number, make: () => Operation<T>) =>
    engine.transaction(() => changing(accountId, make));
  return {
    listSavedViews: (accountId) => engine.run(() => listViews(accountId)),
    saveView: (accountId, view, at) => change(accountId, () => saveView(accountId, view, at)),
    setDefaultView: (accountId, viewId) =>
      change(accountId, () => setDefaultView(accountId, viewId)),
    removeView: async (accountId, viewId) =>
      (await engine.run(() =>
        run('DELETE FROM private.saved_view WHERE account_id = $1::bigint AND id = $2::bigint', [
          accountId,
          viewId,
        ]),
      )) > 0,
  };
}

function listViews(accountId: number): Operation<SavedView[]> {
  const fields = fieldsOf(tables.savedView, ['accountId', 'createdAt']);
  return query<SavedView>(
    `SELECT ${columnsOf(tables.savedView, 'v', fields)} FROM private.saved_view v
     WHERE v.account_id = $1::bigint ORDER BY v.id`,
    [accountId],
  );
}

function* saveView(
  accountId: number,
  { name, query: saved }: { readonly name: string; readonly query: string },
  at: number,
): Operation<'done' | 'too many' | 'no account'> {
  const owner = yield* first('SELECT 1 FROM private.account WHERE id = $1::bigint', [accountId]);
  if (!owner) return 'no account';
  const views = yield* listViews(accountId);
  const old = views.find((view) => view.name === name);
  if (old) {
    const sql = 'UPDATE private.saved_view SET query = $2::text WHERE id = $1::bigint';
    yield* run(sql, [old.id, saved]);
    return 'done';
  }
  if (views.length >= viewLimits.views) return 'too many';
  const row = { accountId, name, query: saved, isDefault: false, createdAt: at };
  yield* insertRows(tables.savedView, Object.keys(row) as (keyof typeof row)[], [row]);
  return 'done';
}

function* setDefaultView(accountId: number, viewId: number | null): Operation<boolean> {
  const views = yield* listViews(accountId);
  if (viewId !== null && !views.some((view) => view.id === viewId)) return false;
  yield* run(
    `UPDATE private.saved_view SET is_default = (id IS NOT DISTINCT FROM $2::bigint)
     WHERE account_id = $1::bigint`,
    [accountId, viewId],
  );
  return true;
}
