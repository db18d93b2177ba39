/** Holdings and sales of the caller, of sets and minifigures. */
import type { Endpoint } from '../../endpoint.ts';
import * as holdings from '../holdings.ts';
import { usual } from './usual.ts';

const row = { ...usual, scope: 'caller', needs: ['portfolio'], tag: 'Brickfolio' } as const;

export const portfolioEndpoints = {
  listHoldings: {
    ...row,
    path: '/holdings',
    summary: 'List your sets and minifigures',
    description:
      'Returns your lots with units left, of sets and minifigures, in the order they were ' +
      'recorded. To get the next page, send `next` as `after`. `GET /brickfolio/entries` of ' +
      'version 1 has sets only. A `brickfolio_id` that is not yours returns 404.',
    docs: 'your holdings of sets and minifigures',
    query: holdings.HoldingsQuery,
    answer: holdings.OwnHoldingPage,
    example: holdings.ownHoldingPageExample,
    mayMiss: true,
  },
  getHoldingsSummary: {
    ...row,
    path: '/holdings/summary',
    summary: 'Get the totals of your sets and minifigures',
    description:
      'Returns the totals of all holdings, of sets and of minifigures. The totals of sets are ' +
      'those of version 1. Units without a market value are counted at cost. A ' +
      '`brickfolio_id` that is not yours returns 404.',
    docs: 'totals of your holdings, of sets and of minifigures',
    query: holdings.HoldingsSummaryQuery,
    answer: holdings.HoldingsSummary,
    example: holdings.holdingsSummaryExample,
    mayMiss: true,
  },
  listRecordedSales: {
    ...row,
    needs: ['sales'],
    path: '/sales',
    tag: 'Sales',
    summary: 'List your sales of sets and minifigures',
    description:
      'Returns your recorded sales of sets and minifigures in the order they were recorded. To ' +
      'get the next page, send `next` as `after`. `GET /salesledger` of version 1 has sets only, ' +
      'the latest sale first. Here, a sale that is recorded late comes last whatever its date, ' +
      'so that a program that continues from its last position gets it too.',
    docs: 'your recorded sales of sets and minifigures',
    query: holdings.RecordedSalesQuery,
    answer: holdings.RecordedSalePage,
    example: holdings.recordedSalePageExample,
  },
} as const satisfies Record<string, Endpoint>;
