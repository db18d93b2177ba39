/** One good request per endpoint, for the loops over both endpoint tables. */
import type { EndpointName } from '../../src/contract/all-endpoints.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import { batch } from './world.ts';

/** A good request: its path, with or without the contract's prefix, and what goes with it. */
export interface GoodRequest {
  readonly path: string;
  readonly init?: RequestInit;
  readonly cost: number;
}

/** Endpoints with a request that answers 200 in the small market. */
export const goodRequests: Readonly<Record<EndpointName, GoodRequest>> = {
  getSet: { path: '/set/75192', cost: 1 },
  getMinifig: { path: '/minifig/cas001', cost: 1 },
  searchSets: { path: '/catalog/sets/search?q=castle', cost: 1 },
  searchMinifigs: { path: '/catalog/minifigs/search?q=knight', cost: 1 },
  listThemes: { path: '/catalog/themes', cost: 1 },
  getBatch: {
    path: '/catalog/batch',
    init: batch({ sets: ['75192', '404404'], minifigs: ['cas001'] }),
    cost: 3,
  },
  getSetHistory: { path: '/set/75192/history', cost: 1 },
  getSetRetailPrices: { path: '/set/75192/retail-prices', cost: 1 },
  findRetailPrices: { path: '/retail-prices?upc=673419000017', cost: 1 },
  listRetailWatch: { path: '/brickfolio/retail-watch?changed_within=30d', cost: 1 },
  listBrickfolios: { path: '/brickfolio', cost: 1 },
  getAnalytics: { path: '/brickfolio/analytics?period=90d', cost: 1 },
  listEntries: { path: '/brickfolio/entries?limit=10', cost: 1 },
  listSales: { path: '/salesledger?limit=10', cost: 1 },
  getMaxBuy: { path: `${plusPrefix}/max-buy?set=75192`, cost: 1 },
  listDeals: { path: `${plusPrefix}/deals?min_tier=low&share=0.5`, cost: 1 },
  evaluateBox: {
    path: `${plusPrefix}/evaluate`,
    init: batch({
      items: [{ set: '75192', quantity: 2 }, { set: '404404' }, { minifig: 'cas001' }],
      cost_usd: 99.99,
    }),
    cost: 3,
  },
  getSetEvidence: { path: `${plusPrefix}/set/75192/evidence`, cost: 1 },
  getMinifigEvidence: { path: `${plusPrefix}/minifig/cas001/evidence`, cost: 1 },
  listEvents: { path: `${plusPrefix}/events?after=0&scope=holdings`, cost: 1 },
  streamEvents: { path: `${plusPrefix}/events/stream?after=0&scope=holdings`, cost: 1 },
  listBulkFiles: { path: `${plusPrefix}/bulk`, cost: 1 },
  getBulkFile: { path: `${plusPrefix}/bulk/files/sets`, cost: 3 },
  listBulkChanges: { path: `${plusPrefix}/bulk/changes?after=0-0&limit=2`, cost: 1 },
  getUsage: { path: `${plusPrefix}/usage`, cost: 0 },
};

/** The same as a list. */
export const everyEndpoint = Object.entries(goodRequests) as [EndpointName, GoodRequest][];

/** The text of an answer; a stream, which has no end, is left at once. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.text();
  await response.body?.cancel();
  return '';
}
