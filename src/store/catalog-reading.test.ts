/** What every store guarantees about sets that are looked for by theme and by barcode. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../test/support/engines.ts';
import { bareItem, bareMinifig, bareSet } from '../../test/support/facts.ts';
import type { PublishedItem } from '../domain/market/publishing-store.ts';
import type { Store } from '../domain/store.ts';

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
          facts: { ...bareSet, number },
        })),
        { kind: 'minifig', source: 'feed', facts: bareMinifig },
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
    const made = { ...bareItem, id, version: item?.version ?? 0, searchRow, ...facts };
    expect(await store.market.publish([made])).toBe(1);
  };

  test('the sets of a theme come newest first, page by page', async () => {
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

  test('a barcode names every set that has it, as the latest publication says', async () => {
    await publish(1, null, { upcKey: '0111', eanKey: '5111' });
    await publish(2, null, { upcKey: '0111' });
    const found = (code: string) => store.market.findBarcodeSets(code);
    expect(await found('0111')).toEqual(['1', '2']);
    expect(await found('5111')).toEqual(['1']);
    expect(await found('9')).toEqual([]);
    await publish(1, null, { upcKey: '0222' });
    expect([await found('0111'), await found('5111'), await found('0222')]).toEqual([
      ['2'],
      [],
      ['1'],
    ]);
  });
});
