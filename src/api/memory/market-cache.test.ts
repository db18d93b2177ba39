/** Preloading before the first request. */
import { expect, test } from 'bun:test';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { MarketCache } from './market-cache.ts';

/** Caches of an empty market that records its reads once they have ended. */
function open() {
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
  return { reads, cache: new MarketCache({ market, accounts: {} } as never, () => 0) };
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

test('pages get the text of a document, or null', async () => {
  const { findDocument } = open().cache.forPages();
  expect([await findDocument('set', '1'), await findDocument('set', '2')]).toEqual(['one', null]);
});
