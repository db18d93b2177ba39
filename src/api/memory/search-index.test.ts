/** Search results and their order when minifigs have several numbers. */
// @runs SQLite, PostgreSQL: reads the store
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { aMinifig } from '../../../test/support/builders.ts';
import { openWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { until } from '../../../test/support/until.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { dayMs, dayOf } from '../../kernel/time.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { Freshness } from './freshness.ts';
import { SearchIndex } from './search-index.ts';

/** An index of a market in memory, in which a name has all keys; with the reads so far. */
function open(rowLength = 1) {
  const state = { stamp: 1, keys: ['101', '102'], reads: [] as string[] };
  const entryOf = (kind: ItemKind, key: string): ListedEntry => ({
    kind,
    key,
    name: 'Mill',
    ranksLast: false,
    otherNames: [],
    subthemes: [],
    themes: [],
    year: null,
    interest: 1,
    interestCounts: null,
  });
  const market = {
    publishStamp: async () => state.stamp,
    listChanges: async () => state.keys.map((key) => entryOf('set', key)),
    listSearchEntries: async (kind: ItemKind) => {
      await Bun.sleep(0);
      state.reads.push(`${kind} entries`);
      return state.keys.map((key) => entryOf(kind, key));
    },
    findSearchRows: async (_: ItemKind, keys: readonly string[]) => {
      state.reads.push(`rows ${keys}`);
      return keys.map(() => 'x'.repeat(rowLength));
    },
    findDocument: async (kind: ItemKind, key: string) => {
      state.reads.push(`${kind} ${key}`);
      return { key: '102' };
    },
  } as unknown as MarketReading;
  return { state, index: new SearchIndex(market, new Freshness(market), () => 0) };
}

test('all keys are found, with what was published since, and an alias first', async () => {
  const { state, index } = open();
  expect((await index.findAll('set', 'mill')).keys).toEqual(['101', '102']);
  state.keys.push('103');
  state.stamp++;
  expect((await index.findAll('set', 'mill')).keys).toEqual(['101', '102', '103']);
  // Only minifigs have aliases.
  expect(state.reads).toEqual(['set entries']);
  expect((await index.findAll('minifig', 'mill')).keys).toEqual(['102', '101', '103']);
  expect(state.reads.slice(1)).toEqual(['minifig mill', 'minifig entries']);
});

test('both kinds are loaded before the first search', async () => {
  const { state, index } = open();
  await index.warm();
  expect(state.reads).toEqual(['set entries', 'minifig entries']);
  await index.findAll('set', 'mill');
  expect(state.reads).toHaveLength(2);
});

test('pages of rows are cached up to four million characters', async () => {
  const { state, index } = open(1_000_000);
  const find = (offset: number) => index.findPage({ kind: 'set', term: 'mill', limit: 2, offset });
  // Pages of two rows, one row and none.
  for (const offset of [0, 1, 0, 1, 2]) await find(offset);
  const rows = () => state.reads.filter((read) => read.startsWith('rows'));
  expect(rows()).toEqual(['rows 101,102', 'rows 102', 'rows ']);
  await index.findPage({ kind: 'set', term: 'mil', limit: 2, offset: 0 });
  await find(0);
  expect(rows().slice(3)).toEqual(['rows 101,102', 'rows 101,102']);
});

describe('in a store', () => {
  let world: StoredWorld;

  beforeEach(async () => {
    world = await openWorld();
  });

  afterEach(() => world.close());

  test('a search for an alias lists its minifig first, then the others, each once', async () => {
    const { market } = world.store;
    const known = (number: string, aliases: readonly string[]) => ({
      kind: 'minifig' as const,
      source: 'bricklink',
      facts: aMinifig({ number, aliases }),
    });
    const rows = [known('cst001', []), known('cst002', ['cst0']), known('sw0001', [])];
    await market.applyRows(rows, world.now);
    await world.publisher.publishStale();
    const index = new SearchIndex(market, new Freshness(market), () => world.now);
    const search = async (term: string) => {
      const page = await index.findPage({ kind: 'minifig', term, limit: 10, offset: 0 });
      return [page.total, ...page.rows.map((row) => JSON.parse(row).minifig_number)];
    };
    expect(await search('cst00')).toEqual([2, 'cst001', 'cst002']);
    expect(await search('cst0')).toEqual([2, 'cst002', 'cst001']);
  });

  test('interest is that of the day before, and changes the order on the next day', async () => {
    await world.load([
      { kind: 'set', set_number: '101', title: 'Mill', theme: 'Farm', msrp_usd: 20 },
      { kind: 'set', set_number: '102', title: 'Mill', theme: 'Farm', msrp_usd: 10 },
    ]);
    const { market } = world.store;
    const index = new SearchIndex(market, new Freshness(market), () => world.now);
    const search = async () => {
      const page = await index.findPage({ kind: 'set', term: 'mill', limit: 10, offset: 0 });
      return page.rows.map((row) => JSON.parse(row).set_number);
    };
    expect(await search()).toEqual(['101', '102']);
    const counts = [{ kind: 'set' as const, key: '102', times: 40 }];
    await market.addLookUps(counts, dayOf(world.now));
    const another = new SearchIndex(market, new Freshness(market), () => world.now);
    const page = await another.findPage({ kind: 'set', term: 'mill', limit: 10, offset: 0 });
    expect(page.rows.map((row) => JSON.parse(row).set_number)).toEqual(['101', '102']);
    world.now += dayMs;
    // It is read again in the background.
    await until(async () => (await search())[0] !== '101');
    expect(await search()).toEqual(['102', '101']);
  });

  test('newly published items and names are found by the next search', async () => {
    const { market } = world.store;
    const index = new SearchIndex(market, new Freshness(market), () => world.now);
    const search = async (term: string) => {
      const page = await index.findPage({ kind: 'set', term, limit: 10, offset: 0 });
      return [page.total, ...page.rows.map((row) => JSON.parse(row).set_number)];
    };
    const mill = (set_number: string, title: string, msrp_usd: number) =>
      world.load([{ kind: 'set', set_number, title, theme: 'Farm', msrp_usd }]);
    await mill('101', 'Mill', 20);
    expect(await search('mill')).toEqual([1, '101']);
    await mill('102', 'Mill', 30);
    expect(await search('mill')).toEqual([2, '102', '101']);
    await mill('101', 'Mill', 40);
    expect(await search('mill')).toEqual([2, '101', '102']);
    await mill('102', 'Windmill', 30);
    expect(await search('mill')).toEqual([2, '101', '102']);
    expect(await search('windmill')).toEqual([1, '102']);
    expect(await search('windmil')).toEqual([1, '102']);
  });

  test('pages of results are cached until a publication or the end of the day', async () => {
    const mill = { kind: 'set', set_number: '101', title: 'Mill', theme: 'Farm', msrp_usd: 20 };
    await world.load([mill]);
    const { market } = world.store;
    const index = new SearchIndex(market, new Freshness(market), () => world.now);
    const query = { kind: 'set', term: 'mill', limit: 10, offset: 0 } as const;
    const isKept = () => index.peek(query) !== undefined;
    expect(isKept()).toBe(false);
    // A large response; responses and pages are cached separately.
    const made = await index.find(query, () => 'x'.repeat(100_000));
    const found = await index.findPage(query);
    expect(index.peek(query)).toBe(made);
    expect(await index.findPage(query)).toBe(found);
    expect(index.peek({ ...query, offset: 10 })).toBeUndefined();
    world.now += dayMs;
    expect(isKept()).toBe(false);
    world.now -= dayMs;
    expect(isKept()).toBe(true);
    await world.load([{ ...mill, title: 'Windmill' }]);
    expect(await index.findPage(query)).not.toBe(found);
    expect(isKept()).toBe(false);
  });
});
