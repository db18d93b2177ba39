/** Reads of published items: sets and minifigs with the same key are kept apart. */
import { beforeAll, expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSeries,
  minifigRow as minifig,
  setRow as set,
  someEvidence,
} from '../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../test/support/shared-store.ts';
import { onTables } from '../../test/support/tables.ts';
import { dayMs } from '../kernel/time.ts';
import type { PublishedItem } from '../market/published/publishing.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';

const shared = shareStore();

/** Adds an item and publishes it. */
async function publish(row: MarketRow, facts: Partial<PublishedItem>): Promise<void> {
  const { market } = shared.store;
  await market.applyRows([row], now);
  const ids = await market.listStale(0, 9);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  await market.publish(inputs.map(({ id, version }) => aPublishedItem({ ...facts, id, version })));
}

const rowOf = (name: string, year: number | null) => JSON.stringify({ name, year });

const point = { valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null };

beforeAll(async () => {
  const series = { sealed: aSeries(24_000, [point]), used: null };
  const search = { otherNames: [], subthemes: [], themes: [], year: 2000, interest: 0 };
  const shown = { theme: 'Town', upcKey: '0111', search };
  await publish(minifig('7', ['7b']), { body: '"figure"', ...shown, searchRow: rowOf('fig', 1) });
  await publish(set('9'), { body: '"nine"', ...shown, searchRow: rowOf('nine', 2000) });
  await publish(set('7'), { body: '"set"', ...shown, series, searchRow: rowOf('seven', 2000) });
  await publish(set('8'), { body: '"eight"', theme: 'Space', searchRow: rowOf('eight', 2001) });
  await publish(minifig('7-2'), { body: '"variant"', searchRow: rowOf('variant', 1) });
});

test('a document is found by kind, and that of a minifig by all its numbers', async () => {
  const { market } = shared.store;
  const body = async (kind: 'set' | 'minifig', key: string) =>
    (await market.findDocument(kind, key))?.body ?? null;
  expect(await body('set', '7')).toBe('"set"');
  expect(await body('minifig', '7')).toBe('"figure"');
  expect(await market.findDocument('minifig', '7b')).toEqual({ key: '7', body: '"figure"' });
  expect([await body('set', '7b'), await body('minifig', '9')]).toEqual([null, null]);
});

test('any number of a minifig finds all of them, and no others', async () => {
  const { market } = shared.store;
  const all = async (...keys: string[]) => {
    const { set, minifig: found } = await market.findAllKeys({ set: ['7', 'x'], minifig: keys });
    expect(set).toEqual(['7', 'x']);
    return [...found].sort();
  };
  expect(await all('7')).toEqual(['7', '7b']);
  expect(await all('7b', 'unknown')).toEqual(['7', '7b', 'unknown']);
  expect(await all('7-2')).toEqual(['7-2']);
  expect(await all()).toEqual([]);
  const same = await market.findSameKeys(['7', '7b', '7-2', 'unknown']);
  expect([...same].sort()).toEqual([
    ['7', ['7b']],
    ['7b', ['7']],
  ]);
  // Neither has a record any more, and they are not connected.
  const lost = [minifig('8', ['8b', '8c']), minifig('8', [])];
  for (const row of lost) await market.applyRows([row], now);
  expect(await all('8b')).toEqual(['8b']);
});

test('names are found by kind and by every requested number', async () => {
  const named = await shared.store.market.findNames('minifig', ['7b', '7', '9', '7-2']);
  expect([...named].map(([asked, { number }]) => [asked, number]).sort()).toEqual([
    ['7', '7'],
    ['7-2', '7-2'],
    ['7b', '7'],
  ]);
  const sets = await shared.store.market.findNames('set', ['7b', '7', '9', '7-2']);
  expect([...sets].map(([asked, { number }]) => [asked, number]).sort()).toEqual([
    ['7', '7'],
    ['9', '9'],
  ]);
});

