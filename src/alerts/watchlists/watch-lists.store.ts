/** Watch lists and their items. Changes make cached responses of the account stale. */

import {
  accountMethods,
  lockingAccount,
  raiseVersion,
} from '../../accounts/people/account-methods.store.ts';
import type { EventItems } from '../../market/events/events.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, isSameRow, tables } from '../../store/sql/tables.ts';
import { removeSome } from '../conditions/alert-rules.store.ts';
import {
  firstWatchList,
  type NewWatchedItem,
  type WatchedItem,
  type WatchedPage,
  type Watcher,
  type WatchFacts,
  type WatchList,
  watchLimits,
} from './watch-list.ts';

export function watchStore(engine: db.Engine) {
  return {
    ...accountMethods(engine, {
      addWatchList,
      ensureFirstList,
      renameWatchList,
      saveWatchedItems,
      changeWatchedItems,
      removeWatchedItems,
    }),
    ...db.methods(engine.run, {
      findWatched,
      listWatchedKeys,
      listWatchLists,
      listWatchedItems,
      listWatchers,
    }),
    /** False if there is no such list. Its alert rules are removed with it. */
    removeWatchList: (accountId: number, listId: number) =>
      engine.inSlices((rows) =>
        lockingAccount(accountId, () => removeList(accountId, listId, rows)),
      ),
  };
}

/**
 * Sets targets and notes, possibly to null: all or none. Returns the ids of items that are gone, or
 * not as they were seen.
 */
function* changeWatchedItems(
  accountId: number,
  changes: readonly {
    readonly id: number;
    readonly facts: WatchFacts;
    readonly seen: WatchFacts;
  }[],
): db.Operation<number[]> {
  const found = yield* db.query<WatchedItem>(
    `SELECT ${itemColumns} FROM private.watched_item i
     WHERE i.account_id = $1::bigint AND i.id = ANY($2::bigint[])`,
    [accountId, changes.map(({ id }) => id)],
  );
  const known = new Map(found.map((item) => [item.id, item]));
  const others = changes.filter(({ id, seen }) => {
    const now = known.get(id);
    return !now || !isSameRow(['targetCents', 'note'], now, seen);
  });
  if (others.length > 0) return others.map(({ id }) => id);
  const rows = changes.map(({ id, facts: { targetCents, note } }) => ({ id, targetCents, note }));
  yield* db.updateRows(tables.watchedItem, ['targetCents', 'note'], rows);
  if (rows.length > 0) yield* raiseVersion(accountId);
  return [];
}

/** Returns how many were removed. */
function* removeWatchedItems(accountId: number, itemIds: readonly number[]): db.Operation<number> {
  const removed = yield* db.run(
    `DELETE FROM private.watched_item WHERE account_id = $1::bigint AND id = ANY($2::bigint[])`,
    [accountId, itemIds],
  );
  if (removed > 0) yield* raiseVersion(accountId);
  return removed;
}

/** Sorted by name. */
function listWatchLists(accountId: number): db.Reading<WatchList[]> {
  return db.query<WatchList>(listsSql, [accountId]);
}

function listWatchedItems(
  accountId: number,
  listId: number,
  { after, limit }: WatchedPage,
): db.Reading<WatchedItem[]> {
  return db.query<WatchedItem>(
    `SELECT ${itemColumns} FROM private.watched_item i
     WHERE i.account_id = $1::bigint AND i.list_id = $2::bigint AND i.id > $3::bigint
     ORDER BY i.id LIMIT $4::bigint`,
    [accountId, listId, after, limit],
  );
}

/** Distinct pairs of account and item, in order, after one of them; null for the first. */
function listWatchers(after: Watcher | null, limit: number): db.Reading<Watcher[]> {
  return db.query<Watcher>(
    `SELECT DISTINCT i.account_id::float8 AS "accountId", i.kind, i.key
     FROM private.watched_item i
     WHERE (i.account_id, i.kind, i.key) > ($1::bigint, $2::text, $3::text)
     ORDER BY "accountId", i.kind, i.key LIMIT $4::bigint`,
    [after?.accountId ?? 0, after?.kind ?? '', after?.key ?? '', limit],
  );
}

const listsSql = `
  SELECT ${columnsBut(tables.watchList, 'l', ['accountId'])},
    (SELECT count(*) FROM private.watched_item i WHERE i.list_id = l.id)::int AS items
  FROM private.watch_list l WHERE l.account_id = $1::bigint ORDER BY l.name`;

const itemColumns = columnsBut(tables.watchedItem, 'i', ['accountId']);

function* addWatchList(
  accountId: number,
  { name, at }: { readonly name: string; readonly at: number },
): db.Operation<{ readonly id: number } | 'name taken' | 'too many' | 'no account'> {
  const lists = yield* db.query<WatchList>(listsSql, [accountId]);
  if (lists.some((list) => list.name === name)) return 'name taken';
  if (lists.length >= watchLimits.lists) return 'too many';
  if (!(yield* raiseVersion(accountId))) return 'no account';
  const row = { accountId, name, createdAt: at };
  const id = yield* db.insertRow(tables.watchList, row);
  return { id };
}

/** The first list, which is created if there is none; null if there is no such account. */
function* ensureFirstList(
  accountId: number,
  at: number,
): db.Operation<{ readonly id: number } | null> {
  const [list] = yield* listWatchLists(accountId);
  const made = list ?? (yield* addWatchList(accountId, { name: firstWatchList, at }));
  return typeof made === 'object' ? made : null;
}

