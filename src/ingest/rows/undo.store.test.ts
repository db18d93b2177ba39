/** Guarantees of every store about undone imports: as if they had never happened. */
// @runs SQLite, PostgreSQL: is about the store
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { aMinifig, anImport, anOffer, aSale, aSet } from '../../../test/support/builders.ts';
import { collectibleBatches, knottyBatches } from '../../../test/support/market-rows.ts';
import { sellingEngine } from '../../../test/support/plain-engine.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { onTables, onTablesEach } from '../../../test/support/tables.ts';
import { serveWorld } from '../../../test/support/world.ts';
import { dayMs, dayOf, monthOf } from '../../kernel/time.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Offer, Sale } from '../../market/source-rows/source-rows.ts';

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

/** Starts an import like a command does; returns its id. */
function begin(): Promise<number> {
  const { now } = world;
  return world.store.market.logImport(anImport({ startedAt: now, endedAt: now }));
}

/** Imports batches of rows and publishes; returns the id of the import. */
async function load(...batches: readonly (readonly MarketRow[])[]): Promise<number> {
  const id = await begin();
  for (const rows of batches) await world.store.market.applyRows(rows, world.now, id);
  await world.publisher.publishStale();
  return id;
}

async function undo(id: number) {
  const undone = await world.store.market.undoImport(id, world.now);
  await world.publisher.publishStale();
  return undone;
}

const refusal = async (id: number) => {
  const outcome = await world.store.market.undoImport(id, world.now);
  return 'refusal' in outcome ? outcome.refusal : null;
};

/** Everything stored and published, without counters and bare minifig numbers. */
async function everything(): Promise<Record<string, object[]>> {
  const known = 'SELECT id FROM item WHERE part_of IS NULL OR part_of <> 0';
  const selects: Record<string, string> = {
    item: `SELECT id, kind, key, number, part_of, valued_as FROM item
      WHERE id IN (${known}) ORDER BY id`,
    alias: 'SELECT * FROM alias ORDER BY key, item_id, source',
    record: 'SELECT * FROM catalog_record ORDER BY item_id, source',
    content: 'SELECT * FROM set_minifig ORDER BY set_id, minifig_key, source',
    sale: 'SELECT * FROM sale ORDER BY source, source_id',
    offer: 'SELECT * FROM offer ORDER BY item_id, retailer, observed_at',
    listings: 'SELECT * FROM listings ORDER BY item_id, condition, channel',
    partOut: 'SELECT * FROM part_out ORDER BY item_id, condition, source',
    fx: 'SELECT * FROM fx ORDER BY currency, date',
    week: 'SELECT * FROM retail_week ORDER BY item_id, week',
    state: 'SELECT item_id, retailer, state FROM retail_state ORDER BY item_id, retailer',
    document: 'SELECT item_id, kind, key, body FROM document ORDER BY item_id',
    listing: 'SELECT * FROM listing ORDER BY item_id',
    series:
      'SELECT item_id, condition, first_month, points FROM series ORDER BY item_id, condition',
    retail: 'SELECT item_id, key, changed_at, body, months FROM retail ORDER BY item_id',
    themes: 'SELECT * FROM theme_list',
    stale: 'SELECT id FROM item WHERE version <> published_version AND part_of IS NULL',
  };
  return onTablesEach(world.folder, selects);
}

const set = (number: string, facts: object = {}): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number, ...facts }),
});
const sale = (sourceId: string, facts: Partial<Sale> = {}): MarketRow => ({
  kind: 'sale',
  sale: aSale({ itemKey: '1', sourceId, ...facts }),
});
const offer = (facts: Partial<Offer> = {}): MarketRow => ({
  kind: 'offer',
  offer: anOffer({ setKey: '1', ...facts }),
});
const rate = (currency: string, date: string, usdPerUnit = 2): MarketRow => ({
  kind: 'fx',
  rate: { currency, date, usdPerUnit },
});