test('sets of one year in a theme are ordered by key, without minifigs', async () => {
  const page = await shared.store.market.listThemeSets('Town', { limit: 9, offset: 0 });
  expect([page.total, ...page.rows]).toEqual([2, rowOf('seven', 2000), rowOf('nine', 2000)]);
});

test('lookups of sets ignore minifigs', async () => {
  const { market } = shared.store;
  expect(await market.findSetDetails('7')).toMatchObject({ year: 2000 });
  expect(await market.findSetDetails('7-2')).toBeNull();
  expect(await market.listVariants('7')).toEqual([]);
  expect((await market.findBarcodeSets(['0111'])).get('0111')).toEqual(['7', '9']);
  expect(await market.findSearchRows('minifig', ['7'])).toEqual([rowOf('fig', 1)]);
  expect(await market.findSearchRows('set', ['9', '7'])).toEqual([
    rowOf('nine', 2000),
    rowOf('seven', 2000),
  ]);
  expect([...(await market.findListedItems('set', ['7', '7-2', '8'])).keys()].sort()).toEqual([
    '7',
    '8',
  ]);
  expect(
    (await market.findItemValues('set', ['7-2', '7'])).map((values) => values !== null),
  ).toEqual([false, true]);
});

test('market records have fields of documents, listings and evidence of a kind', async () => {
  const { market } = shared.store;
  const facts = { theme: 'Town', itemClass: 'gear' as const, newCents: 5_00, usedCents: 4_00 };
  const evidence = someEvidence({ tier: 'high' as const });
  const series = { sealed: aSeries(24_000, [point]), used: null };
  const search = { otherNames: [], subthemes: [], themes: [], year: 2003, interest: 7 };
  await publish(set('41'), {
    ...facts,
    evidence,
    series,
    search,
    body: JSON.stringify({
      status_id: 3,
      subtheme: 'City',
      pieces: 250,
      msrp_usd: 19.99,
      retailers: [
        { current_price: 9.99, in_stock: false },
        { current_price: 17.49, in_stock: true },
      ],
    }),
    searchRow: rowOf('set', 2003),
  });
  const searchRow = JSON.stringify({ category: 'Town / City', year_released: 2004 });
  const figure = { ...search, year: 2004, interest: 0 };
  await publish(minifig('41'), { evidence, usedCents: 2_00, searchRow, search: figure });
  const shown = { key: '41', number: '41', name: 'Castle', tier: 'high' };
  expect(await market.findMarketRecords('set', ['41', '404'])).toEqual([
    {
      ...shown,
      kind: 'set',
      theme: 'Town',
      year: 2003,
      statusId: 3,
      itemClass: 'gear',
      interest: 7,
      valueCents: 5_00,
      months: { firstMonth: 24_000, valueCents: [5] },
      day: Date.UTC(2026, 10, 9) / dayMs,
      subtheme: 'City',
      pieces: 250,
      msrpCents: 19_99,
      priceCents: 17_49,
      sellThrough: null,
      soldPerMonth: null,
      sellers: null,
    },
  ] as never);
  expect(await market.listMarketRecords('minifig', '40', 1)).toEqual([
    {
      ...shown,
      kind: 'minifig',
      theme: 'Town / City',
      year: 2004,
      statusId: null,
      itemClass: null,
      interest: 0,
      valueCents: 2_00,
      months: null,
      day: Date.UTC(2026, 10, 9) / dayMs,
      subtheme: null,
      pieces: null,
      msrpCents: null,
      priceCents: null,
      sellThrough: null,
      soldPerMonth: null,
      sellers: null,
    },
  ] as never);
  expect((await market.listMarketRecords('set', '', 2)).map(({ key }) => key)).toEqual(['41', '7']);
  expect(await market.listMarketRecords('set', '9', 9)).toEqual([]);
});

