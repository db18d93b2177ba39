/** Guarantees of every store about the entries of devices: each is applied once, or not at all. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs } from '../../kernel/time.ts';
import { type AccountRow, isRejected } from '../lots/private-rows.ts';
import {
  deviceEntryLimits,
  type EntryChange,
  type EntryMark,
  entriesKeptMs,
} from './device-entries.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const markOf = (id: string, madeAt = now) => ({ id, madeAt });

/** A purchase into a new collection; lots are in Shelf. */
function purchase(owner: Owner, id: string, collection = 'Shelf'): readonly AccountRow[] {
  return [owner.brickfolio(collection), owner.lot(`web:${id}`)];
}

/** Applies an entry about lots; returns why not, or null if it is applied, now or before. */
async function buy(owner: Owner, rows: readonly AccountRow[], sent: EntryMark, at = now) {
  const { outcomes } = await store().change(owner.id, { rows, sent }, at);
  return outcomes.find(isRejected)?.reason ?? null;
}

const watching: EntryChange = {
  watched: { kind: 'set', key: '75192', number: '75192', targetCents: null, note: '' },
  keys: { set: ['75192'], minifig: [] },
};

const lotsOf = async ({ id }: Owner) =>
  (await store().listInventory(id, { after: 0, limit: 100 })).length;

test('an entry that is sent again has no effect, even after its lot was deleted', async () => {
  const ann = await shared.addOwner();
  const send = () => buy(ann, purchase(ann, 'a'), markOf('a'));
  expect(await send()).toBeNull();
  expect(await send()).toBeNull();
  expect(await lotsOf(ann)).toBe(1);
  const [lot] = await store().listInventory(ann.id, { after: 0, limit: 1 });
  const rows = [{ kind: 'lot_removal', lotId: lot?.id ?? 0 } as const];
  await store().change(ann.id, { rows }, now);
  expect(await send()).toBeNull();
  expect(await lotsOf(ann)).toBe(0);
  expect(await store().findSentForms(ann.id, ['a', 'b'])).toEqual(new Set(['a']));
});

test('entries that are sent at the same time are applied once', async () => {
  const ann = await shared.addOwner();
  const send = (id: string) =>
    store().applyForm({ ...markOf(id), accountId: ann.id, at: now }, (accounts) =>
      accounts.applyEntry(ann.id, { mark: markOf(id), change: watching, at: now }),
    );
  const outcomes = await Promise.all(['a', 'a', 'b', 'a'].map(send));
  expect(outcomes.toSorted()).toEqual(['done', 'done', 'sent before', 'sent before']);
  const lists = await store().listWatchLists(ann.id);
  expect(lists.map(({ name, items }) => [name, items])).toEqual([['Watchlist', 1]]);
});

test('a refused entry writes nothing and is not remembered', async () => {
  const ann = await shared.addOwner();
  expect(await buy(ann, purchase(ann, 'a', 'Other'), markOf('a'))).toContain('Shelf');
  expect(await lotsOf(ann)).toBe(0);
  expect(await store().listBrickfolios(ann.id)).toEqual([]);
  expect(await buy(ann, purchase(ann, 'a'), markOf('a'))).toBeNull();
  expect(await lotsOf(ann)).toBe(1);
});

test('an entry is remembered longer than it can wait, and then refused', async () => {
  const ann = await shared.addOwner();
  const send = (at: number) => buy(ann, purchase(ann, 'a'), markOf('a'), at);
  await send(now);
  const oldest = now + deviceEntryLimits.days * dayMs;
  while ((await store().sweep(oldest, 100)) > 0);
  expect(await send(oldest)).toBeNull();
  while ((await store().sweep(now + entriesKeptMs, 100)) > 0);
  expect(await store().findSentForms(ann.id, ['a'])).toEqual(new Set());
  expect(await send(now + entriesKeptMs)).toContain('more than 90 days ago');
  expect(await lotsOf(ann)).toBe(1);
});

test('the same ID of another account is another entry', async () => {
  const [ann, ben] = [await shared.addOwner(), await shared.addOwner()];
  for (const owner of [ann, ben]) {
    expect(await buy(owner, purchase(owner, 'a'), markOf('a'))).toBeNull();
    expect(await lotsOf(owner)).toBe(1);
  }
});