test('after the undo of any import, the store is as if it had never happened', async () => {
  const examples = knottyBatches.map((batches): [MarketRow[][], number] => [
    batches.map((rows) => [...rows]),
    1,
  ]);
  await fc.assert(
    fc.asyncProperty(collectibleBatches, fc.nat({ max: 3 }), async (batches, count) => {
      await world.close();
      world = await openWorld();
      await load(...batches.slice(0, count));
      const before = await everything();
      const id = await load(...batches.slice(count));
      const undone = await undo(id);
      const kept = await onTables(
        world.folder,
        `SELECT 1 FROM import_undo WHERE import_id = ${id}`,
      );
      expect(kept).toEqual([]);
      if ('refusal' in undone) expect(undone.refusal).toContain('changed no market data');
      else expect(await everything()).toEqual(before);
    }),
    { seed: 16, numRuns: runsOnEngine(30), examples },
  );
});

describe('later data and undo', () => {
  test('later rows about other items and of other sources stay', async () => {
    await load([set('1', { title: 'Fort' }), rate('EUR', '2020-01-01')]);
    const wrong = await load([
      set('1', { title: 'Wrong' }),
      set('2', { title: 'Only here' }),
      set('3', { title: 'Wrong, too' }),
      sale('a', { currency: 'EUR' }),
    ]);
    await load([{ ...set('3', { title: 'Keep' }), source: 'other' } as MarketRow, sale('b')]);
    expect(await undo(wrong)).toEqual({ removed: 3, restored: 1, itemsRemoved: 1 });
    const documents = await onTables<{ key: string; body: string }>(
      world.folder,
      'SELECT key, body FROM document ORDER BY key',
    );
    const titles = documents.map(({ key, body }) => [key, JSON.parse(body).title]);
    expect(titles).toEqual([
      ['1', 'Fort'],
      ['3', 'Keep'],
    ]);
    const sales = await onTables(world.folder, 'SELECT source_id FROM sale');
    expect(sales).toEqual([{ source_id: 'b' }]);
  });

  test('if the same row was changed again, the later import must be undone first', async () => {
    await load([set('1')]);
    const first = await load([sale('a'), offer(), rate('EUR', '2020-01-01')]);
    const before = await everything();
    const later = [
      await load([sale('a', { priceCents: 5 })]),
      await load([offer({ priceCents: 5 })]),
      await load([rate('EUR', '2020-01-01', 3)]),
      await load([{ kind: 'retract', source: aSale().source, sourceId: 'a' }]),
    ];
    const [a, b, c, d] = later;
    expect(await refusal(first)).toBe(
      `Imports ${d}, ${c}, ${b}, ${a} changed the same rows after import ${first}. Undo import ` +
        `${d} first, or keep both.`,
    );
    for (const id of later.reverse()) expect(await undo(id)).toMatchObject({ restored: 1 });
    expect(await everything()).toEqual(before);
    expect(await undo(first)).toEqual({ removed: 3, restored: 0, itemsRemoved: 0 });
  });

  test('sales, offers and names that depend on an import block its undo', async () => {
    const catalog = await load([set('1'), set('2'), set('3')]);
    const sales = await load([sale('a')]);
    expect(await refusal(catalog)).toContain('were imported later, for example of set 1. Undo');
    await undo(sales);
    const offers = await load([offer({ setKey: '2' })]);
    expect(await refusal(catalog)).toContain('for example of set 2');
    await undo(offers);
    const adding = { ...set('3', { title: null, theme: null, pieces: 5 }), source: 'other' };
    const facts = await load([adding as MarketRow]);
    expect(await refusal(catalog)).toContain('Only this import names set 3');
    await undo(facts);
    expect(await undo(catalog)).toEqual({ removed: 3, restored: 0, itemsRemoved: 3 });
    expect((await everything()).item).toEqual([]);
  });

  test('rates that sales need can be undone; the sales then wait', async () => {
    await load([set('1')]);
    const soldAt = Date.UTC(2020, 0, 2);
    const rates = await load([rate('EUR', '2020-01-01'), rate('GBP', '2020-01-01')]);
    const sales = await load([sale('a', { currency: 'EUR', soldAt })]);
    expect(await undo(rates)).toMatchObject({ removed: 2 });
    expect(await world.store.market.listWaiting()).toMatchObject([{ currency: 'EUR', count: 1 }]);
    await undo(sales);
    expect(await world.store.market.listWaiting()).toEqual([]);
  });

  test('a sale under an alias that only the import added blocks its undo', async () => {
    const named = aMinifig({ number: 'm1', aliases: ['a1'] });
    const figure: MarketRow = { kind: 'minifig', source: 'feed', facts: named };
    const catalog = await load([figure]);
    await load([sale('a', { itemKind: 'minifig', itemKey: 'a1' })]);
    expect(await refusal(catalog)).toContain('for example of minifig a1');
  });

  test('marks of missing records are undone, and count as changes of their records', async () => {
    const catalog = await load([set('1'), set('2')]);
    const census = await begin();
    const keys = new Set(['1']);
    const lost = { source: 'feed', itemKind: 'set', keys, at: world.now } as const;
    expect(await world.store.market.markGone(lost, census)).toBe(1);
    expect(await refusal(catalog)).toContain(`Import ${census} changed the same rows`);
    await undo(census);
    const marks = 'SELECT gone_at FROM catalog_record WHERE gone_at IS NOT NULL';
    expect(await onTables(world.folder, marks)).toEqual([]);
    expect(await undo(catalog)).toMatchObject({ removed: 2 });
  });
});

