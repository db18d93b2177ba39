/** Guarantees of every store about watch lists: owner, contents and limits. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { firstWatchList, type NewWatchedItem, watchLimits } from './watch-list.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const item = (key: string, facts: Partial<NewWatchedItem> = {}): NewWatchedItem => ({
  kind: 'set',
  key,
  number: key.toUpperCase(),
  targetCents: null,
  note: '',
  ...facts,
});

async function addList({ id }: Owner, name = 'Wanted'): Promise<number> {
  const made = await store().addWatchList(id, { name, at: now });
  if (typeof made === 'string') throw new Error(made);
  return made.id;
}

const save = ({ id }: Owner, listId: number, ...items: NewWatchedItem[]) =>
  store().saveWatchedItems(id, listId, { items, at: now });

const itemsOf = ({ id }: Owner, listId: number) =>
  store().listWatchedItems(id, listId, { after: 0, limit: 9_999 });

const keysOf = async (owner: Owner, listId: number) =>
  (await itemsOf(owner, listId)).map(({ key }) => key);

async function versionOf({ id }: Owner): Promise<number> {
  const sql = 'SELECT private_version AS version FROM private.account WHERE id = ?';
  const [row] = await onTables<{ version: number }>(shared.folder, sql, [id]);
  return Number(row?.version);
}

test('lists are sorted by name with their item counts, for their account only', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [wanted, gifts] = [await addList(one, 'Wanted'), await addList(one, 'Gifts')];
  await addList(other, 'Wanted');
  await save(one, wanted, item('1'), item('2'));
  expect(await store().listWatchLists(one.id)).toEqual([
    { id: gifts, name: 'Gifts', createdAt: now, items: 0 },
    { id: wanted, name: 'Wanted', createdAt: now, items: 2 },
  ]);
  expect((await store().listWatchLists(other.id)).map(({ items }) => items)).toEqual([0]);
  expect(await store().addWatchList(one.id, { name: 'Gifts', at: now })).toBe('name taken');
  expect(await store().addWatchList(0, { name: 'Gifts', at: now })).toBe('no account');
});

test('the first list is created if there is none, and is otherwise the first by name', async () => {
  const one = await shared.addOwner();
  const made = await store().ensureFirstList(one.id, now);
  expect(await store().listWatchLists(one.id)).toMatchObject([
    { id: made?.id, name: firstWatchList, createdAt: now },
  ]);
  expect(await store().ensureFirstList(one.id, now)).toMatchObject({ id: made?.id });
  const gifts = await addList(one, 'Gifts');
  expect(await store().ensureFirstList(one.id, now)).toMatchObject({ id: gifts });
  expect(await store().ensureFirstList(0, now)).toBeNull();
});

test('a list is renamed unless the name is taken, and removed with its items', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [wanted, gifts] = [await addList(one, 'Wanted'), await addList(one, 'Gifts')];
  await save(one, wanted, item('1'));
  const rename = (who: Owner, name: string) => store().renameWatchList(who.id, wanted, name);
  expect(await rename(one, 'Gifts')).toBe('name taken');
  expect(await rename(other, 'Mine')).toBe('no list');
  expect([await rename(one, 'Wanted'), await rename(one, 'Buy')]).toEqual(['done', 'done']);
  expect(await store().removeWatchList(other.id, wanted)).toBe(false);
  expect(await store().removeWatchList(one.id, wanted)).toBe(true);
  expect(await store().removeWatchList(one.id, wanted)).toBe(false);
  expect((await store().listWatchLists(one.id)).map(({ id }) => id)).toEqual([gifts]);
  expect(await store().listWatchedKeys(one.id)).toEqual({ set: [], minifig: [] });
});

test('items are stored as given, and read in pages by id', async () => {
  const one = await shared.addOwner();
  const wanted = await addList(one);
  const given = [
    item('b', { targetCents: 49_99, note: 'For “Ben”' }),
    item('a', { kind: 'minifig' }),
    item('a'),
  ];
  expect(await save(one, wanted, ...given)).toEqual({ added: 3, changed: 0 });
  const items = await itemsOf(one, wanted);
  const facts = items.map(({ id: _, listId, addedAt, ...kept }) => {
    expect([listId, addedAt]).toEqual([wanted, now]);
    return kept;
  });
  expect(facts).toEqual(given);
  const [first, second] = items;
  const page = { after: first?.id ?? 0, limit: 1 };
  expect(await store().listWatchedItems(one.id, wanted, page)).toEqual(second ? [second] : []);
});

test('an item given again gets the given target and note, and keeps omitted ones', async () => {
  const one = await shared.addOwner();
  const wanted = await addList(one);
  await save(one, wanted, item('a', { targetCents: 10_00, note: 'old' }), item('b'));
  const before = await versionOf(one);
  expect(await save(one, wanted, item('a'), item('b'))).toEqual({ added: 0, changed: 0 });
  expect(await versionOf(one)).toBe(before);
  const again = [item('a', { targetCents: 0 }), item('a', { note: 'new' }), item('c')];
  expect(await save(one, wanted, ...again)).toEqual({ added: 1, changed: 1 });
  expect(await itemsOf(one, wanted)).toMatchObject([
    { key: 'a', targetCents: 10_00, note: 'new' },
    { key: 'b', targetCents: null, note: '' },
    { key: 'c' },
  ]);
});

test('target and note of an item are set, also to null', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const wanted = await addList(one);
  await save(one, wanted, item('a', { targetCents: 10_00, note: 'old' }), item('b'));
  const change = async (who: Owner, targetCents: number | null) => {
    const [a] = await itemsOf(one, wanted);
    if (!a) throw new Error('There is no item.');
    const facts = { targetCents, note: '' };
    return store().changeWatchedItems(who.id, [{ id: a.id, facts, seen: a }]);
  };
  expect([await change(other, 1), await change(one, 5_00)]).toEqual([[expect.any(Number)], []]);
  expect(await itemsOf(one, wanted)).toMatchObject([{ targetCents: 5_00, note: '' }, {}]);
  await change(one, null);
  expect(await itemsOf(one, wanted)).toMatchObject([{ targetCents: null }, { key: 'b' }]);
});

test('of two changes of items as they were seen, one is saved, completely', async () => {
  const one = await shared.addOwner();
  const wanted = await addList(one);
  await save(one, wanted, item('a', { targetCents: 10_00 }), item('b', { note: 'old' }));
  const seen = await itemsOf(one, wanted);
  const change = (note: string) =>
    store().changeWatchedItems(
      one.id,
      seen.map((each) => ({ id: each.id, facts: { targetCents: 5_00, note }, seen: each })),
    );
  const outcomes = await Promise.all([change('first'), change('second')]);
  const ids = seen.map(({ id }) => id);
  expect(outcomes).toContainEqual([]);
  expect(outcomes).toContainEqual(ids);
  const note = outcomes[0]?.length === 0 ? 'first' : 'second';
  const saved = await itemsOf(one, wanted);
  expect(saved.map((each) => [each.targetCents, each.note])).toEqual(ids.map(() => [5_00, note]));
  // One item that is gone or was changed keeps the others from being changed.
  const [first] = saved;
  if (!first) throw new Error('There is no item.');
  const facts = { targetCents: 1, note: 'third' };
  const changes = [
    { id: first.id, facts, seen: first },
    { id: 0, facts, seen: first },
  ];
  expect(await store().changeWatchedItems(one.id, changes)).toEqual([0]);
  expect(await itemsOf(one, wanted)).toEqual(saved);
});

test('an item that is put on a list has exactly its target and note', async () => {
  const one = await shared.addOwner();
  const wanted = await addList(one);
  await save(one, wanted, item('a', { targetCents: 10_00, note: 'old' }));
  const put = (...items: NewWatchedItem[]) =>
    store().saveWatchedItems(one.id, wanted, { items, at: now, isExact: true });
  expect(await put(item('a'))).toEqual({ added: 0, changed: 1 });
  expect(await itemsOf(one, wanted)).toMatchObject([{ targetCents: null, note: '' }]);
});

test('another account cannot add, read or remove items', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const wanted = await addList(one);
  await save(one, wanted, item('a'));
  const ids = (await itemsOf(one, wanted)).map(({ id }) => id);
  expect(await save(other, wanted, item('b'))).toBe('no list');
  expect(await itemsOf(other, wanted)).toEqual([]);
  expect(await store().removeWatchedItems(other.id, ids)).toBe(0);
  expect(await store().findWatched(other.id, { set: ['a'], minifig: [] })).toEqual([]);
  expect(await store().listWatchedKeys(other.id)).toEqual({ set: [], minifig: [] });
  expect(await keysOf(one, wanted)).toEqual(['a']);
});

test('several items are removed at once, and no others', async () => {
  const one = await shared.addOwner();
  const wanted = await addList(one);
  await save(one, wanted, item('a'), item('b'), item('c'));
  const [a, , c] = await itemsOf(one, wanted);
  expect(await store().removeWatchedItems(one.id, [a?.id ?? 0, c?.id ?? 0, 0])).toBe(2);
  expect(await keysOf(one, wanted)).toEqual(['b']);
});

test('watched items are found by kind and key, on every list', async () => {
  const one = await shared.addOwner();
  const [wanted, gifts] = [await addList(one, 'Wanted'), await addList(one, 'Gifts')];
  await save(one, wanted, item('b'), item('a', { kind: 'minifig' }));
  await save(one, gifts, item('b'), item('a'));
  const found = await store().findWatched(one.id, { set: ['b'], minifig: ['a', 'b'] });
  expect(found.map(({ listId, kind, key }) => [listId, kind, key])).toEqual([
    [wanted, 'set', 'b'],
    [wanted, 'minifig', 'a'],
    [gifts, 'set', 'b'],
  ]);
  expect(await store().listWatchedKeys(one.id)).toEqual({ set: ['a', 'b'], minifig: ['a'] });
});

test('every change makes cached responses stale', async () => {
  const one = await shared.addOwner();
  const versions = new Set([await versionOf(one)]);
  const wanted = await addList(one);
  versions.add(await versionOf(one));
  await save(one, wanted, item('a'));
  versions.add(await versionOf(one));
  const [a] = await itemsOf(one, wanted);
  const facts = { targetCents: 1, note: '' };
  await store().changeWatchedItems(one.id, [{ id: a?.id ?? 0, facts, seen: a ?? facts }]);
  versions.add(await versionOf(one));
  await store().removeWatchedItems(one.id, [a?.id ?? 0]);
  versions.add(await versionOf(one));
  await store().renameWatchList(one.id, wanted, 'Buy');
  versions.add(await versionOf(one));
  await store().removeWatchList(one.id, wanted);
  versions.add(await versionOf(one));
  expect(versions.size).toBe(7);
});

test('limits are exact if lists or items are added at once, and a batch over the limit adds nothing', async () => {
  const one = await shared.addOwner();
  const names = Array.from({ length: watchLimits.lists + 3 }, (_, index) => `List ${index}`);
  const made = await Promise.all(
    names.map((name) => store().addWatchList(one.id, { name, at: now })),
  );
  expect(made.filter((each) => each === 'too many')).toHaveLength(3);
  const [first = { id: 0 }, second = { id: 0 }] = made.filter((each) => typeof each !== 'string');
  const batch = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => item(`${name}${index}`));
  expect(await save(one, first.id, ...batch('x', watchLimits.items - 5))).toMatchObject({
    added: watchLimits.items - 5,
  });
  const saved = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => save(one, second.id, ...batch(name, 2))),
  );
  expect(saved.filter((each) => each === 'too many')).toHaveLength(2);
  expect(await save(one, second.id, item('y'), item('z'))).toBe('too many');
  const [known = ''] = await keysOf(one, second.id);
  expect(await save(one, second.id, item('y'), item(known))).toEqual({ added: 1, changed: 0 });
  expect((await keysOf(one, second.id)).length).toBe(5);
  expect(await save(one, first.id, item('x0', { targetCents: 1 }))).toEqual({
    added: 0,
    changed: 1,
  });
});

test('an account is removed with its lists', async () => {
  const one = await shared.addOwner();
  await save(one, await addList(one), item('a'));
  expect(await store().removeAccount(one.email)).toBe(true);
  const left = await onTables(
    shared.folder,
    'SELECT 1 FROM private.watched_item WHERE account_id = ?',
    [one.id],
  );
  expect(left).toEqual([]);
});

test('watchers are listed in pages, each account and item once', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [wanted, gifts] = [await addList(one, 'Wanted'), await addList(one, 'Gifts')];
  await save(one, wanted, item('1'), item('2'), item('1', { kind: 'minifig' }));
  await save(one, gifts, item('1'));
  await save(other, await addList(other), item('1'));
  const watcher = ({ id }: Owner, key: string, kind: 'set' | 'minifig' = 'set') => ({
    accountId: id,
    kind,
    key,
  });
  const all = [
    watcher(one, '1', 'minifig'),
    watcher(one, '1'),
    watcher(one, '2'),
    watcher(other, '1'),
  ];
  const before = { accountId: one.id, kind: 'minifig' as const, key: '' };
  expect(await store().listWatchers(before, 100)).toEqual(all);
  for (const [index, last] of all.entries()) {
    expect(await store().listWatchers(last, 1)).toEqual(all.slice(index + 1, index + 2));
  }
});
