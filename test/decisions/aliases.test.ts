/** Minifigs with several numbers are one item, as long as a source lists the numbers as aliases. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { MinifigFacts } from '../../src/catalog/items/catalog.ts';
import type { MinifigRecord } from '../../src/contract/minifig.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import { aMinifig, aSale, aSet } from '../support/builders.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeEach(async () => {
  world = await startWorld();
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
});

afterEach(() => world.close());

const minifig = (source: string, facts: Partial<MinifigFacts>): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig(facts),
});

const sale = (itemKey: string, dollars: number, day: number): MarketRow => {
  const sold = { sourceId: `${itemKey} ${day}`, soldAt: Date.UTC(2026, 10, day) };
  const facts = { itemKind: 'minifig', itemKey, condition: 'used' } as const;
  return { kind: 'sale', sale: aSale({ ...facts, ...sold, priceCents: dollars * 100 }) };
};

async function load(...rows: MarketRow[]): Promise<void> {
  const outcomes = await world.store.market.applyRows(rows, world.now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  await world.publisher.publishStale();
  expect(await world.store.market.countStale()).toBe(0);
}

async function get<T>(path: string): Promise<T | null> {
  const response = await world.call(path, key);
  return response.status === 404 ? null : ((await response.json()) as { data: T }).data;
}

const getMinifig = (number: string) => get<MinifigRecord>(`/minifig/${number}`);
const getMinifigs = async () => (await get<SetRecord>('/set/10482'))?.minifigs;
const search = async (q: string) => {
  const page = await get<{ results: MinifigRecord[] }>(`/catalog/minifigs/search?q=${q}`);
  return page?.results.map((found) => found.minifig_number);
};

/** The figure in one catalog, with sales and a set. */
const before: readonly MarketRow[] = [
  minifig('rebrickable', { number: 'fig-000001', name: 'Keeper', yearReleased: 2020 }),
  {
    kind: 'set',
    source: 'rebrickable',
    facts: aSet({ number: '10482', minifigs: ['fig-000001'] }),
  },
  sale('fig-000001', 8, 1),
];

/** The same figure in another catalog, which has both numbers. */
const keeper = { number: 'cst001', name: 'Lighthouse Keeper' };
const named = minifig('bricklink', { ...keeper, aliases: ['FIG-000001'] });

test("a collectible figure is found by BrickLink's number of its set, too", async () => {
  const bag = { number: '71037-2', theme: 'Collectible Minifigures', minifigs: ['col404'] };
  await load(
    { kind: 'set', source: 'rebrickable', facts: aSet(bag) },
    minifig('bricklink', { number: 'col404', name: 'Robot Warrior' }),
  );
  expect(await get<SetRecord>('/set/col24-2')).toMatchObject({ set_number: '71037-2' });
  for (const number of ['col24-2', 'COL24-2', '71037-2', 'col404']) {
    expect(await search(number)).toEqual(['col404']);
  }
  const { results } = (await get<{ results: unknown[] }>('/catalog/sets/search?q=col24-2')) ?? {};
  expect(results).toMatchObject([{ set_number: '71037-2' }]);
});

test('two minifigs become one, under the number of the record that has the alias', async () => {
  await load(...before, minifig('bricklink', keeper), sale('cst001', 5, 2));
  expect(await getMinifig('fig-000001')).toMatchObject({ current_value_usd: 8, set_count: 1 });
  expect(await getMinifig('cst001')).toMatchObject({ current_value_usd: 5, set_count: 0 });
  expect(await search('keeper')).toEqual(['fig-000001', 'cst001']);
  await load(named);
  const one = await getMinifig('cst001');
  expect(one).toEqual({
    minifig_number: 'cst001',
    name: 'Lighthouse Keeper',
    category: null,
    year_released: 2020,
    image_url: null,
    current_value_usd: 5,
    value_range: { low: 4.5, high: 5.5 },
    set_count: 1,
    sets: ['10482'],
  });
  expect(await getMinifig('fig-000001')).toEqual(one);
  expect(await getMinifigs()).toEqual(['cst001']);
  expect(await search('keeper')).toEqual(['cst001']);
  expect(await search('Fig-000001')).toEqual(['cst001']);
});