describe('sealed history', () => {
  test('an import from before the sealing cannot be undone', async () => {
    const id = await load([set('1', { releaseDate: '2025-01-01' })]);
    world.now += 1;
    await world.store.market.sealHistory(world.now);
    expect(await refusal(id)).toContain('are already final');
  });

  test('a later import can be undone, including months of sets it added', async () => {
    await load([set('1'), set('2', { releaseDate: '2025-01-01' }), sale('a', { itemKey: '2' })]);
    await world.store.market.sealHistory(world.now);
    world.now += dayMs;
    await world.publisher.publishStale();
    const before = await everything();
    const id = await load([set('1', { releaseDate: '2025-03-01' }), sale('b', { itemKey: '2' })]);
    expect((await everything()).series?.length).toBeGreaterThan(before.series?.length ?? 0);
    const { market } = world.store;
    const stamp = Number(await market.publishStamp());
    await undo(id);
    // Followers of changes are told that the months of the set are gone.
    const { changes } = await market.listBulkChanges({ stamp, rank: 0 }, ['months'], 99);
    expect(changes.filter(({ content }) => content === null).map(({ number }) => number)).toEqual([
      '1',
    ]);
    const after = await everything();
    expect(after.series).toEqual(before.series as object[]);
    expect(after.sale).toEqual(before.sale as object[]);
  });

  test('an import with rows in a final month cannot be undone', async () => {
    await load([set('1')]);
    await world.store.market.sealHistory(world.now);
    world.now += dayMs;
    const id = await load([sale('a')]);
    world.now = Date.UTC(2026, 11, 8);
    expect(await refusal(id)).toContain('are already final');
  });
});

describe('the log', () => {
  test('records the undo, and marks the import as undone', async () => {
    const id = await load([set('1'), set('2')]);
    world.now += 1000;
    await undo(id);
    expect(await refusal(id)).toBe(`Import ${id} was already undone on Nov 15, 2026.`);
    const [last] = await world.store.market.listImports(1);
    const rows = { added: 0, updated: 2, unchanged: 0, rejected: 0 };
    expect(last).toMatchObject({ format: 'undo', files: [`import ${id}`], ...rows });
    expect(await refusal(last?.id ?? 0)).toContain('is itself an undo');
    const undone = { undoneAt: world.now, takenBack: 2 };
    expect(await world.store.market.findImport(id)).toMatchObject(undone);
    expect(await refusal(999)).toBe(
      "There is no import 999. Run 'brickmark import log' to list imports.",
    );
    expect(await refusal(await begin())).toContain('changed no market data');
  });

  test('undo data is kept for 30 days', async () => {
    const id = await load([set('1')]);
    world.now += 30 * dayMs;
    await begin();
    const kept = () => onTables(world.folder, 'SELECT 1 FROM import_undo');
    expect(await kept()).toHaveLength(1);
    world.now += 1;
    await begin();
    expect(await kept()).toEqual([]);
    expect(await refusal(id)).toContain('can be undone for 30 days');
  });

  test('an import that is undone while it runs writes nothing more', async () => {
    const id = await load([set('1')]);
    await undo(id);
    const rows = [set('2')];
    await expect(world.store.market.applyRows(rows, world.now, id)).rejects.toThrow('was undone');
    expect((await everything()).item).toEqual([]);
  });
});

