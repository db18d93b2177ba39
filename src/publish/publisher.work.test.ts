/** Publishing continues past an item that fails, and reports it. */
// @runs SQLite, PostgreSQL: publishes with the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { failingEngine, plainEngine } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';
import { makePublisher } from './publisher.work.ts';

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const set = (number: string, pieces: number) => ({
  kind: 'set',
  set_number: number,
  title: 'Hut',
  theme: 'Huts',
  pieces,
});

function breakingPublisher() {
  const settings = { engine: failingEngine, ...publishSettings };
  return makePublisher(world.store.market, settings, () => world.now);
}

test('a failing item does not prevent publishing others', async () => {
  await world.ingest([set('1', 12), set('2', 13), set('3', 14)]);
  await expect(breakingPublisher().publishStale()).rejects.toThrow('set 2: no luck');
  const found = async (key: string) => (await world.store.market.findDocument('set', key)) !== null;
  expect([await found('1'), await found('2'), await found('3')]).toEqual([true, false, true]);
  expect(await world.store.market.countStale()).toBe(1);
});

test('a failing due item is postponed, so that others get their turn', async () => {
  await world.load([set('1', 13), set('2', 14)]);
  world.now += 40 * 86_400_000;
  const publisher = breakingPublisher();
  await expect(publisher.publishDue(1)).rejects.toThrow('set 1: no luck');
  expect(await publisher.publishDue(1)).toBe(1);
  expect(await publisher.publishDue(1)).toBe(0);
});

test('an offer that arrives during publication is shown as soon as possible', async () => {
  await world.load([set('1', 12)]);
  const offer = { kind: 'offer', retailer: 'retailer_a', set_number: '1', price: 9 };
  await world.ingest([{ ...offer, observed_at: new Date(world.now).toISOString() }]);
  // The publication is for a time before the offer, as if its clock had been read first.
  await world.publisher.publishStale(world.now - 5);
  const price = async () => (await world.store.market.findRetail({ setKey: '1' }))?.body;
  expect(await price()).toBeUndefined();
  expect(await world.publisher.publishDue(10)).toBe(1);
  expect(await price()).toContain('"price":9');
});

test('a publication for the past is due at once, and then updated to the present', async () => {
  await world.load([set('1', 12)]);
  await world.publisher.publishAll(world.now - 40 * 86_400_000);
  expect(await world.publisher.publishDue(10)).toBe(1);
  expect(await world.publisher.publishDue(10)).toBe(0);
});

test('publishing due items ends, even while the clock advances', async () => {
  await world.load(Array.from({ length: 20 }, (_, index) => set(String(index + 1), 14)));
  let now = world.now + 40 * 86_400_000;
  const settings = {
    engine: plainEngine,
    ...publishSettings,
  };
  const publisher = makePublisher(world.store.market, settings, () => now++);
  const rounds = [];
  while (rounds.length < 10) rounds.push(await publisher.publishDue(8));
  expect(rounds).toEqual([8, 8, 4, 0, 0, 0, 0, 0, 0, 0]);
});

test('a value is due after a week, and everything when a month begins', async () => {
  const sale = { kind: 'sale', source: 'shop', source_id: 'a', item_type: 'set', item: '2' };
  const sold = { condition: 'sealed', price: 9, sold_at: '2026-11-14T10:00:00Z' };
  await world.load([{ ...set('1', 0), title: 'Bare' }, { ...set('2', 0) }, { ...sale, ...sold }]);
  const due = async (at: string) => world.store.market.listDue(Date.parse(at), 10);
  expect(await due('2026-11-22T11:59:59.999Z')).toEqual([]);
  expect(await due('2026-11-22T12:00:00Z')).toEqual([2]);
  expect(await due('2026-11-30T23:59:59.999Z')).toEqual([2]);
  expect(await due('2026-12-01T00:00:00Z')).toEqual([2, 1]);
});

test('a set retires by time alone, and is due at that time', async () => {
  const day = (text: string) => Date.parse(`${text}T12:00:00Z`);
  const offer = { kind: 'offer', retailer: 'retailer_b', set_number: '1', price: 9 };
  const seen = { observed_at: '2026-06-01T12:00:00Z', seller_type: 'retailer', in_stock: true };
  await world.load([
    { ...set('1', 0), release_date: '2020-01-01' },
    { ...offer, ...seen },
  ]);
  const status = async () => {
    const found = await world.store.market.findDocument('set', '1');
    return JSON.parse(found?.body ?? '{}').status_id;
  };
  expect(await status()).toBe(2);
  // 180 days after 1 June.
  const end = day('2026-11-28');
  expect(await world.store.market.listDue(end - 1, 10)).toEqual([]);
  expect(await world.store.market.listDue(end, 10)).toEqual([1]);
  world.now = end;
  await world.publisher.publishDue(10);
  expect(await status()).toBe(4);
});

test('progress counts the steps of learning, and then all items', async () => {
  const sale = { kind: 'sale', source: 'shop', source_id: 'a', item_type: 'set', item: '2' };
  const sold = { condition: 'sealed', price: 9, sold_at: '2026-10-14T10:00:00Z' };
  await world.ingest([set('1', 12), set('2', 12), { ...sale, ...sold }]);
  const reported: unknown[] = [];
  const written = await world.publisher.publishStale(undefined, (...progress) => {
    reported.push(progress);
  });
  expect(written).toBe(2);
  expect(reported).toEqual([
    [1, null, 'learning'],
    [2, null, 'learning'],
    [2, 2, 'valuing'],
  ]);
});
