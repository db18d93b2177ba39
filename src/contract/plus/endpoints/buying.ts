/** Max buy prices, deals, box bids, and the fees and rates behind them. */
import type { Endpoint } from '../../endpoint.ts';
import { setNumber } from '../../endpoint-parts.ts';
import * as batches from '../batches.ts';
import * as deals from '../deals.ts';
import * as evaluate from '../evaluate.ts';
import * as fees from '../fees.ts';
import * as maxBuy from '../max-buy.ts';
import * as rates from '../rates.ts';
import * as ways from '../ways.ts';
import { usual } from './usual.ts';

const row = { ...usual, scope: 'caller', needs: ['market'], tag: 'Buying' } as const;

export const buyingEndpoints = {
  getMaxBuy: {
    ...row,
    path: '/max-buy',
    summary: 'Get a max buy price',
    description:
      'Send either `set` or `minifig`. Tax, cashback, shipping, cost of capital and fee rates ' +
      'come from the buying settings of your account.',
    docs: 'max buy price of a set or minifigure, by channel',
    query: maxBuy.MaxBuyQuery,
    answer: maxBuy.MaxBuy,
    example: maxBuy.maxBuyExample,
    mayMiss: true,
  },
  getMaxBuyBatch: {
    ...row,
    cost: 'per item',
    method: 'POST',
    path: '/max-buy/batch',
    summary: 'Get the max buy prices of up to 100 items',
    description:
      'Returns what `GET /max-buy` returns of each item. An item that does not exist has ' +
      '`found: false`, and costs a call too. The same item in two conditions counts as two ' +
      'items. Tax, cashback, shipping, cost of capital and fee rates come from the buying ' +
      'settings of your account.',
    docs: 'max buy prices of up to 100 sets and minifigures',
    body: batches.MaxBuyBatchBody,
    answer: batches.MaxBuyBatch,
    example: batches.maxBuyBatchExample,
    bodyExample: batches.maxBuyBatchBodyExample,
  },
  getWaysToSell: {
    ...row,
    path: '/set/{number}/ways-to-sell',
    summary: 'Compare ways to sell a set',
    description:
      'Returns what a set brings sealed, used, with its minifigures sold apart, and in parts, ' +
      'after fees, shipping and work, and how long each takes. Fee rates and the cost of work ' +
      'come from the buying settings of your account.',
    docs: 'the net of a set sold sealed, used, with its minifigures apart, or in parts',
    params: setNumber,
    query: ways.WaysQuery,
    answer: ways.WaysToSell,
    example: ways.waysExample,
    mayMiss: true,
  },
  listDeals: {
    ...row,
    path: '/deals',
    summary: 'List deals',
    description:
      'Returns offers at or below the max buy price, highest profit per month first. Tax, ' +
      'cashback, shipping, cost of capital and fee rates come from the buying settings of ' +
      'your account.',
    docs: 'retailer offers at or below your max buy price',
    query: deals.DealsQuery,
    answer: deals.DealPage,
    example: deals.dealPageExample,
  },
  evaluateBox: {
    ...row,
    cost: 'per item',
    method: 'POST',
    path: '/evaluate',
    summary: 'Evaluate a box',
    description:
      'Returns the value, max bid and profit of a box of sets and minifigures. An item that ' +
      'does not exist has `found: false`; the other items are still valued. The same item in ' +
      'two conditions counts as two items. Tax, cashback, shipping, cost of capital and fee ' +
      'rates come from the buying settings of your account.',
    docs: 'value, max bid and profit of a box of up to 100 sets and minifigures',
    body: evaluate.EvaluateBody,
    answer: evaluate.Evaluation,
    example: evaluate.evaluationExample,
    bodyExample: evaluate.evaluateBodyExample,
  },
  getFees: {
    ...row,
    cost: 'free',
    path: '/fees',
    summary: 'Get fees and shipping',
    description:
      'Returns the fees of all platforms with their dates and sources, shipping, the sizes and ' +
      'fees of FBA, and the buying settings of your account. With `terms` of the evidence, max ' +
      'buy prices and box bids can be recomputed to the cent.',
    docs: 'fees, shipping and FBA sizes with dates and sources',
    answer: fees.FeeSchedules,
    example: fees.feeSchedulesExample,
  },
  listRates: {
    ...row,
    scope: 'shared',
    cost: 'free',
    path: '/rates',
    summary: 'List exchange rates',
    description:
      'Returns the stored rate of each currency on a day, or the latest before it. Brickmark ' +
      'converts amounts with rates that are at most 7 days older. The same for every caller.',
    docs: 'stored exchange rates of a day',
    query: rates.RatesQuery,
    answer: rates.ExchangeRates,
    example: rates.exchangeRatesExample,
  },
} as const satisfies Record<string, Endpoint>;