function* renameWatchList(
  accountId: number,
  listId: number,
  name: string,
): db.Operation<'done' | 'name taken' | 'no list'> {
  if (!(yield* db.hasRow(tables.watchList, { accountId, id: listId }))) return 'no list';
  const other = yield* db.first(
    `SELECT 1 FROM private.watch_list
     WHERE account_id = $1::bigint AND name = $2::text AND id <> $3::bigint`,
    [accountId, name, listId],
  );
  if (other) return 'name taken';
  yield* db.changeRows(tables.watchList, { name }, { id: listId });
  yield* raiseVersion(accountId);
  return 'done';
}

/** Turns off the list's alert rules and removes them first, because they may have many reports. */
function* removeList(
  accountId: number,
  listId: number,
  rows: number,
): db.Operation<boolean | 'more'> {
  if (!(yield* db.hasRow(tables.watchList, { accountId, id: listId }))) return false;
  yield* db.changeRows(tables.alertRule, { isOn: false }, { listId });
  const rule = yield* db.first<{ id: number }>(
    'SELECT id::float8 AS id FROM private.alert_rule WHERE list_id = $1::bigint LIMIT 1',
    [listId],
  );
  if (rule) {
    yield* removeSome(rule.id, rows);
    return 'more';
  }
  const removed = yield* db.run(
    `DELETE FROM private.watched_item WHERE id IN (
       SELECT id FROM private.watched_item WHERE list_id = $1::bigint LIMIT $2::bigint)`,
    [listId, rows],
  );
  yield* raiseVersion(accountId);
  if (removed === rows) return 'more';
  yield* db.deleteRows(tables.watchList, { id: listId });
  return true;
}

/** Items on any list with one of the keys, in order of ids. */
function findWatched(accountId: number, { set, minifig }: EventItems): db.Reading<WatchedItem[]> {
  return db.query<WatchedItem>(
    `SELECT ${itemColumns} FROM private.watched_item i
     WHERE i.account_id = $1::bigint AND (
       (i.kind = 'set' AND i.key = ANY($2::text[])) OR
       (i.kind = 'minifig' AND i.key = ANY($3::text[])))
     ORDER BY i.id`,
    [accountId, set, minifig],
  );
}

/**
 * Adds items, all or none. Items that are already on the list get the given target and note; null
 * leaves what they have, unless they are to have exactly that.
 */
function* saveWatchedItems(
  accountId: number,
  listId: number,
  {
    items,
    at,
    isExact = false,
  }: {
    readonly items: readonly NewWatchedItem[];
    readonly at: number;
    readonly isExact?: boolean;
  },
): db.Operation<{ readonly added: number; readonly changed: number } | 'too many' | 'no list'> {
  if (!(yield* db.hasRow(tables.watchList, { accountId, id: listId }))) return 'no list';
  // If an item is given twice, the last one counts.
  const given = new Map(items.map((item) => [nameOf(item), item]));
  const known = yield* db.query<WatchedItem>(
    `SELECT ${itemColumns} FROM private.watched_item i WHERE i.list_id = $1::bigint`,
    [listId],
  );
  const changed = known.flatMap((item) => {
    const next = given.get(nameOf(item));
    given.delete(nameOf(item));
    return next ? changeOf(item, isExact ? next : withKnown(item, next)) : [];
  });
  const count = yield* db.countRows(tables.watchedItem, { accountId });
  if (count + given.size > watchLimits.items) return 'too many';
  const added = [...given.values()].map(({ kind, key, number, targetCents, note }) => {
    return { accountId, listId, kind, key, number, targetCents, note, addedAt: at };
  });
  yield* db.insertRows(tables.watchedItem, added);
  yield* db.updateRows(tables.watchedItem, ['targetCents', 'note'], changed);
  if (added.length + changed.length > 0) yield* raiseVersion(accountId);
  return { added: added.length, changed: changed.length };
}

/**
 * Adds an item to the first list, unless it is on a list already;
 * `keys` are those of all its numbers.
 */
export function* watchFirst(
  accountId: number,
  { item, keys, at }: { item: NewWatchedItem; keys: EventItems; at: number },
): db.Operation<'done' | 'too many' | 'no account'> {
  if ((yield* findWatched(accountId, keys)).length > 0) return 'done';
  const list = yield* ensureFirstList(accountId, at);
  if (!list) return 'no account';
  const saved = yield* saveWatchedItems(accountId, list.id, { items: [item], at });
  return saved === 'too many' ? 'too many' : 'done';
}

function nameOf({ kind, key }: Pick<NewWatchedItem, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** Given values replace existing ones. */
function withKnown(item: WatchedItem, next: NewWatchedItem): WatchFacts {
  return { targetCents: next.targetCents ?? item.targetCents, note: next.note || item.note };
}

/** Empty if nothing changes. */
function changeOf(item: WatchedItem, { targetCents, note }: WatchFacts) {
  const isSame = targetCents === item.targetCents && note === item.note;
  return isSame ? [] : [{ id: item.id, targetCents, note }];
}

/**
 * The keys of all watched items as they were when they were added; `findAllKeys` of the market
 * finds the current ones.
 */
function* listWatchedKeys(accountId: number): db.Reading<EventItems> {
  const rows = yield* db.query<Pick<WatchedItem, 'kind' | 'key'>>(
    `SELECT DISTINCT kind, key FROM private.watched_item
     WHERE account_id = $1::bigint ORDER BY kind, key`,
    [accountId],
  );
  const of = (kind: WatchedItem['kind']) =>
    rows.filter((row) => row.kind === kind).map(({ key }) => key);
  return { set: of('set'), minifig: of('minifig') };
}
