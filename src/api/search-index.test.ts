/** What a search lists, and in which order, where a minifig has several numbers. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aMinifig } from '../../test/support/builders.ts';
import { until } from '../../test/support/until.ts';
import { startWorld, type World } from '../../test/support/world.ts';
import { dayMs, dayOf } from '../domain/kernel/time.ts';
import { Freshness } from './freshness.ts';
import { SearchIndex } from './search-index.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
});

afterEach(() => world.close());

test('a search by another number lists the minifig that has it first, then the others, each once', async () => {
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

test('interest is that of the day before, and changes the order when the next day begins', async () => {
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
  // It is read again beside the searches that go on.
  await until(async () => (await search())[0] !== '101');
  expect(await search()).toEqual(['102', '101']);
});

test('what is published while it is searched is found as if it had always been there', async () => {
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
