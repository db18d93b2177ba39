/** One good request per endpoint that is served, for the loops over the endpoint table. */
import type { EndpointName } from '../../src/contract/endpoints.ts';
import { batch } from './world.ts';

/** A good request: its path and what goes with it. */
export interface GoodRequest {
  readonly path: string;
  readonly init?: RequestInit;
  readonly cost: number;
}

/** Served endpoints with a request that answers 200 in the small market. */
export const goodRequests: Readonly<Partial<Record<EndpointName, GoodRequest>>> = {
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
};

/** The same as a list. */
export const servedEndpoints = Object.entries(goodRequests) as [EndpointName, GoodRequest][];
