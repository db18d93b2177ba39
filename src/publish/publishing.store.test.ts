/** Work lists of publishing and sold items, the same on every store. */
import { expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSale,
  aSet,
  minifigRow as minifig,
  setRow as set,
} from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import { onTables } from '../../test/support/tables.ts';
import { dayMs, monthOf } from '../kernel/time.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';
import type { Sale } from '../market/source-rows/source-rows.ts';

const shared = shareStore();

const sale = (sourceId: string, facts: Partial<Sale>): MarketRow => ({
  kind: 'sale',
  sale: aSale({ sourceId, ...facts }),
});

/** Adds rows; returns ids by key. */
async function add(...rows: MarketRow[]): Promise<Record<string, number>> {
  await shared.store.market.applyRows(rows, now);
  const items = await onTables<{ id: number; key: string }>(
    shared.folder,
    'SELECT id, key FROM item',
  );
  return Object.fromEntries(items.map(({ id, key }) => [key, id]));
}

/** Publishes items in their current version; returns the ids that were written. */
async function publish(ids: readonly number[], facts: Partial<PublishedItem> = {}) {
  const { market } = shared.store;
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  return market.publish(inputs.map(({ id, version }) => aPublishedItem({ ...facts, id, version })));
}

const stale = (afterId = 0, limit = 99) => shared.store.market.listStale(afterId, limit);

test('stale items are listed in order, without parts of minifigs', async () => {
  const { market } = shared.store;
  const { a = 0, b = 0, m = 0 } = await add(set('a'), set('b'), minifig('m', ['part']));
  expect(await stale()).toEqual([a, b, m]);
  expect(await market.countStale()).toBe(3);
  expect(await stale(a, 1)).toEqual([b]);
  expect(await stale(b)).toEqual([m]);
  await publish([a, m]);
  expect(await stale()).toEqual([b]);
  await publish([b]);
  expect([await stale(), await market.countStale()]).toEqual([[], 0]);
});

test('a stale item that changes again stays stale', async () => {
  const { market } = shared.store;
  const { x = 0, y = 0, z = 0 } = await add(set('x'), set('y'), set('z'));
  await publish([x, y, z]);
  await market.applyRows([sale('x', { itemKey: 'x' })], now);
  expect(await stale()).toEqual([x]);
  const before = await market.loadInputs([x], { at: now, withSeries: false });
  await market.applyRows([sale('x', { itemKey: 'x', priceCents: 1 })], now);
  expect(await stale()).toEqual([x]);
  // A document made from the earlier version is rejected.
  const made = before.map(({ id, version }) => aPublishedItem({ id, version }));
  expect(await market.publish(made)).toBe(0);
  await market.applyRows([sale('z', { itemKey: 'z' })], now);
  expect(await market.markAllStale()).toBeGreaterThan(1);
  expect(await stale()).toContain(x);
  expect(await stale()).toContain(z);
  expect(await stale()).toContain(y);
  await publish(await stale());
  await market.applyRows([sale('y', { itemKey: 'y' })], now);
  const reason = 'A source was wrong.';
  await market.restateHistory({ fromMonth: monthOf(now), reason, at: now });
  expect(await stale()).toContain(y);
  expect(await stale()).toContain(x);
  await publish(await stale());
});

test('due items are listed most overdue first', async () => {
  const { market } = shared.store;
  const { d1 = 0, d2 = 0, d3 = 0 } = await add(set('d1'), set('d2'), set('d3'));
  await publish([d1, d3], { dueAt: now + 2 });
  await publish([d2], { dueAt: now + 1 });
  const due = (at: number, limit = 99) => market.listDue(at, limit);
  expect([await due(now), await market.countDue(now)]).toEqual([[], 0]);
  expect([await due(now + 1), await market.countDue(now + 1)]).toEqual([[d2], 1]);
  expect([await due(now + 2), await market.countDue(now + 2)]).toEqual([[d2, d1, d3], 3]);
  expect(await due(now + 2, 2)).toEqual([d2, d1]);
  await market.postponeDue([d1, d2], now + dayMs);
  expect(await due(now + dayMs - 1)).toEqual([d3]);
  expect(await due(now + dayMs)).toEqual([d3, d1, d2]);
  await market.postponeDue([d1, d2, d3], now + 365 * dayMs);
});

