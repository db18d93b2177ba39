/** Guarantees of every store about finding sets by theme, variant and barcode. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aPublishedItem, aSet, setRow } from '../../test/support/builders.ts';
import { engines } from '../../test/support/engines.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { Store } from '../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-catalog-'));
    store = await open(folder);
    await store.market.applyRows(
      [
        ...['1', '2', '3', '4'].map((number) => ({
          kind: 'set' as const,
          source: 'feed',
          facts: aSet({ number }),
        })),
        { kind: 'minifig', source: 'feed', facts: aMinifig() },
      ],
      now,
    );
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const publish = async (id: number, year: number | null, facts: Partial<PublishedItem>) => {
    const [item] = await store.market.loadInputs([id], { at: now, withSeries: false });
    const searchRow = JSON.stringify({ id, year });
    const search = { otherNames: [], subthemes: [], themes: [], year, interest: 0 };
    const made = aPublishedItem({ id, version: item?.version ?? 0, searchRow, search, ...facts });
    expect(await store.market.publish([made])).toBe(1);
  };

  test('the sets of a theme are listed newest first, in pages', async () => {
    await publish(1, 1999, { theme: 'Castle' });
    await publish(2, null, { theme: 'Castle' });
    await publish(3, 2020, { theme: 'Castle' });
    await publish(4, 2021, { theme: 'castle' });
    await publish(5, 2022, {});
    const page = async (theme: string, limit: number, offset: number) => {
      const { total, rows } = await store.market.listThemeSets(theme, { limit, offset });
      return [total, ...rows.map((row) => JSON.parse(row).id)];
    };
    expect(await page('Castle', 10, 0)).toEqual([3, 3, 1, 2]);
    expect(await page('Castle', 1, 1)).toEqual([3, 1]);
    expect(await page('Castle', 10, 3)).toEqual([3]);
    expect(await page("Castle' OR 1=1", 10, 0)).toEqual([0]);
  });

  test('variants of a set are listed by number, even if the set itself does not exist', async () => {
    const numbers = ['375', '375-2', '375-10', '375-a', '3751', '375.5', '37'];
    await store.market.applyRows(numbers.map(setRow), now);
    for (const [index] of numbers.entries()) await publish(6 + index, null, {});
    const variants = async (key: string) =>
      (await store.market.listVariants(key)).map((row) => numbers[JSON.parse(row).id - 6] ?? '');
    expect(await variants('375')).toEqual(['375-2', '375-10']);
    expect(await variants('375-2')).toEqual(['375', '375-10']);
    expect(await variants('375-7')).toEqual(['375', '375-2', '375-10']);
    expect(await variants('37-3')).toEqual(['37']);
    expect(await variants("37'%_")).toEqual([]);
  });

  test('details of a set are those published; unknown ones are null', async () => {
    await publish(1, 1984, { itemClass: 'gear', minifigsCount: 0 });
    await publish(2, null, {});
    expect(await store.market.findSetDetails('1')).toEqual({
      year: 1984,
      itemClass: 'gear',
      minifigsCount: 0,
    });
    const unknown = { year: null, itemClass: null, minifigsCount: null };
    expect(await store.market.findSetDetails('2')).toEqual(unknown);
    expect(await store.market.findSetDetails('3')).toBeNull();
  });

  test('a barcode finds every set that has it in its latest publication', async () => {
    await publish(1, null, { upcKey: '0111', eanKey: '5111' });
    await publish(2, null, { upcKey: '0111' });
    const found = async () => [
      ...(await store.market.findBarcodeSets(['0111', '5111', '0222', '9'])),
    ];
    expect(await found()).toEqual([
      ['0111', ['1', '2']],
      ['5111', ['1']],
    ]);
    await publish(1, null, { upcKey: '0222' });
    expect(await found()).toEqual([
      ['0111', ['2']],
      ['0222', ['1']],
    ]);
    expect(await store.market.findBarcodeSets([])).toEqual(new Map());
  });
});
