/** Minifigs of two catalogs are matched, and manual decisions take precedence. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { MinifigFacts, SetDescription } from '../../src/catalog/items/catalog.ts';
import type { MinifigRecord } from '../../src/contract/minifig.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { importRows } from '../../src/ingest/runner/import.work.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import { aMinifig, aSale, aSet } from '../support/builders.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeEach(async () => {
  world = await startWorld();
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 100_000 });
});

afterEach(() => world.close());

const minifig = (source: string, number: string, facts: Partial<MinifigFacts>): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig({ number, ...facts }),
});

const set = (source: string, number: string, facts: Partial<SetDescription>): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number, ...facts }),
});

const inventory = (number: string, minifigs: readonly string[]) =>
  set('bricklink-inventory', number, { title: null, theme: null, itemClass: null, minifigs });

/** Imports rows as one file. */
async function load(...rows: readonly MarketRow[]) {
  const located = rows.map((row) => ({ where: 'file:1', text: '', result: { row } }));
  const { market, accounts } = world.store;
  const groups = (async function* () {
    yield located;
  })();
  const target = { market, accounts, clock: () => world.now, onReject: () => {} };
  const report = await importRows(groups, target);
  expect(report.rejects).toEqual([]);
  await publish();
  return report;
}

async function publish(): Promise<void> {
  await world.publisher.publishStale();
  expect(await world.store.market.countStale()).toBe(0);
}

async function decide(first: string, second: string, isOne: boolean) {
  const decision = { keys: [first, second], isOne, at: world.now } as const;
  const outcome = await world.store.market.decideMinifigs(decision);
  await publish();
  return outcome;
}

async function get<T>(path: string): Promise<T | null> {
  const response = await world.call(path, key);
  return response.status === 404 ? null : ((await response.json()) as { data: T }).data;
}

const getMinifig = (number: string) => get<MinifigRecord>(`/minifig/${number}`);
const shownAs = async (number: string) => (await getMinifig(number))?.minifig_number;

const year = { yearReleased: 2020 };
const picture = 'https://img.example/fig-1.jpg';

/** Minifigs in one catalog only: words are rare only among many names. */
const others = (source: string, kind: string) =>
  Array.from({ length: 25 }, (_, index) =>
    minifig(source, `${kind}-${index}`, { name: `${kind}${index}`, yearReleased: 1990 }),
  );

const theirs = [
  ...others('rebrickable', 'robot'),
  minifig('rebrickable', 'fig-1', { name: 'Keeper, Blue Coat', imageUrl: picture, ...year }),
  minifig('rebrickable', 'fig-2', { name: 'Gull', ...year }),
  set('rebrickable', '10482', { theme: 'Coastline', minifigs: ['fig-1', 'fig-2'] }),
];
const ours = [
  ...others('bricklink', 'alien'),
  minifig('bricklink', 'cst1', { name: 'Lighthouse Keeper', category: 'Coast', ...year }),
  minifig('bricklink', 'cst2', { name: 'Gull, White', category: 'Coast', ...year }),
];
const listed = inventory('10482', ['cst1', 'cst2']);

const sold: MarketRow = {
  kind: 'sale',
  sale: aSale({ itemKind: 'minifig', itemKey: 'cst1', condition: 'used', priceCents: 8_00 }),
};

test('a minifig in both catalogs is one item, with the data of both', async () => {
  await load(...theirs);
  expect((await load(...ours, sold)).minifigs).toEqual({ joined: 0, unsure: 1 });
  expect(await getMinifig('fig-1')).toMatchObject({ minifig_number: 'fig-1', category: null });
  expect((await load(listed)).minifigs).toEqual({ joined: 2, unsure: 0 });
  for (const number of ['cst1', 'fig-1']) {
    expect(await getMinifig(number)).toEqual({
      minifig_number: 'cst1',
      name: 'Lighthouse Keeper',
      category: 'Coast',
      year_released: 2020,
      image_url: picture,
      current_value_usd: 8,
      value_range: expect.anything(),
      set_count: 1,
      sets: ['10482'],
    });
  }
  expect((await get<SetRecord>('/set/10482'))?.minifigs).toEqual(['cst1', 'cst2']);
});

test('the pairs do not depend on the order or the number of imports', async () => {
  // A set must have a name before its inventory is accepted.
  await load(set('brickset', '10482', { theme: 'Coastline' }), listed, ...ours);
  await load(...theirs);
  const shown = async () => [await shownAs('fig-1'), await shownAs('fig-2')];
  expect(await shown()).toEqual(['cst1', 'cst2']);
  expect((await load(...ours)).minifigs).toEqual({ joined: 2, unsure: 0 });
  expect(await shown()).toEqual(['cst1', 'cst2']);
});

