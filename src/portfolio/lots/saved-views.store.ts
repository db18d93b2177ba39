/** Saved views of the inventory. */

import { accountMethods } from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import { type SavedView, viewLimits } from './saved-views.ts';

export function savedViewStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listSavedViews }),
    ...accountMethods(engine, { removeView, saveView, setDefaultView }),
  };
}

function* removeView(accountId: number, viewId: number): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.savedView, { accountId, id: viewId })) > 0;
}

/** Oldest first. */
function listSavedViews(accountId: number): db.Reading<SavedView[]> {
  const fields = fieldsOf(tables.savedView, ['accountId', 'createdAt']);
  return db.listRows(tables.savedView, { accountId }, { order: 't.id', fields });
}

/** Replaces a view with the same name. */
function* saveView(
  accountId: number,
  { name, query: saved }: { readonly name: string; readonly query: string },
  at: number,
): db.Operation<'done' | 'too many' | 'no account'> {
  if (!(yield* db.hasRow(tables.account, { id: accountId }))) return 'no account';
  const views = yield* listSavedViews(accountId);
  const old = views.find((view) => view.name === name);
  if (old) {
    yield* db.changeRows(tables.savedView, { query: saved }, { id: old.id });
    return 'done';
  }
  if (views.length >= viewLimits.views) return 'too many';
  const row = { accountId, name, query: saved, isDefault: false, createdAt: at };
  yield* db.insertRows(tables.savedView, [row]);
  return 'done';
}

/** The inventory opens with the default view; null for none. */
function* setDefaultView(accountId: number, viewId: number | null): db.Operation<boolean> {
  const views = yield* listSavedViews(accountId);
  if (viewId !== null && !views.some((view) => view.id === viewId)) return false;
  yield* db.run(
    `UPDATE private.saved_view SET is_default = (id IS NOT DISTINCT FROM $2::bigint)
     WHERE account_id = $1::bigint`,
    [accountId, viewId],
  );
  return true;
}