test('series are found by set and condition', async () => {
  const { market } = shared.store;
  const found = async (key: string, condition: 'sealed' | 'used') => {
    const row = await market.findSeries(key, condition);
    return row && [row.number, row.series?.points.length ?? null];
  };
  expect(await found('7', 'sealed')).toEqual(['7', 1]);
  expect(await found('7', 'used')).toEqual(['7', null]);
  expect(await found('9', 'sealed')).toEqual(['9', null]);
  expect(await found('7-2', 'sealed')).toBeNull();
});

test('there is no list of themes before one is published', async () => {
  expect(await shared.store.market.findThemes()).toBeNull();
});

test('variants are found among many other keys with the same prefix', async () => {
  const { market } = shared.store;
  await publish(set('7-3'), { searchRow: rowOf('third', 2000) });
  await publish(set('7-2'), { searchRow: rowOf('second', 2000) });
  // As many as are read, before and after the variants.
  for (const [start, firstId] of Object.entries({ '6-a': 10_000, '7-a': 20_000 })) {
    await onTables(
      shared.folder,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO listing (item_id, kind, key, number, name, new_tier, used_tier, search_row,
         interest)
       SELECT ${firstId} + i, 'set', '${start}' || i, '${start}' || i, 'Raft', 'low', 'low', '{}',
         0 FROM n`,
    );
  }
  const rows = [rowOf('second', 2000), rowOf('third', 2000)];
  expect(await market.listVariants('7')).toEqual(rows);
  expect(await market.listVariants('7-2')).toEqual([rowOf('seven', 2000), ...rows.slice(1)]);
});

test('of sets with the same ASIN, the first hundred are searched for the barcode', async () => {
  await onTables(
    shared.folder,
    `WITH RECURSIVE n (i) AS (SELECT 101 UNION ALL SELECT i - 1 FROM n WHERE i > 1)
     INSERT INTO retail (item_id, key, asin_key, upc_key, changed_at, body, months, stamp)
     SELECT 30000 + i, 'shared' || i, 'b0shared', 'upc' || i, 0, '{}', '{}', 0 FROM n`,
  );
  const find = async (barcodeKey?: string) => {
    const asinKey = { asinKey: 'b0shared' };
    const named = barcodeKey === undefined ? asinKey : { ...asinKey, barcodeKey };
    return (await shared.store.market.findRetail(named))?.setKey ?? null;
  };
  expect([await find('upc1'), await find('upc100')]).toEqual(['shared1', 'shared100']);
  expect([await find('upc101'), await find('upc999'), await find()]).toEqual([null, null, null]);
  expect((await shared.store.market.findRetail({ barcodeKey: 'upc101' }))?.setKey).toBe(
    'shared101',
  );
  expect(await shared.store.market.findRetail({})).toBeNull();
});

test('resale records include evidence and retail row, by every requested number', async () => {
  const { market } = shared.store;
  const retail = { body: '"offers"', asinKey: null, upcKey: null, eanKey: null, changedAt: null };
  const evidence = someEvidence({ tier: 'high' as const });
  await publish(set('31'), {
    body: '"whole"',
    evidence,
    retail: { ...retail, months: {}, newStates: [] } as never,
  });
  const sets = await market.findResaleRecords('set', ['31', '7', '7b', '404', '31']);
  expect([...sets.keys()].sort()).toEqual(['31', '7']);
  expect(sets.get('31')).toEqual({
    key: '31',
    number: '31',
    body: '"whole"',
    evidence,
    retail: '"offers"',
  });
  expect(sets.get('7')).toMatchObject({ body: '"set"', evidence: someEvidence(), retail: null });
  const minifigs = await market.findResaleRecords('minifig', ['7b', '7', '31']);
  expect([...minifigs.values()].map(({ key, body }) => [key, body])).toEqual([
    ['7', '"figure"'],
    ['7', '"figure"'],
  ]);
  expect((await market.findResaleRecords('set', [])).size).toBe(0);
});
