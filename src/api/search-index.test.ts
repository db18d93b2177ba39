/** What a search lists, and in which order, where a minifig has several numbers. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { bareMinifig } from '../../test/support/facts.ts';
import { startWorld, type World } from '../../test/support/world.ts';
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
    facts: { ...bareMinifig, number, aliases },
  });
  const rows = [known('cst001', []), known('cst002', ['cst0']), known('sw0001', [])];
  await market.applyRows(rows, world.now);
  await world.publisher.publishStale();
  const index = new SearchIndex(market, new Freshness(market));
  const search = async (term: string) => {
    const page = await index.findPage({ kind: 'minifig', term, limit: 10, offset: 0 });
    return [page.total, ...page.rows.map((row) => JSON.parse(row).minifig_number)];
  };
  expect(await search('cst00')).toEqual([2, 'cst001', 'cst002']);
  expect(await search('cst0')).toEqual([2, 'cst002', 'cst001']);
});
