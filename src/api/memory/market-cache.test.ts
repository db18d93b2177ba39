/** Preloading before the first request, and the cache of lots. */
import { expect, test } from 'bun:test';
import { anInventoryLot } from '../../../test/support/builders.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { MarketCache } from './market-cache.ts';

/** Caches of an empty market that records its reads once they have ended. */
function open(lot = anInventoryLot()) {
  const reads: string[] = [];
  const after = async <T>(what: string, result: T): Promise<T> => {
    await Bun.sleep(0);
    reads.push(what);
    return result;
  };
  const market = {
    publishStamp: () => 1,
    listSearchEntries: (kind: string) => after(`${kind} names`, []),
    listDeals: () => after('deals', []),
    listMarketRecords: (kind: string) => after(`${kind} list`, []),
    findDocument: async (_: string, key: string) => (key === '1' ? { key, body: 'one' } : null),
  };
  const lots = Array.from({ length: 10_000 }, () => lot);
  const accounts = {
    findPrivateVersion: async () => 1,
    listInventory: async (
      accountId: number,
      { after, limit }: { after: number; limit: number },
    ) => {
      reads.push(`lots of ${accountId} after ${after}`);
      return lots.slice(0, limit);
    },
  };
  return { reads, cache: new MarketCache({ market, accounts } as never, () => 0) };
}

const warm = ['set names', 'minifig names', 'deals'];

test('search and deals are loaded for the API, and for pages the whole market too', async () => {
  const api = open();
  await api.cache.warm(builtInTables);
  expect(api.reads).toEqual(warm);
  const pages = open();
  await pages.cache.warmPages(builtInTables);
  expect(pages.reads).toEqual([...warm, 'set list', 'minifig list']);
});

test('lots are read once, up to the size of the cache', async () => {
  const { cache, reads } = open();
  const { accounts } = cache.portfolio;
  for (const after of [0, 0, 1, 0]) await accounts.listInventory(1, { after, limit: 10 });
  expect(reads).toEqual(['lots of 1 after 0', 'lots of 1 after 1']);
  // Three times 10,000 lots fit, but not four.
  reads.length = 0;
  const many = (accountId: number) =>
    accounts.listInventory(accountId, { after: 0, limit: 10_000 });
  for (const accountId of [2, 3, 4, 2, 5, 2]) await many(accountId);
  expect(reads).toEqual([2, 3, 4, 5, 2].map((id) => `lots of ${id} after 0`));
});

test('lots with long notes take as much of the cache as they have text', async () => {
  const { cache, reads } = open(anInventoryLot({ notes: 'n'.repeat(2_000) }));
  const { accounts } = cache.portfolio;
  const some = (accountId: number) => accounts.listInventory(accountId, { after: 0, limit: 2_000 });
  // 2,000 such lots are more than half of the cache, so the first are gone.
  for (const accountId of [1, 2, 1]) await some(accountId);
  expect(reads).toEqual([1, 2, 1].map((id) => `lots of ${id} after 0`));
});

test('pages get the text of a document, or null', async () => {
  const { findDocument } = open().cache.forPages();
  expect([await findDocument('set', '1'), await findDocument('set', '2')]).toEqual(['one', null]);
});