test('names, years and themes alone can be enough', async () => {
  const crowd = Array.from({ length: 25 }, (_, index) => {
    const name = `Hero${index} of Planet${index % 7}`;
    return [
      minifig('bricklink', `sp${index}`, { name, category: 'Space', ...year }),
      minifig('rebrickable', `fig-sp${index}`, { name, ...year }),
      set('rebrickable', `1${index}`, { theme: 'Space', minifigs: [`fig-sp${index}`] }),
    ];
  }).flat();
  const luke = minifig('bricklink', 'sw1', { name: 'Luke (Tatooine) - Poncho', ...year });
  const there = minifig('rebrickable', 'fig-sw1', { name: 'Luke, Tatooine, Poncho', ...year });
  expect((await load(...crowd, luke, there)).minifigs).toEqual({ joined: 26, unsure: 0 });
  expect(await shownAs('fig-sw1')).toBe('sw1');
});

test('a pair that no longer matches is separated, also when one of them is removed', async () => {
  await load(...theirs, ...ours, listed);
  await load(inventory('10482', ['cst1']), inventory('10482', []));
  expect(await shownAs('fig-1')).toBe('fig-1');
  await load(listed);
  expect(await shownAs('fig-1')).toBe('cst1');
  const gone = { source: 'rebrickable', itemKind: 'minifig', keys: new Set(['fig-2']) } as const;
  await world.store.market.markGone({ ...gone, at: world.now });
  expect(await world.store.market.joinMinifigs()).toMatchObject({ joined: 1 });
  await publish();
  expect([await shownAs('fig-1'), await shownAs('fig-2')]).toEqual(['fig-1', 'cst2']);
});

test('an import that changes no catalog matches nothing', async () => {
  await load(...theirs, ...ours, listed);
  const feed = minifig('feed', 'cst1', { name: 'Keeper' });
  expect((await load(feed)).minifigs).toEqual({ joined: 2, unsure: 0 });
  expect((await load(feed)).minifigs).toBeUndefined();
  expect((await load(sold)).minifigs).toBeUndefined();
});

test('a single catalog has no pairs', async () => {
  expect((await load(...theirs)).minifigs).toBeUndefined();
  expect(await world.store.market.listUnsureMinifigs()).toEqual([]);
});

test('an alias in a source needs no matching', async () => {
  const named = minifig('bricklink', 'cst1', { name: 'Keeper', aliases: ['fig-2'], ...year });
  await load(...theirs, ...ours, named, listed);
  expect([await shownAs('fig-1'), await shownAs('fig-2')]).toEqual(['cst2', 'cst1']);
});

test('decisions merge or separate whatever sources say, and can be reversed', async () => {
  await load(...theirs, ...ours, listed);
  expect(await decide('cst1', 'fig-1', false)).toEqual({ kind: 'saved', shown: ['cst1', 'fig-1'] });
  await load(...ours, listed);
  expect([await shownAs('fig-1'), await shownAs('cst1')]).toEqual(['fig-1', 'cst1']);
  // The BrickLink number is shown, whichever is named first.
  expect(await decide('fig-1', 'cst1', true)).toEqual({ kind: 'saved', shown: ['cst1', 'cst1'] });
  await load(inventory('10482', []));
  expect(await shownAs('fig-1')).toBe('cst1');
  await decide('cst1', 'fig-1', false);
  expect(await shownAs('fig-1')).toBe('fig-1');
});

test('a decision takes precedence over a record, and other pairs are updated', async () => {
  const named = minifig('feed', 'cst1', { name: 'Keeper', aliases: ['fig-1'] });
  await load(...theirs, ...ours, named, listed);
  await decide('fig-1', 'cst1', false);
  expect(await shownAs('fig-1')).toBe('fig-1');
  expect(await decide('cst2', 'fig-1', true)).toMatchObject({ shown: ['cst2', 'cst2'] });
  expect([await shownAs('fig-1'), await shownAs('fig-2')]).toEqual(['cst2', 'cst1']);
});

test('a decision needs known numbers', async () => {
  await load(...ours);
  expect(await decide('cst1', 'nobody', true)).toEqual({ kind: 'unknown', key: 'nobody' });
  expect(await decide('nobody', 'cst1', false)).toEqual({ kind: 'unknown', key: 'nobody' });
  expect(await decide('cst1', 'cst2', true)).toEqual({ kind: 'saved', shown: ['cst1', 'cst1'] });
  expect(await shownAs('cst2')).toBe('cst1');
});

test('uncertain pairs are listed with their sets and the reason', async () => {
  const twin = minifig('rebrickable', 'fig-3', { name: 'Gull', ...year });
  const three = set('rebrickable', '10482', { minifigs: ['fig-1', 'fig-2', 'fig-3'] });
  const report = await load(...theirs, ...ours, twin, three, listed);
  expect(report.minifigs).toEqual({ joined: 1, unsure: 1 });
  expect(await world.store.market.listUnsureMinifigs()).toEqual([
    {
      bricklink: { number: 'cst2', name: 'Gull, White', year: 2020, sets: ['10482'] },
      rebrickable: { number: 'fig-2', name: 'Gull', year: 2020, sets: ['10482'] },
      by: 'sets',
      score: expect.any(Number),
      rival: 'fig-3',
    },
  ]);
});
