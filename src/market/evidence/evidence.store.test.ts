/** Records of an item in a fixed order, also for a minifig with several numbers. */
import { expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { MarketRow } from '../source-rows/market-ingest.ts';

const shared = shareStore();

const minifig = (source: string, number: string, aliases: string[] = []): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig({ number, aliases, name: `${source} ${number}` }),
});

test("records are ordered by source, then the item's own number first, then other numbers", async () => {
  const { market } = shared.store;
  await market.applyRows(
    [
      minifig('z', 'm', ['c', 'a', 'b', 'p']),
      ...['c', 'a', 'b'].map((number) => minifig('z', number)),
      minifig('feed', 'm'),
      minifig('feed', 'p'),
      minifig('a', 'p'),
      minifig('z', 'other'),
      { kind: 'set', source: 'feed', facts: aSet({ number: 'm' }) },
    ],
    now,
  );
  await market.markGone(
    { source: 'z', itemKind: 'minifig', keys: new Set(['m', 'a', 'b', 'other']), at: now },
    null,
  );
  for (const key of ['m', 'b']) {
    const found = await market.findSources('minifig', key);
    expect(found?.number).toBe('m');
    expect(found?.records.map(({ source, number, goneAt }) => [source, number, goneAt])).toEqual([
      ['a', 'p', null],
      ['feed', 'm', null],
      ['feed', 'p', null],
      ['z', 'm', null],
      ['z', 'a', null],
      ['z', 'b', null],
      ['z', 'c', now],
    ]);
  }
  expect((await market.findSources('set', 'm'))?.records).toHaveLength(1);
  expect(await market.findSources('set', 'b')).toBeNull();
});
