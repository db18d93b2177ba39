/** Retail prices, now and in the past. */

import type { Endpoint } from '../../endpoint.ts';
import { setNumber } from '../../endpoint-parts.ts';
import * as batches from '../batches.ts';
import * as retailHistory from '../retail-history.ts';
import { shared } from './usual.ts';

const row = { ...shared, tag: 'Retail' } as const;

export const retailEndpoints = {
  getRetailHistory: {
    ...row,
    path: '/set/{number}/retail-history',
    summary: "Get a set's retail history",
    description:
      'Returns every published change of price, seller and stock at each retailer, latest ' +
      'first, and the lowest prices of the last 30, 90 and 365 days. To get the next page, send ' +
      '`next` as `after`. Changes are kept forever. The same for every caller.',
    docs: 'published price, seller and stock changes of a set at each retailer, and its lows',
    params: setNumber,
    query: retailHistory.RetailHistoryQuery,
    answer: retailHistory.RetailHistory,
    example: retailHistory.retailHistoryExample,
    mayMiss: true,
  },
  getRetailHistoryBatch: {
    ...row,
    cost: 'per item',
    method: 'POST',
    path: '/retail-history/batch',
    summary: 'Get the retail histories of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/retail-history` returns of each set. A set that does not ' +
      'exist has `found: false`, and costs a call too. The same for every caller.',
    docs: 'published changes at each retailer and lows of up to 100 sets',
    body: batches.RetailHistoryBatchBody,
    answer: batches.RetailHistoryBatch,
    example: batches.retailHistoryBatchExample,
    bodyExample: batches.retailHistoryBatchBodyExample,
  },
  getRetailPriceBatch: {
    ...row,
    scope: 'caller',
    cost: 'per item',
    method: 'POST',
    path: '/retail-prices/batch',
    summary: 'Get the retail prices of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/retail-prices` of version 1 returns of each set, with ' +
      '`paid` for the sets you hold. A set that does not exist has `found: false`, and costs a ' +
      'call too.',
    docs: 'current prices at both retailers of up to 100 sets',
    body: batches.RetailPriceBatchBody,
    answer: batches.RetailPriceBatch,
    example: batches.retailPriceBatchExample,
    bodyExample: batches.retailPriceBatchBodyExample,
  },
} as const satisfies Record<string, Endpoint>;