test('a running server drops removed items, and answers as before', async () => {
  await world.addAccount('ann@example.com');
  const key = await world.addKey('ann@example.com');
  const { call } = await serveWorld(world);
  const answer = async (path: string) => {
    const response = await call(path, key);
    const { data } = (await response.json()) as { data?: object };
    return [response.status, data];
  };
  await load([set('1', { title: 'Fort' })]);
  const before = [await answer('/set/1'), await answer('/catalog/sets/search?q=fo')];
  const id = await load([set('1', { title: 'Wrong' }), set('2', { title: 'Forest' })]);
  expect((await answer('/set/2'))[0]).toBe(200);
  expect(await answer('/catalog/sets/search?q=fo')).toMatchObject([
    200,
    { pagination: { total: 1 } },
  ]);
  await undo(id);
  expect((await answer('/set/2'))[0]).toBe(404);
  expect([await answer('/set/1'), await answer('/catalog/sets/search?q=fo')]).toEqual(before);
});

test('the deal of a removed set is closed', async () => {
  await world.close();
  world = await openWorld(undefined, sellingEngine);
  const { market } = world.store;
  const inStock = { priceCents: 45_00, inStock: true, observedAt: world.now };
  const sales = ['a', 'b', 'c'].map((id) => sale(id));
  const id = await load([set('1', { pieces: 500 }), ...sales, offer(inStock)]);
  const open = { closedAt: null, closedWhy: null };
  expect(await market.listDeals(null, 10)).toHaveLength(1);
  expect(await market.findDealLog(['1'])).toMatchObject([open]);
  world.now += dayMs;
  await undo(id);
  expect(await market.listDeals(null, 10)).toEqual([]);
  const over = { closedAt: world.now, closedWhy: 'no_offer' };
  expect(await market.findDealLog(['1'])).toMatchObject([over]);
  const events = await market.listEvents({ after: 0, kinds: null, items: null, limit: 9 });
  expect(events).toMatchObject({ events: [{ kind: 'deal.close', number: '1', title: null }] });
});

test('daily values published between import and undo are removed', async () => {
  await load([set('1', { msrpCents: 5000 })]);
  world.now += 5 * dayMs;
  const before = await everything();
  const wrong = await load([set('1', { msrpCents: 900_000 })]);
  world.now += 3 * dayMs;
  await undo(wrong);
  expect((await everything()).listing).toEqual(before.listing as object[]);
});

test.each<[string, MarketRow, number]>([
  ['its sets', set('1', { msrpCents: 900_000 }), 5],
  ['every set, where months were learned from it', sale('a', { soldAt: Date.UTC(2026, 8, 5) }), 8],
])('values published since an import are removed of %s', async (_, row, days) => {
  const start = world.now;
  await load([set('1', { msrpCents: 5000 }), set('2', { msrpCents: 5000 })]);
  world.now += 5 * dayMs;
  const wrong = await load([row]);
  await load([set('2', { msrpCents: 7000 })]);
  world.now += 3 * dayMs;
  await undo(wrong);
  const [values] = await world.store.market.findItemValues('set', ['2']);
  const published = [dayOf(start), dayOf(start + days * dayMs)];
  expect(values?.early.sealed.map(({ day }) => day)).toEqual(published);
});

test.each([
  ['sales', [sale('b', { soldAt: Date.UTC(2026, 8, 5) })], Date.UTC(2026, 8, 5)],
  [
    'a sale that was corrected',
    [sale('a', { soldAt: Date.UTC(2026, 8, 5) })],
    Date.UTC(2026, 8, 5),
  ],
  ['rates', [rate('EUR', '2026-10-03', 3)], Date.UTC(2026, 9, 5)],
])('undoing %s makes items stale, and months are learned again', async (_, rows, from) => {
  const soldAt = Date.UTC(2026, 9, 5);
  const sold = [sale('a', { soldAt }), sale('e', { soldAt, currency: 'EUR' })];
  await load([set('1'), rate('EUR', '2026-10-01'), ...sold]);
  const { market } = world.store;
  await load(rows);
  await onTables(world.folder, "DELETE FROM meta WHERE name = 'parameters_changed_from'");
  const [{ id = 0 } = {}] = await market.listImports(1);
  await market.undoImport(id, world.now);
  expect(await market.countStale()).toBe(1);
  expect((await market.findParameterVersions()).changedFrom).toBe(monthOf(from));
});
