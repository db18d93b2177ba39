/** The good request of every endpoint once more, as a call of the client. */
import type { Brickmark } from '../../src/client/index.ts';
import type { EndpointName } from '../../src/contract/all-endpoints.ts';
import { until } from './until.ts';

/** What each call answers: of the file its documents, of the stream nothing once it is there. */
export const clientCalls: Readonly<Record<EndpointName, (client: Brickmark) => Promise<unknown>>> =
  {
    getSet: (client) => client.getSet('75192'),
    getMinifig: (client) => client.getMinifig('cas001'),
    searchSets: (client) => client.searchSets({ q: 'castle' }),
    searchMinifigs: (client) => client.searchMinifigs({ q: 'knight' }),
    listThemes: (client) => client.listThemes(),
    getBatch: (client) => client.getBatch({ sets: ['75192', '404404'], minifigs: ['cas001'] }),
    getSetHistory: (client) => client.getSetHistory('75192'),
    getSetRetailPrices: (client) => client.getSetRetailPrices('75192'),
    findRetailPrices: (client) => client.findRetailPrices({ upc: '673419000017' }),
    listRetailWatch: (client) => client.listRetailWatch({ changed_within: '30d' }),
    listBrickfolios: (client) => client.listBrickfolios(),
    getAnalytics: (client) => client.getAnalytics({ period: '90d' }),
    listEntries: (client) => client.listEntries({ limit: 10 }),
    listSales: (client) => client.listSales({ limit: 10 }),
    getMaxBuy: (client) => client.plus.getMaxBuy({ set: '75192' }),
    listDeals: (client) => client.plus.listDeals({ min_tier: 'low', share: 0.5 }),
    evaluateBox: (client) =>
      client.plus.evaluateBox({
        items: [{ set: '75192', quantity: 2 }, { set: '404404' }, { minifig: 'cas001' }],
        cost_usd: 99.99,
      }),
    getSetEvidence: (client) => client.plus.getSetEvidence('75192'),
    getMinifigEvidence: (client) => client.plus.getMinifigEvidence('cas001'),
    listEvents: (client) => client.plus.listEvents({ after: 0, scope: 'holdings' }),
    streamEvents: async (client) => {
      const stop = new AbortController();
      const query = { after: 0, scope: 'holdings' } as const;
      const stream = client.plus.streamEvents(query, { signal: stop.signal });
      const reading = Array.fromAsync(stream).catch((reason) => reason === stop.signal.reason);
      await until(() => stream.position !== null);
      stop.abort();
      await reading;
    },
    listBulkFiles: (client) => client.plus.listBulkFiles(),
    getBulkFile: (client) => Array.fromAsync(client.plus.getBulkFile('sets')),
    listBulkChanges: (client) => client.plus.listBulkChanges({ after: '0-0', limit: 2 }),
    getUsage: (client) => client.plus.getUsage(),
  };