test('sold items are listed with their first sale; sales of parts count for the minifig', async () => {
  const { market } = shared.store;
  const { s1 = 0, f1 = 0 } = await add(set('s1'), minifig('f1', ['f1b']));
  const at = Date.UTC(2026, 1, 1);
  const figure = { itemKind: 'minifig' } as const;
  await market.applyRows(
    [
      sale('1', { itemKey: 's1', soldAt: at + 5 }),
      sale('2', { itemKey: 's1', soldAt: at + 3 }),
      sale('3', { ...figure, itemKey: 'f1', soldAt: at + 9 }),
    ],
    now,
  );
  await market.applyRows([sale('4', { ...figure, itemKey: 'f1b', soldAt: at + 7 })], now + 1);
  const sold = async (knownBefore: number | null) =>
    (await market.listSold(knownBefore))
      .filter(({ id }) => id === s1 || id === f1)
      .map(({ id, kind, firstSoldAt, sales }) => [id, kind, firstSoldAt - at, sales]);
  const first = [s1, 'set' as const, 3, 2];
  expect(await sold(null)).toEqual([first, [f1, 'minifig', 7, 2]]);
  expect(await sold(now + 1)).toEqual([first, [f1, 'minifig', 9, 1]]);
  expect(await sold(now)).toEqual([]);
});

test('themes of sets are listed in order, and published only if they change', async () => {
  const { market } = shared.store;
  const ids = await add(set('t1'), set('t2'), set('t3'), set('t4'), minifig('tm'));
  await publish([ids.t1 ?? 0, ids.t3 ?? 0], { theme: 'Zoo' });
  await publish([ids.t2 ?? 0], { theme: 'Ark' });
  await publish([ids.tm ?? 0], { theme: 'Nobody' });
  const counts: unknown[] = [];
  const render = (given: readonly { theme: string; setCount: number }[]) => {
    counts.push(given.map(({ theme, setCount }) => [theme, setCount]));
    return JSON.stringify(given);
  };
  await market.publishThemes(render);
  expect(counts).toEqual([
    [
      ['Ark', 1],
      ['Zoo', 2],
    ],
  ]);
  expect(JSON.parse((await market.findThemes()) ?? '')).toHaveLength(2);
  const stamp = await market.publishStamp();
  await market.publishThemes(render);
  expect(await market.publishStamp()).toBe(stamp);
  await publish([ids.t4 ?? 0], { theme: 'Zoo' });
  const later = await market.publishStamp();
  await market.publishThemes(render);
  expect(await market.publishStamp()).toBeGreaterThan(later);
});

test('a document is not published if its item has changed meanwhile', async () => {
  const { market } = shared.store;
  const { changing: id = 0 } = await add(set('changing'));
  await publish([id]);
  const staleBefore = await market.countStale();
  const version = async () =>
    (await market.loadInputs([id], { at: now, withSeries: true }))[0]?.version ?? 0;
  const before = await version();
  const facts = aSet({ number: 'changing', title: 'Cottage' });
  await market.applyRows([{ kind: 'set', source: 'feed', facts }], now);
  expect(await market.publish([aPublishedItem({ id, version: before, body: '"old"' })])).toBe(0);
  expect(await market.countStale()).toBe(staleBefore + 1);
  const after = await version();
  expect(await market.publish([aPublishedItem({ id, version: after, body: '"new"' })])).toBe(1);
  expect(await market.countStale()).toBe(staleBefore);
  expect((await market.findDocument('set', 'changing'))?.body).toBe('"new"');
});

test('readers get changes since a stamp, or null if there are too many', async () => {
  const { market } = shared.store;
  const { told: first = 0, retold: second = 0 } = await add(set('told'), set('retold'));
  const stamp = await market.publishStamp();
  expect(await publish([first, second])).toBe(2);
  expect(await market.publishStamp()).toBeGreaterThan(stamp);
  const changes = await market.listChanges(stamp, 2);
  expect(changes?.map(({ kind, key }) => `${kind} ${key}`).sort()).toEqual([
    'set retold',
    'set told',
  ]);
  expect(await market.listChanges(stamp, 1)).toBeNull();
  expect(await market.listChanges(await market.publishStamp(), 1)).toEqual([]);
});
