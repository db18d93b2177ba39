/** Learning and publishing with the real engine, with rows in any order and at any time. */
// @runs SQLite, PostgreSQL: publishes with the store
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import {
  outcomeOf,
  shuffled,
  smallWorld,
  smallWorldItems,
  split,
} from '../../../test/support/small-world.ts';
import {
  type FeedLine,
  openWorld,
  prepareWorld,
  type StoredWorld,
} from '../../../test/support/stored-world.ts';
import { dayMs, formatMonth, lastFinalMonth, monthOf, parseMonth } from '../../kernel/time.ts';
import { valueEngine } from './engine.ts';

const noon = '2026-11-15T12:00:00Z';
const now = Date.parse(noon);
const market = smallWorld(Date.parse('2026-11-15'));

const worlds: StoredWorld[] = [];

/** A world with the real engine. */
async function realWorld(): Promise<StoredWorld> {
  const world = await openWorld(noon, valueEngine);
  worlds.push(world);
  return world;
}

/** A world with the whole market, published. */
async function fullWorld(): Promise<StoredWorld> {
  const world = await startFull();
  worlds.push(world);
  return world;
}

let startFull: () => Promise<StoredWorld>;
let world: StoredWorld;

beforeAll(async () => {
  const lines = [...market.catalog, ...market.rows, ...market.retractions];
  startFull = await prepareWorld((filled) => filled.load(lines), noon, valueEngine);
});

beforeEach(async () => {
  world = await fullWorld();
});

afterEach(async () => {
  for (const started of worlds.splice(0)) await started.close();
});

const outcome = (of = world) => outcomeOf(of.store, of.now);
const parameters = async (of = world) => (await of.store.market.findParameters()).parameters;

const sale = (item: string, day: string, price: number): FeedLine => ({
  kind: 'sale',
  source: 'late',
  source_id: `${item} ${day} ${price}`,
  item_type: 'set',
  item,
  condition: 'sealed',
  price,
  sold_at: `${day}T09:00:00Z`,
  channel: 'fixed',
});

/** A set that is sold often. */
async function popularSet(): Promise<string> {
  const { items } = await outcome();
  const sales = [...items].map(([name, { evidence }]) => ({
    name,
    sold: evidence?.sealed?.sales.ever ?? 0,
  }));
  const [best] = sales
    .filter(({ name }) => name.startsWith('set '))
    .sort((a, b) => b.sold - a.sold);
  return best?.name.slice('set '.length) ?? '';
}

test('the market is large enough for these tests', async () => {
  const { items, parameters: learned } = await outcome();
  expect(market.rows.filter(({ kind }) => kind === 'sale').length).toBeGreaterThan(500);
  expect(market.retractions.length).toBeGreaterThan(2);
  expect(items.size).toBe(smallWorldItems);
  expect(
    [...items.values()].filter(({ evidence }) => evidence?.tier === 'high').length,
  ).toBeTruthy();
  expect(learned.map(({ month }) => formatMonth(month)).at(-1)).toBe('2026-11');
  expect(learned.length).toBeGreaterThan(13);
  expect(new Set(learned.map(({ body }) => body)).size).toBeGreaterThan(13);
});

test('the same rows give the same result, in any order and batches', async () => {
  const expected = await outcome();
  for (let seed = 1; seed <= runsOnEngine(2); seed++) {
    const other = await realWorld();
    await other.ingest(shuffled(market.catalog, seed));
    for (const batch of split(shuffled(market.rows, seed), seed, 4)) await other.load(batch);
    await other.load(shuffled(market.retractions, seed));
    const found = await outcome(other);
    expect(found.parameters).toEqual(expected.parameters);
    expect(found.items).toEqual(expected.items);
    expect(await other.store.market.countStale()).toBe(0);
  }
});

test('a new sale of today publishes one item, and learns nothing', async () => {
  const before = await outcome();
  const set = await popularSet();
  const stamp = await world.store.market.publishStamp();
  await world.ingest([sale(set, '2026-11-15', 100)]);
  expect(await world.publisher.publishStale()).toBe(1);
  expect(await world.store.market.listChanges(stamp, 10)).toMatchObject([{ key: set }]);
  const after = await outcome();
  expect(after.parameters).toEqual(before.parameters);
  const changed = [...after.items].filter(
    ([name, { evidence }]) => evidence?.inputHash !== before.items.get(name)?.evidence?.inputHash,
  );
  expect(changed.map(([name]) => name)).toEqual([`set ${set}`]);
  expect((await world.store.market.findParameters()).changedFrom).toBe(monthOf(now));
});

test('a late sale of last month is learned from, and everything is published again', async () => {
  const before = await outcome();
  const set = await popularSet();
  await world.ingest([sale(set, '2026-10-15', 100)]);
  // The set itself first, then all items.
  expect(await world.publisher.publishStale()).toBe(1 + smallWorldItems);
  const after = await outcome();
  expect(after.parameters.slice(0, -1)).toEqual([...before.parameters.slice(0, -1)]);
  expect(after.parameters.at(-1)).not.toEqual(before.parameters.at(-1));
  const fresh = await realWorld();
  await fresh.load([...market.catalog, ...market.rows, ...market.retractions]);
  await fresh.load([sale(set, '2026-10-15', 100)]);
  expect(await outcome(fresh)).toEqual(after);
});

