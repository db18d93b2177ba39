/** Rows written with documents, and rows removed. */
import { expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSeries,
  minifigRow as minifig,
  setRow as set,
  someEvidence,
} from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import { onTables } from '../../test/support/tables.ts';
import { dayMs, dayOf } from '../kernel/time.ts';
import { bulkTypes } from '../market/published/bulk.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';

const shared = shareStore();

/** Adds rows; returns a function that finds ids by key. */
async function add(...rows: MarketRow[]): Promise<(key: string) => number> {
  await shared.store.market.applyRows(rows, now);
  const sql = 'SELECT id, key FROM item';
  const items = await onTables<{ id: number; key: string }>(shared.folder, sql);
  const ids = new Map(items.map(({ id, key }) => [key, id]));
  return (key) => ids.get(key) ?? 0;
}

/** Publishes items in their current version, each with its own facts. */
async function publish(facts: Readonly<Record<number, Partial<PublishedItem>>>) {
  const { market } = shared.store;
  const inputs = await market.loadInputs(Object.keys(facts).map(Number), {
    at: now,
    withSeries: false,
  });
  return market.publish(
    inputs.map(({ id, version }) => aPublishedItem({ ...facts[id], id, version })),
  );
}

test('values of a set continue those published before', async () => {
  const { market } = shared.store;
  const id = await add(set('a'), set('b'));
  const day = dayOf(now);
  await publish({
    [id('a')]: { at: now, newCents: 100 },
    [id('b')]: { at: now, newCents: 500 },
  });
  await publish({ [id('a')]: { at: now + dayMs, newCents: 110 } });
  const found = await market.findItemValues('set', ['a', 'b']);
  expect(found.map((values) => values?.early.sealed)).toEqual([
    [
      { day, cents: 100 },
      { day: day + 1, cents: 110 },
    ],
    [{ day, cents: 500 }],
  ]);
});

test('the latest time of a publication is saved, and kept if nothing is published', async () => {
  const { market } = shared.store;
  const id = await add(set('m1'), set('m2'));
  await publish({ [id('m1')]: { at: now + 5 }, [id('m2')]: { at: now + 3 } });
  expect(await market.findPublishedAt()).toBe(now + 5);
  await market.publish([]);
  expect(await market.findPublishedAt()).toBe(now + 5);
  await publish({ [id('m1')]: { at: now + 7 } });
  expect(await market.findPublishedAt()).toBe(now + 7);
});

test('retail rows that a set no longer has are deleted, others stay', async () => {
  const { market } = shared.store;
  const id = await add(set('r1'), set('r2'));
  const months = { retailer_a: [], retailer_b: [] };
  const keys = { asinKey: null, upcKey: null, eanKey: null };
  const retail = { ...keys, changedAt: now, body: '{}', months, newStates: [] };
  const listed = async () =>
    (await market.listRetail(['r1', 'r2'], null)).map(({ setKey }) => setKey).sort();
  await publish({ [id('r1')]: { retail }, [id('r2')]: { retail } });
  expect(await listed()).toEqual(['r1', 'r2']);
  await publish({ [id('r1')]: { retail: null } });
  expect(await listed()).toEqual(['r2']);
});

test('a document with a new number replaces the one with the old number', async () => {
  const { market } = shared.store;
  const id = await add(set('n1'), set('n2'));
  const point = { valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null };
  const series = { sealed: aSeries(24_000, [point]), used: null };
  await publish({ [id('n1')]: { series }, [id('n2')]: { series } });
  await onTables(shared.folder, "UPDATE item SET number = 'N1' WHERE key = 'n1'");
  const stamp = Number(await market.publishStamp());
  await publish({ [id('n1')]: { series }, [id('n2')]: { series } });
  const after = { stamp: stamp + 1, rank: 0 };
  const { changes } = await market.listBulkChanges(after, bulkTypes, 99);
  const names = changes.map(({ type, number, content }) => [type, number, content !== null]);
  expect(names.filter(([type]) => type !== 'retail')).toEqual([
    ['sets', 'n1', false],
    ['months', 'n1', false],
    ['sets', 'N1', true],
    ['months', 'N1', true],
    ['sets', 'n2', true],
  ]);
});

test('documents of a part are removed when its minifig is published, and search is notified', async () => {
  const { market } = shared.store;
  const changes = async (after: number) =>
    (await market.listChanges(after, 99))?.map(({ key }) => key) ?? null;
  const learned = (until: number) => ({ evidence: someEvidence({ learnedUntil: until }) });
  const id = await add(set('plain'), minifig('whole'), minifig('part'), minifig('other'));
  const [plain, whole, part, other] = ['plain', 'whole', 'part', 'other'].map(id);
  const at = Number(await market.publishStamp());
  await publish({
    [whole ?? 0]: learned(5),
    [part ?? 0]: learned(9),
    [other ?? 0]: learned(99),
  });
  expect((await changes(at))?.sort()).toEqual(['other', 'part', 'whole']);
  const evidence = async () => {
    const [item] = await market.loadInputs([whole ?? 0], { at: now, withSeries: false });
    return item?.evidence?.learnedUntil;
  };
  expect(await evidence()).toBe(5);
  await add(minifig('whole', ['part']));
  // Sales of the part were scored already, and are not new for the whole.
  expect(await evidence()).toBe(9);
  const before = Number(await market.publishStamp());
  await publish({ [plain ?? 0]: {}, [other ?? 0]: {} });
  expect((await changes(before))?.sort()).toEqual(['other', 'plain']);
  // One of the tables has no row of the part.
  await onTables(shared.folder, 'DELETE FROM uncertainty WHERE item_id = ?', [part ?? 0]);
  await publish({ [whole ?? 0]: learned(10) });
  expect(await changes(before)).toBeNull();
  const removed = "SELECT number FROM removed_document WHERE type = 'minifigs'";
  expect(await onTables(shared.folder, removed)).toEqual([{ number: 'part' }]);
  expect(await market.findSearchRows('minifig', ['part', 'other'])).toHaveLength(1);
  const after = Number(await market.publishStamp());
  await publish({ [whole ?? 0]: learned(11) });
  expect(await changes(after)).toEqual(['whole']);
});
