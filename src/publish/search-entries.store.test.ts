/** Search entries of published items, in pages or by changes. */
import { expect, test } from 'bun:test';
import { aMinifig, aPublishedItem, aSet } from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';

const shared = shareStore();

const set = (number: string): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number }),
});

/** Adds items and publishes everything stale. */
async function publish(rows: readonly MarketRow[], facts: Partial<PublishedItem> = {}) {
  const { market } = shared.store;
  await market.applyRows(rows, now);
  const ids = await market.listStale(0, 99);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  await market.publish(inputs.map(({ id, version }) => aPublishedItem({ ...facts, id, version })));
}

const minifig: MarketRow = {
  kind: 'minifig',
  source: 'feed',
  facts: aMinifig({ number: 'b' }),
};

test('entries of a kind are listed in order of keys, in pages', async () => {
  const { market } = shared.store;
  await publish([set('c'), set('a'), minifig, set('b')]);
  const keys = async (after: string, limit: number) =>
    (await market.listSearchEntries('set', after, limit)).map(({ key }) => key);
  expect(await keys('', 9)).toEqual(['a', 'b', 'c']);
  expect(await keys('a', 1)).toEqual(['b']);
  expect((await market.listSearchEntries('minifig', '', 9)).map(({ key }) => key)).toEqual(['b']);
  expect(await market.listKeys('set')).toEqual(['a', 'b', 'c']);
  expect(await market.listKeys('minifig')).toEqual(['b']);
  expect(await market.findSearchRows('set', ['c', 'none', 'a'])).toHaveLength(2);
});

test('an entry has all names, and whether it is found last', async () => {
  const search = {
    otherNames: ['x', 'y z'],
    subthemes: ['s'],
    themes: [],
    year: 1999,
    interest: 3,
  };
  await publish([set('d')], { name: 'Dome', itemClass: 'gear', search });
  await publish([set('e')], { name: 'Eden', itemClass: 'set' });
  const [d, e] = await shared.store.market.listSearchEntries('set', 'c', 9);
  expect(d).toEqual({
    kind: 'set',
    key: 'd',
    name: 'Dome',
    otherNames: ['x', 'y z'],
    subthemes: ['s'],
    themes: [],
    year: 1999,
    ranksLast: true,
    interest: 3,
    interestCounts: null,
  });
  expect(e).toMatchObject({ name: 'Eden', ranksLast: false, otherNames: [] });
});

test('interest counts belong to one kind of item', async () => {
  const { market } = shared.store;
  await market.addLookUps([{ kind: 'minifig', key: 'b', times: 4 }], 20_000);
  await market.saveHolders([{ kind: 'set', key: 'a', held: 2, units: 5 }], 20_000);
  const wanted = async (kind: 'set' | 'minifig', after: string) =>
    (await market.listSearchEntries(kind, after, 1))[0]?.interestCounts;
  expect(await wanted('set', 'a')).toBeNull();
  expect(await wanted('minifig', '')).toMatchObject({ day: 20_000, lookedUp: 4, held: 0 });
  expect(await wanted('set', '')).toMatchObject({ held: 2, lookedUp: 0 });
  expect(await market.listHolders()).toEqual([{ kind: 'set', key: 'a', held: 2, units: 5 }]);
});

test('changes since a stamp are listed, unless there are more than the limit', async () => {
  const { market } = shared.store;
  await publish([set('f')]);
  const stamp = await market.publishStamp();
  await publish([set('g'), set('h')]);
  const changed = async (after: number, limit: number) =>
    (await market.listChanges(after, limit))?.map(({ key }) => key).sort() ?? null;
  expect(await changed(stamp, 2)).toEqual(['g', 'h']);
  expect(await changed(stamp, 1)).toBeNull();
  expect(await changed(stamp - 1, 9)).toContain('f');
  expect(await changed(await market.publishStamp(), 9)).toEqual([]);
});

test('if published items became parts of others, everything must be read again', async () => {
  const { market } = shared.store;
  const figure = (number: string, aliases: string[]): MarketRow => ({
    kind: 'minifig',
    source: 'feed',
    facts: aMinifig({ number, aliases }),
  });
  await publish([figure('m1', []), figure('m2', [])]);
  const before = await market.publishStamp();
  await publish([figure('m1', ['m2'])]);
  const after = await market.publishStamp();
  expect(await market.listChanges(before, 9)).toBeNull();
  expect(await market.listChanges(after, 9)).toEqual([]);
  expect(await market.listKeys('minifig')).toEqual(['b', 'm1']);
});