test('values for the past use the parameters of their month', async () => {
  const at = Date.parse('2026-06-20');
  await world.publisher.publishAll(at);
  const { items, parameters: learned } = await outcome();
  const june = learned.find(({ month }) => month === parseMonth('2026-06'));
  const names = new Set([...items.values()].map(({ evidence }) => evidence?.parameters));
  expect([...names]).toEqual([june?.version]);
  expect(learned.at(-1)?.month).toBe(monthOf(now));
});

test('a sealed month never changes, whatever arrives later', async () => {
  expect(await world.store.market.sealHistory(world.now)).toBe(true);
  const before = await outcome();
  const set = await popularSet();
  const months = Array.from({ length: 12 }, (_, index) => formatMonth(monthOf(now) - 12 + index));
  const gone = market.rows.filter(({ kind }) => kind === 'sale').slice(0, 200);
  const rows = months.map((month) => sale(set, `${month}-10`, 50));
  world.now += dayMs;
  await world.load([
    ...rows,
    ...gone.map(({ source, source_id }) => ({ kind: 'retract', source, source_id })),
  ]);
  await world.publisher.publishAll();
  const after = await outcome();
  expect(after.parameters).toEqual(before.parameters);
  for (const [name, { series }] of after.items) {
    expect(series).toEqual(before.items.get(name)?.series ?? { sealed: null, used: null });
  }
  expect(after.items.get(`set ${set}`)?.document).not.toBe(
    before.items.get(`set ${set}`)?.document,
  );
});

test('after sealing, a month is learned from what was known when it began, by any process', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await parameters();
  const set = await popularSet();
  world.now = Date.parse('2026-11-30T23:00:00Z');
  await world.load([sale(set, '2026-11-20', 100), sale(set, '2026-08-20', 100)]);
  expect(await parameters()).toEqual([...before]);
  world.now = Date.parse('2026-12-01T00:00:00Z');
  while ((await world.publisher.publishDue(50)) > 0);
  const december = await parameters();
  expect(december.slice(0, -1)).toEqual([...before]);
  expect(december.at(-1)?.month).toBe(parseMonth('2026-12') ?? 0);
  world.now = Date.parse('2027-02-03');
  await world.load([sale(set, '2026-11-21', 10), sale(set, '2026-12-21', 10)]);
  const february = await parameters();
  expect(february.slice(0, -2)).toEqual([...december]);
  expect(february.map(({ month }) => formatMonth(month)).slice(-2)).toEqual(['2027-01', '2027-02']);
});

test('a month learned late is the same as one learned in time', async () => {
  const late = await fullWorld();
  const set = await popularSet();
  for (const each of [world, late]) {
    await each.store.market.sealHistory(each.now);
    each.now = Date.parse('2026-11-29');
    await each.load([sale(set, '2026-11-20', 100)]);
  }
  world.now = Date.parse('2026-12-01T00:00:01Z');
  while ((await world.publisher.publishDue(50)) > 0);
  const rows = [sale(set, '2026-11-21', 10), sale(set, '2026-12-21', 10)];
  for (const each of [world, late]) {
    each.now = Date.parse('2027-01-20');
    await each.load(rows);
  }
  expect(await parameters(late)).toEqual(await parameters(world));
});

test('in a new month everything is due, learned, and extended by a month', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await outcome();
  world.now = Date.parse('2026-12-01T00:00:00Z');
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  while ((await world.publisher.publishDue(60, pause)) > 0);
  expect(pauses).toBeGreaterThan(3);
  const names = [...(await outcome()).items.values()].map(({ evidence }) => evidence?.parameters);
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toStartWith('2026-12-');
  world.now = Date.parse('2026-12-08T00:00:00Z');
  while ((await world.publisher.publishDue(60)) > 0);
  const { items } = await outcome();
  for (const [name, { series }] of items) {
    const old = before.items.get(name)?.series.sealed;
    if (!series.sealed || !old) continue;
    const { firstMonth, points, provenance } = series.sealed;
    expect(points.slice(0, -1)).toEqual([...old.points]);
    expect(provenance.slice(0, -1)).toEqual([...old.provenance]);
    expect(firstMonth + points.length - 1).toBe(lastFinalMonth(world.now));
    const made = provenance.at(-1);
    if (made === 'unsold') expect(points.at(-1)).toMatchObject({ valueCents: null, salesCount: 0 });
    else expect(made?.parameters).toStartWith('2026-11-');
  }
});

test('learning can be aborted between its steps without partial results', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await parameters();
  world.now = Date.parse('2026-12-02');
  const enough = new Error('enough');
  await expect(world.publisher.publishDue(5, () => Promise.reject(enough))).rejects.toBe(enough);
  expect(await parameters()).toEqual([...before]);
  expect(await world.publisher.publishDue(5)).toBe(5);
  expect(await parameters()).toHaveLength(before.length + 1);
});
