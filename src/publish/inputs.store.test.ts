/** Inputs of documents: rows of each item up to a time. */
import { beforeAll, expect, test } from 'bun:test';
import {
  anOffer,
  aPublishedItem,
  aSale,
  aSeries,
  aSet,
  minifigRow as minifig,
  setRow as set,
} from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import { onTables } from '../../test/support/tables.ts';
import { retailFoldVersion } from '../market/retail/retail-state.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';
import type { Retailer } from '../market/source-rows/source-rows.ts';

const shared = shareStore();

const sale = (itemKind: 'set' | 'minifig', itemKey: string, sourceId: string): MarketRow => ({
  kind: 'sale',
  sale: aSale({ itemKind, itemKey, sourceId }),
});
const offer = (setKey: string, retailer: Retailer, ms: number): MarketRow => ({
  kind: 'offer',
  offer: anOffer({ setKey, retailer, observedAt: now + ms }),
});

let ids: Record<string, number>;

beforeAll(async () => {
  await shared.store.market.applyRows(
    [
      ...['one', 'two', 'bare'].map(set),
      minifig('whole', ['part']),
      minifig('other'),
      ...[1, 2, 3, 5].map((ms) => offer('one', 'retailer_a', ms)),
      ...[2, 4, 6].map((ms) => offer('one', 'retailer_b', ms)),
      ...[1, 7].map((ms) => offer('two', 'retailer_b', ms)),
      sale('set', 'one', '1'),
      ...['2', '3'].map((sourceId) => sale('minifig', 'whole', sourceId)),
      sale('minifig', 'part', '4'),
      ...['5', '6', '7', '8', '9'].map((sourceId) => sale('minifig', 'other', sourceId)),
    ],
    now,
  );
  const items = await onTables<{ id: number; key: string }>(
    shared.folder,
    'SELECT id, key FROM item',
  );
  ids = Object.fromEntries(items.map(({ id, key }) => [key, id]));
});

const idsOf = (...keys: string[]) => keys.map((key) => ids[key] ?? 0);

/** The offers at each retailer up to a time, and the time of the next one. */
async function looks(ms: number, ...keys: string[]): Promise<unknown[][]> {
  const { market } = shared.store;
  const inputs = await market.loadInputs(idsOf(...keys), { at: now + ms, withSeries: false });
  return inputs.map(({ retail: { retailer_a: a, retailer_b: b } }) =>
    [a, b].map(({ kept, offers, nextAt }) => [
      kept,
      offers.map(({ observedAt }) => observedAt - now),
      nextAt === null ? null : nextAt - now,
    ]),
  );
}

const count = async (ms: number, ...keys: string[]) =>
  (await shared.store.market.countInputs(idsOf(...keys), now + ms)).map(({ rows }) => rows);

test('offers are those of the set and the retailer up to a time, with the time of the next one', async () => {
  expect(await looks(2, 'one', 'whole', 'two', 'bare')).toEqual([
    [
      [null, [1, 2], 3],
      [null, [2], 4],
    ],
    [
      [null, [], null],
      [null, [], null],
    ],
    [
      [null, [], null],
      [null, [1], 7],
    ],
    [
      [null, [], null],
      [null, [], null],
    ],
  ]);
  expect(await looks(7, 'two')).toEqual([
    [
      [null, [], null],
      [null, [1, 7], null],
    ],
  ]);
});

test('counts include sales of parts, and runs of offers that began up to the time', async () => {
  expect(await count(2, 'one', 'two', 'bare', 'whole', 'other')).toEqual([3, 1, 0, 3, 5]);
  expect(await count(7, 'two', 'one')).toEqual([1, 3]);
});

test('the state of a checkpoint counts as the sales that take as much memory', async () => {
  const [id = 0] = idsOf('one');
  const counted = async () => (await shared.store.market.countInputs([id], now, now))[0]?.rows ?? 0;
  const before = await counted();
  await onTables(
    shared.folder,
    `INSERT INTO checkpoint (item_id, at, version, key, state)
     VALUES (?, ?, (SELECT version FROM item WHERE id = ?), ?, ?)`,
    [id, 0, id, 'any', new Uint8Array(4_000)],
  );
  expect(await counted()).toBe(before + 10);
  await onTables(shared.folder, 'DELETE FROM checkpoint');
});

