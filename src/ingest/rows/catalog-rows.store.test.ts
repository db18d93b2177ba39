/** Facts of several sources about one set, on each engine. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import type { SetDescription } from '../../catalog/items/catalog.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

const set = (source: string, facts: Partial<SetDescription> = {}): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number: '10482', ...facts }),
});

/** A row of a source that only adds details. */
const added = (source: string, facts: Partial<SetDescription> = {}): MarketRow =>
  set(source, { title: null, theme: null, ...facts });

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-catalog-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = (...rows: MarketRow[]) => store.market.applyRows(rows, now);
  const kinds = async (...rows: MarketRow[]) => (await apply(...rows)).map(({ kind }) => kind);
  const load = async (id: number) =>
    (await store.market.loadInputs([id], { at: now, withSeries: false }))[0];

  test("fields that a row leaves out keep the source's previous value, including set contents", async () => {
    const listed = { minifigs: ['m1', 'm2'], minifigsCount: 3 };
    await apply(set('dump', { ...listed, pieces: 5 }), set('other', { minifigs: ['m9'] }));
    const unsaid = (number = '10482'): MarketRow => ({
      kind: 'set',
      source: 'dump',
      facts: aSet({ number, pieces: 6 }),
      keeps: ['minifigs', 'minifigsCount'],
    });
    const kept = { facts: { minifigs: ['m1', 'm2'], minifigsCount: 3, pieces: 6 } };
    expect(await kinds(unsaid())).toEqual(['updated']);
    const records = async () => (await store.market.findSources('set', '10482'))?.records;
    expect(await records()).toMatchObject([kept, { facts: { minifigs: ['m9'] } }]);
    // Importing the same row again changes nothing, and a new set has no previous values.
    expect(await kinds(unsaid())).toEqual(['unchanged']);
    expect(await kinds(unsaid('10483'))).toEqual(['added']);
    expect(await store.market.findSources('set', '10483')).toMatchObject({
      records: [{ facts: { minifigs: null } }],
    });
  });

  describe('a source that only adds details', () => {
    const noSet = {
      kind: 'rejected',
      reason: "set '10482' is not in the catalog; this source only adds details to known sets",
      missing: true,
    };
    const only = {
      kind: 'rejected',
      reason: "only this source names set '10482', so it needs a title and a theme",
      missing: true,
    };

    test('is rejected for a set that no source names, and for half a name', async () => {
      expect(await apply(added('keepa'), set('keepa', { theme: null }))).toEqual([
        noSet,
        noSet,
      ] as never);
      expect(await apply(set('keepa', { title: null }))).toEqual([noSet] as never);
      expect(await store.market.countStale()).toBe(0);
      expect(await store.market.findKnownSets(['10482'])).toEqual(new Map());
    });

    test('adds to a set named earlier, in the same batch or a previous one', async () => {
      const msrp = added('keepa', { msrpCents: 119_99 });
      expect(await kinds(set('rebrickable'), msrp)).toEqual(['added', 'added']);
      expect(await kinds(msrp, added('keepa'), added('other'))).toEqual([
        'unchanged',
        'updated',
        'added',
      ]);
    });

    test('cannot become the only source of a set', async () => {
      await apply(set('rebrickable'), added('keepa'));
      expect(await apply(added('rebrickable'))).toEqual([only] as never);
      // Once another source names the set, the first may remove its name, but then not the other
      // one.
      expect(await kinds(set('brickset'), added('rebrickable'))).toEqual(['added', 'updated']);
      expect(await apply(set('brickset', { theme: null }))).toEqual([only] as never);
      expect((await store.market.findKnownSets(['10482'])).get('10482')?.title).toBe('Castle');
    });

    test('may start to name a set, with effect within the same batch', async () => {
      await apply(set('rebrickable'), added('keepa'));
      expect(await kinds(set('keepa'), added('rebrickable'), added('keepa'))).toEqual([
        'updated',
        'updated',
        'rejected',
      ]);
    });
  });

  describe('the minifigs of a set', () => {
    const related = async () => (await load(1))?.related;

    test('come from the one source that takes precedence, however many list them', async () => {
      await apply(set('rebrickable', { minifigs: ['fig-000001', 'fig-000002'] }));
      expect(await related()).toEqual(['fig-000001', 'fig-000002']);
      await apply(set('brickset', { minifigs: ['cst001', 'CST001', 'cst002'] }));
      expect(await related()).toEqual(['cst001', 'cst002']);
      // A source without a list leaves the choice to the others; one with an empty list does not.
      await apply(set('brickset'));
      expect(await related()).toEqual(['fig-000001', 'fig-000002']);
      await apply(set('feed', { minifigs: [] }));
      expect(await related()).toEqual([]);
    });

    test('are found in every list: a minifig belongs to the sets of all sources', async () => {
      const minifig = (number: string): MarketRow => ({
        kind: 'minifig',
        source: 'feed',
        facts: aMinifig({ number }),
      });
      await apply(
        set('rebrickable', { minifigs: ['fig-000001'] }),
        set('brickset', { minifigs: ['cst001'] }),
        minifig('fig-000001'),
        minifig('cst001'),
      );
      expect([(await load(2))?.related, (await load(3))?.related]).toEqual([['10482'], ['10482']]);
    });
  });
});
