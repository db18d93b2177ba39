/** Guarantees of every store about the entries of devices: each is applied once, or not at all. */
import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import {
  deviceEntryLimits,
  type EntryChange,
  entriesKeptMs,
} from '../../domain/portfolio/device-entries.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const markOf = (id: string, madeAt = now) => ({ id, madeAt });

/** A purchase into a new collection; lots are in Shelf. */
function purchase(owner: Owner, id: string, collection = 'Shelf'): EntryChange {
  return { rows: [owner.brickfolio(collection), owner.lot(`web:${id}`)] };
}

const watching: EntryChange = {
  watched: { kind: 'set', key: '75192', number: '75192', targetCents: null, note: '' },
  keys: { set: ['75192'], minifig: [] },
};

const lotsOf = async ({ id }: Owner) =>
  (await store().listInventory(id, { after: 0, limit: 100 })).length;

test('an entry that is sent again has no effect, even after its lot was deleted', async () => {
  const ann = await shared.addOwner();
  const entry = { mark: markOf('a'), change: purchase(ann, 'a'), at: now };
  expect(await store().applyEntry(ann.id, entry)).toBeNull();
  expect(await store().applyEntry(ann.id, entry)).toBeNull();
  expect(await lotsOf(ann)).toBe(1);
  const [lot] = await store().listInventory(ann.id, { after: 0, limit: 1 });
  await store().removeLot(ann.id, lot?.id ?? 0);
  expect(await store().applyEntry(ann.id, entry)).toBeNull();
  expect(await lotsOf(ann)).toBe(0);
  expect(await store().findAppliedEntries(ann.id, ['a', 'b'])).toEqual(new Set(['a']));
});

test('entries that are sent at the same time are applied once', async () => {
  const ann = await shared.addOwner();
  const send = (id: string) =>
    store().applyEntry(ann.id, { mark: markOf(id), change: watching, at: now });
  expect(await Promise.all(['a', 'a', 'b', 'a'].map(send))).toEqual([null, null, null, null]);
  const lists = await store().listWatchLists(ann.id);
  expect(lists.map(({ name, items }) => [name, items])).toEqual([['Watchlist', 1]]);
});

test('a refused entry writes nothing and is not remembered', async () => {
  const ann = await shared.addOwner();
  const refused = { mark: markOf('a'), change: purchase(ann, 'a', 'Other'), at: now };
  expect(await store().applyEntry(ann.id, refused)).toContain('Shelf');
  expect(await lotsOf(ann)).toBe(0);
  expect(await store().listBrickfolios(ann.id)).toEqual([]);
  const good = { ...refused, change: purchase(ann, 'a') };
  expect(await store().applyEntry(ann.id, good)).toBeNull();
  expect(await lotsOf(ann)).toBe(1);
});

test('an entry is remembered longer than it can wait, and then refused', async () => {
  const ann = await shared.addOwner();
  const entry = { mark: markOf('a'), change: purchase(ann, 'a'), at: now };
  await store().applyEntry(ann.id, entry);
  const oldest = now + deviceEntryLimits.days * dayMs;
  while ((await store().sweep(oldest, 100)) > 0);
  expect(await store().applyEntry(ann.id, { ...entry, at: oldest })).toBeNull();
  while ((await store().sweep(now + entriesKeptMs, 100)) > 0);
  expect(await store().findAppliedEntries(ann.id, ['a'])).toEqual(new Set());
  const reason = await store().applyEntry(ann.id, { ...entry, at: now + entriesKeptMs });
  expect(reason).toContain('more than 90 days ago');
  expect(await lotsOf(ann)).toBe(1);
});

test('the same ID of another account is another entry', async () => {
  const [ann, ben] = [await shared.addOwner(), await shared.addOwner()];
  for (const owner of [ann, ben]) {
    const entry = { mark: markOf('a'), change: purchase(owner, 'a'), at: now };
    expect(await store().applyEntry(owner.id, entry)).toBeNull();
    expect(await lotsOf(owner)).toBe(1);
  }
});