test('offers start after the stored state, unless that is later or of another fold version', async () => {
  const keep = (key: string, retailer: Retailer, facts: { ms: number; version?: number }) =>
    onTables(
      shared.folder,
      `INSERT INTO retail_state (item_id, retailer, fold_version, checked_at, state)
       VALUES (?, ?, ?, ?, ?)`,
      [ids[key] ?? 0, retailer, facts.version ?? retailFoldVersion, now + facts.ms, '"kept"'],
    );
  await keep('one', 'retailer_a', { ms: 2 });
  await keep('one', 'retailer_b', { ms: 4, version: retailFoldVersion + 1 });
  await keep('two', 'retailer_b', { ms: 7 });
  expect(await looks(3, 'one', 'two')).toEqual([
    [
      ['kept', [3], 5],
      [null, [2], 4],
    ],
    [
      [null, [], null],
      [null, [1], 7],
    ],
  ]);
  expect(await count(3, 'one', 'two')).toEqual([3, 1]);
  // A state at the requested time includes everything up to it.
  expect((await looks(2, 'one'))[0]?.[0]).toEqual(['kept', [], 3]);
  expect(await count(2, 'one')).toEqual([3]);
  expect((await looks(1, 'one'))[0]?.[0]).toEqual([null, [1], 2]);
  expect(await count(1, 'one')).toEqual([2]);
  expect((await looks(7, 'two'))[0]?.[1]).toEqual(['kept', [], null]);
  await onTables(shared.folder, 'DELETE FROM retail_state');
});

test('minifigs of a set and sets of a minifig have canonical numbers, whatever number links them', async () => {
  const { market } = shared.store;
  const listing = (number: string, minifigs: string[], source = 'feed'): MarketRow => ({
    kind: 'set',
    source,
    facts: aSet({ number, minifigs }),
  });
  await market.applyRows(
    [
      listing('castle', ['part', 'other', 'unknown']),
      listing('fort', ['whole', 'part']),
      // Only the source that takes precedence lists the minifigs of a set.
      listing('castle', ['gone'], 'later'),
      listing('gate', ['other']),
    ],
    now,
  );
  const items = await onTables<{ id: number; key: string }>(
    shared.folder,
    "SELECT id, key FROM item WHERE key IN ('castle', 'fort', 'whole', 'other', 'bare')",
  );
  const asked = items.map(({ id }) => Number(id));
  const learned = await market.loadLearningInputs(asked, now);
  expect(Object.fromEntries(learned.map(({ key, related }) => [key, related]))).toEqual({
    castle: ['other', 'unknown', 'whole'],
    fort: ['whole'],
    bare: [],
    whole: ['castle', 'fort'],
    other: ['castle', 'gate'],
  });
});

test('series are only loaded on request', async () => {
  const { market } = shared.store;
  const point = { valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null };
  const series = { sealed: aSeries(24_000, [point]), used: null };
  const load = (withSeries: boolean) => market.loadInputs(idsOf('bare'), { at: now, withSeries });
  const [item] = await load(false);
  expect(item?.evidence).toBeNull();
  const made = aPublishedItem({ id: item?.id ?? 0, version: item?.version ?? 0, series });
  expect(await market.publish([made])).toBe(1);
  const months = async (withSeries: boolean) =>
    (await load(withSeries)).map(({ series: { sealed } }) => sealed?.points.length ?? null);
  expect(await months(true)).toEqual([1]);
  expect(await months(false)).toEqual([null]);
});

test('items are returned in the requested order, without unknown ids', async () => {
  const { market } = shared.store;
  const keys = async (...asked: number[]) =>
    (await market.loadInputs(asked, { at: now, withSeries: false })).map(({ key }) => key);
  const [part = 0] = idsOf('part');
  expect(await keys(...idsOf('two', 'whole', 'one'), 9_999, part)).toEqual(['two', 'whole', 'one']);
});
