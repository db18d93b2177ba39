/** Saved boxes. Rows and terms are JSON: nothing is searched in them. */

import { accountMethods, isOnPlan } from '../../accounts/people/account-methods.store.ts';
import * as db from '../../store/sql/operation.ts';
import { fieldsOf, tables } from '../../store/sql/tables.ts';
import {
  type BoughtBox,
  type BoxFacts,
  boxLimits,
  type ListedBox,
  type SavedBox,
} from './saved-box.ts';

export function savedBoxStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listBoxes, findBox }),
    ...accountMethods(engine, { addBox, changeBox, removeBox }),
  };
}

/** Latest change first. */
function listBoxes(accountId: number): db.Reading<ListedBox[]> {
  const fields = fieldsOf(tables.savedBox, ['accountId', 'sourceId', 'contents', 'terms']);
  const order = 't.changed_at DESC, t.id DESC';
  return db.listRows(tables.savedBox, { accountId }, { order, fields });
}

type StoredBox = ListedBox & { readonly contents: string; readonly terms: string };

export function* findBox(accountId: number, boxId: number): db.Reading<SavedBox | null> {
  const fields = fieldsOf(tables.savedBox, ['accountId', 'sourceId']);
  const box = yield* db.findRow<StoredBox>(tables.savedBox, { accountId, id: boxId }, fields);
  if (!box) return null;
  const { contents, terms, ...facts } = box;
  return { ...facts, rows: JSON.parse(contents), terms: JSON.parse(terms) };
}

/** A box of a form that is sent again is the one that exists. */
function* addBox(
  accountId: number,
  sourceId: string,
  facts: BoxFacts,
  at: number,
): db.Operation<{ readonly id: number } | 'too many' | 'too large' | 'no plan'> {
  if (!(yield* isOnPlan(accountId))) return 'no plan';
  const named = { accountId, sourceId };
  const known = yield* db.findRow<{ id: number }>(tables.savedBox, named, ['id']);
  if (known) return known;
  const values = storedValues(facts);
  const full = yield* findLimit(accountId, { contents: values.contents, boxId: null });
  if (full) return full;
  const row = { accountId, sourceId, ...values, boughtAs: null, createdAt: at, changedAt: at };
  const id = yield* db.insertRow(tables.savedBox, row);
  return { id };
}

/** `changed` if the box is not as its owner saw it. */
function* changeBox(
  accountId: number,
  seen: SavedBox,
  facts: BoxFacts,
  at: number,
): db.Operation<'done' | 'missing' | 'changed' | 'too large' | 'no plan'> {
  if (!(yield* isOnPlan(accountId))) return 'no plan';
  const now = yield* findBox(accountId, seen.id);
  if (!now) return 'missing';
  if (!isAsSeen(now, seen)) return 'changed';
  const { id } = seen;
  const values = storedValues(facts);
  const limit = yield* findLimit(accountId, { contents: values.contents, boxId: id });
  if (limit === 'too large') return limit;
  yield* db.changeRows(tables.savedBox, { ...values, changedAt: at }, { accountId, id });
  return 'done';
}

export function isAsSeen(now: SavedBox, seen: SavedBox): boolean {
  const { name, askCents, rows, terms } = seen;
  const isSame = now.name === name && now.askCents === askCents;
  return isSame && Bun.deepEquals([now.rows, now.terms], [rows, terms]);
}

export function* markBought(
  accountId: number,
  { seen, valueCents, maxCents }: BoughtBox,
  bought: { readonly as: string; readonly at: number },
): db.Operation<void> {
  yield* db.changeRows(
    tables.savedBox,
    { boughtAs: bought.as, changedAt: bought.at, valueCents, maxCents },
    { accountId, id: seen.id },
  );
}

function* removeBox(accountId: number, boxId: number): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.savedBox, { accountId, id: boxId })) > 0;
}

function storedValues({ name, rows, askCents, terms, valueCents, maxCents }: BoxFacts) {
  const contents = JSON.stringify(rows);
  return { name, contents, askCents, terms: JSON.stringify(terms), valueCents, maxCents };
}

/** The limit that a new or changed box exceeds; null if there is none. */
function* findLimit(
  accountId: number,
  { contents, boxId }: { readonly contents: string; readonly boxId: number | null },
): db.Reading<'too many' | 'too large' | null> {
  const others = yield* db.first<{ count: number; size: number }>(
    `SELECT count(*)::int AS count, coalesce(sum(length(contents)), 0)::float8 AS size
     FROM private.saved_box WHERE account_id = $1::bigint AND id IS DISTINCT FROM $2::bigint`,
    [accountId, boxId],
  );
  if ((others?.count ?? 0) >= boxLimits.boxes) return 'too many';
  return (others?.size ?? 0) + contents.length > boxLimits.stored ? 'too large' : null;
}
