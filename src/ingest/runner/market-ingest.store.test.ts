/** Lookups before an import, marks of missing records, and rehearsals. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import type { SetDescription } from '../../catalog/items/catalog.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

const set = (number: string, source: string, facts: Partial<SetDescription> = {}): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number, ...facts }),
});

const minifig = (number: string, source: string): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig({ number }),
});

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-lookups-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = async (...rows: MarketRow[]) => {
    const outcomes = await store.market.applyRows(rows, now);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  };

  test('known sets have merged facts of all sources, by canonical number', async () => {
    await apply(
      set('10482', 'rebrickable', { title: 'Harbour Lighthouse' }),
      set('10482', 'brickset', { title: 'Lighthouse', msrpCents: 119_99, year: 2022 }),
      set('10482', 'keepa', { title: null, theme: null, msrpCents: 99_99 }),
      set('Kit42', 'rebrickable', { title: 'Kit' }),
      minifig('cst001', 'feed'),
    );
    const known = await store.market.findKnownSets(['kit42', 'none', '10482', 'cst001', '10482']);
    expect([...known].sort()).toEqual([
      [
        '10482',
        {
          number: '10482',
          title: 'Harbour Lighthouse',
          msrpCents: 119_99,
          releaseDate: null,
          year: 2022,
        },
      ],
      ['kit42', { number: 'Kit42', title: 'Kit', msrpCents: null, releaseDate: null, year: null }],
    ]);
    expect(await store.market.findKnownSets([])).toEqual(new Map());
  });

  test('barcodes are those of any source, with their sets', async () => {
    await apply(
      set('2', 'feed', { upc: '036000291452' }),
      set('1', 'rebrickable'),
      set('1', 'keepa', { title: null, theme: null, ean: '5702016000017' }),
      set('1', 'brickset', { upc: '673419000017', ean: '5702016000024' }),
      minifig('cst001', 'feed'),
    );
    expect(await store.market.listBarcodes()).toEqual([
      { number: '2', upc: '036000291452', ean: null },
      { number: '1', upc: '673419000017', ean: '5702016000024' },
      { number: '1', upc: null, ean: '5702016000017' },
    ]);
  });

  test('a rate is that of the day, or the latest of the seven days before it', async () => {
    const rate = (currency: string, date: string, usdPerUnit: number): MarketRow => ({
      kind: 'fx',
      rate: { currency, date, usdPerUnit },
    });
    await apply(
      rate('EUR', '2026-11-02', 1.1),
      rate('EUR', '2026-11-09', 1.2),
      rate('GBP', '2026-11-05', 1.3),
    );
    const days = ['2026-11-01', '2026-11-02', '2026-11-08', '2026-11-16', '2026-11-17'];
    const queries = days.map((date) => ({ currency: 'EUR', date }));
    expect(
      await store.market.findRates([
        ...queries,
        { currency: 'JPY', date: '2026-11-09' },
        { currency: 'USD', date: '2026-11-09' },
      ]),
    ).toEqual([null, 1.1, 1.1, 1.2, null, null, 1]);
    expect(await store.market.findRates([])).toEqual([]);
  });

  describe('marks of missing records', () => {
    const census = (source: string, keys: readonly string[], at = now) =>
      store.market.markGone({ source, itemKind: 'set', keys: new Set(keys), at });

    beforeEach(() =>
      apply(
        ...['1', '2', 'Kit42'].map((number) => set(number, 'rebrickable')),
        set('1', 'brickset'),
        minifig('fig-000001', 'rebrickable'),
      ),
    );

    const goneAt = async (key: string) =>
      (await store.market.findSources('set', key))?.records.map((record) => record.goneAt);

    test('are set on records a source no longer has; nothing is deleted', async () => {
      expect(await census('rebrickable', ['2'])).toBe(2);
      expect([await goneAt('1'), await goneAt('2'), await goneAt('kit42')]).toEqual([
        [null, now],
        [null],
        [now],
      ]);
      expect((await store.market.findKnownSets(['1', 'kit42'])).size).toBe(2);
    });

    test('a census is compared with current records, without marked ones', async () => {
      const compare = (source: string, keys: readonly string[]) =>
        store.market.compareCensus({ source, itemKind: 'set', keys: new Set(keys) });
      expect(await compare('rebrickable', ['1', '3'])).toEqual({ known: 3, gone: 2, added: 1 });
      await census('rebrickable', ['1', '2']);
      expect(await compare('rebrickable', ['1', 'kit42'])).toEqual({ known: 2, gone: 1, added: 1 });
      expect(await compare('brickset', ['1'])).toEqual({ known: 1, gone: 0, added: 0 });
      expect(await compare('nobody', ['1'])).toEqual({ known: 0, gone: 0, added: 1 });
    });

    test('concern only the counted source and kind', async () => {
      expect(await census('brickset', ['1'])).toBe(0);
      expect(await census('bricklink', [])).toBe(0);
      expect(await goneAt('2')).toEqual([null]);
      expect(await census('rebrickable', [])).toBe(3);
      const found = await store.market.findSources('minifig', 'fig-000001');
      expect(found?.records.map((record) => record.goneAt)).toEqual([null]);
    });

    test('keep their time, and are removed when the item is back', async () => {
      await census('rebrickable', ['2']);
      expect(await census('rebrickable', ['2'], now + 1)).toBe(0);
      expect(await goneAt('kit42')).toEqual([now]);
      expect(await census('rebrickable', ['2', 'kit42'], now + 2)).toBe(0);
      expect([await goneAt('1'), await goneAt('kit42')]).toEqual([[null, now], [null]]);
      // A new description removes the mark before the next census.
      await apply(set('1', 'rebrickable', { title: 'Tower' }));
      expect(await goneAt('1')).toEqual([null, null]);
    });

    test('change no document', async () => {
      const versions = async () =>
        (await store.market.loadInputs([1, 2, 3], { at: now, withSeries: false })).map(
          ({ version }) => version,
        );
      const before = await versions();
      expect(await census('rebrickable', [])).toBe(3);
      expect(await versions()).toEqual(before);
    });
  });

  test('a rehearsal changes nothing, and leaves no files', async () => {
    await store.market.applyRows([set('1', 'feed')], now);
    const rehearsal = await store.rehearsal();
    expect(await rehearsal.market.applyRows([set('1', 'feed'), set('2', 'feed')], now)).toEqual([
      { kind: 'unchanged' },
      { kind: 'added' },
    ]);
    await rehearsal.close();
    expect([...(await store.market.findNumbers('set', ['1', '2'])).keys()]).toEqual(['1']);
    expect(readdirSync(folder).filter((name) => name.startsWith('rehearsal'))).toEqual([]);
  });

  test('a failed batch is rolled back completely', async () => {
    const broken = { kind: 'set', source: 'feed', facts: null } as never;
    await expect(store.market.applyRows([set('1', 'feed'), broken], now)).rejects.toThrow();
    expect(await store.market.countStale()).toBe(0);
  });
});