test('a batch and `explain` find it by either number', async () => {
  await load(...before, named, sale('cst001', 5, 2));
  const response = await world.call(
    '/catalog/batch',
    key,
    batch({ minifigs: ['fig-000001', 'cst001'] }),
  );
  const { data } = (await response.json()) as { data: { minifigs: MinifigRecord[] } };
  const one = await getMinifig('cst001');
  expect(data.minifigs).toEqual([one, one].map((found) => ({ ...found, found: true })) as never);
  const evidence = await world.store.market.findEvidence('minifig', 'fig-000001');
  expect(evidence).toMatchObject({ number: 'cst001', name: 'Lighthouse Keeper', isStale: false });
  expect(evidence).toEqual(await world.store.market.findEvidence('minifig', 'cst001'));
});

test('sales and contents count under either number, before and after', async () => {
  await load(...before, named);
  expect((await getMinifig('cst001'))?.current_value_usd).toBe(8);
  await load(sale('fig-000001', 9, 3));
  expect((await getMinifig('cst001'))?.current_value_usd).toBe(9);
  expect((await getMinifig('fig-000001'))?.current_value_usd).toBe(9);
  const facts = aSet({ number: '10483', minifigs: ['cst001', 'fig-000001'] });
  await load({ kind: 'set', source: 'feed', facts });
  expect((await getMinifig('fig-000001'))?.sets).toEqual(['10482', '10483']);
  expect((await get<SetRecord>('/set/10483'))?.minifigs).toEqual(['cst001']);
  expect(await world.store.market.listSold(null)).toMatchObject([{ key: 'cst001' }]);
  await load({ kind: 'retract', source: 'shop', sourceId: 'fig-000001 3' });
  expect((await getMinifig('cst001'))?.current_value_usd).toBe(8);
});

test('removing the alias separates them again', async () => {
  await load(...before, named, sale('cst001', 5, 2), sale('fig-000001', 9, 3));
  await load(minifig('bricklink', keeper));
  expect(await getMinifig('cst001')).toMatchObject({ current_value_usd: 5, sets: [] });
  expect(await getMinifig('fig-000001')).toMatchObject({
    minifig_number: 'fig-000001',
    name: 'Keeper',
    current_value_usd: 9,
    sets: ['10482'],
  });
  expect(await getMinifigs()).toEqual(['fig-000001']);
  expect(await search('keeper')).toEqual(['fig-000001', 'cst001']);
  expect(await search('fig-000001')).toEqual(['fig-000001']);
});

test('a number that was only an alias is not found without it, and keeps its sales', async () => {
  await load(named, sale('fig-000001', 9, 3));
  expect((await getMinifig('fig-000001'))?.current_value_usd).toBe(9);
  await load(minifig('bricklink', keeper));
  expect((await getMinifig('cst001'))?.current_value_usd).toBeNull();
  expect(await getMinifig('fig-000001')).toBeNull();
  expect(await world.store.market.findEvidence('minifig', 'fig-000001')).toBeNull();
  expect(await world.store.market.listSold(null)).toEqual([]);
  const [refused] = await world.store.market.applyRows([sale('fig-000001', 1, 4)], world.now);
  expect(refused).toMatchObject({
    reason: "minifig 'fig-000001' is not in the catalog",
    missing: true,
  });
  await load(minifig('rebrickable', { number: 'Fig-000001', name: 'Keeper' }));
  const found = await getMinifig('fig-000001');
  expect(found).toMatchObject({ minifig_number: 'Fig-000001', current_value_usd: 9 });
});

test('if two claim a number the better source gets it, and a cycle is one minifig', async () => {
  await load(
    ...before,
    minifig('rebrickable', { number: 'aaa1', name: 'Other', aliases: ['fig-000001'] }),
    named,
  );
  expect((await getMinifig('fig-000001'))?.minifig_number).toBe('cst001');
  expect(await getMinifig('aaa1')).toMatchObject({ minifig_number: 'aaa1', set_count: 0 });
  await load(minifig('rebrickable', { number: 'fig-000001', name: 'Keeper', aliases: ['cst001'] }));
  expect((await getMinifig('fig-000001'))?.minifig_number).toBe('cst001');
  expect((await getMinifig('cst001'))?.minifig_number).toBe('cst001');
});

test('a sale is compared with one published value only, however its minifig is composed', async () => {
  const counted = async () =>
    (await world.store.market.listScores(0)).reduce((sum, { count }) => sum + count, 0);
  await load(...before, minifig('bricklink', keeper), sale('cst001', 5, 2));
  world.now += 1000;
  await load(sale('fig-000001', 9, 12));
  expect(await counted()).toBe(1);
  world.now += 1000;
  await load(named);
  expect(await counted()).toBe(1);
  world.now += 1000;
  await load(sale('fig-000001', 9, 13));
  expect(await counted()).toBe(2);
  world.now += 1000;
  await load(minifig('bricklink', keeper));
  expect(await counted()).toBe(2);
});
