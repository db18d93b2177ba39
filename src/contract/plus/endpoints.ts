/**
 * The endpoint table beside the contract: what Brickmark answers about buying, evidence and usage.
 * Everything that holds for the contract's rows holds for these.
 */
import type { Endpoint } from '../endpoint.ts';
import { exactly, identifier } from '../fields.ts';
import { plusPrefix } from '../limits.ts';
import { DealPage, DealsQuery, dealPageExample } from './deals.ts';
import { EvaluateBody, Evaluation, evaluateBodyExample, evaluationExample } from './evaluate.ts';
import { evidenceExample, ItemEvidence } from './evidence.ts';
import { MaxBuy, MaxBuyQuery, maxBuyExample } from './max-buy.ts';
import { Usage, usageExample } from './usage.ts';

const setNumber = exactly({ number: identifier('The set number; `75192` and `75192-1` are one.') });
const minifigNumber = exactly({ number: identifier('The minifigure number.') });
const nothing = exactly({});

const usual = { prefix: plusPrefix, cost: 'one', body: null, mayMiss: false } as const;

/** All endpoints beside the contract, by the name of their operation. */
export const plusEndpoints = {
  getMaxBuy: {
    ...usual,
    scope: 'caller',
    method: 'GET',
    path: '/max-buy',
    summary: 'What may be paid for one unit',
    docs: 'what you may pay for a set or a minifigure, channel by channel',
    params: nothing,
    query: MaxBuyQuery,
    answer: MaxBuy,
    example: maxBuyExample,
    mayMiss: true,
  },
  listDeals: {
    ...usual,
    scope: 'caller',
    method: 'GET',
    path: '/deals',
    summary: 'What retailers ask less for than may be paid',
    docs: 'offers of the two retailers below what you may pay',
    params: nothing,
    query: DealsQuery,
    answer: DealPage,
    example: dealPageExample,
  },
  evaluateBox: {
    ...usual,
    scope: 'caller',
    cost: 'per item',
    method: 'POST',
    path: '/evaluate',
    summary: 'What a box of sets and minifigures is worth',
    docs: 'what a box of up to 100 sets and minifigures is worth, and what to bid for it',
    params: nothing,
    query: nothing,
    body: EvaluateBody,
    answer: Evaluation,
    example: evaluationExample,
    bodyExample: evaluateBodyExample,
  },
  getSetEvidence: {
    ...usual,
    scope: 'shared',
    method: 'GET',
    path: '/set/{number}/evidence',
    summary: "What stands behind a set's values",
    docs: 'what stands behind the values of a set: counts and reasons',
    params: setNumber,
    query: nothing,
    answer: ItemEvidence,
    example: evidenceExample,
    paramsExample: { number: '10482' },
    mayMiss: true,
  },
  getMinifigEvidence: {
    ...usual,
    scope: 'shared',
    method: 'GET',
    path: '/minifig/{number}/evidence',
    summary: "What stands behind a minifigure's value",
    docs: 'the same for a minifigure',
    params: minifigNumber,
    query: nothing,
    answer: ItemEvidence,
    example: {
      ...evidenceExample,
      item_type: 'minifig',
      number: 'coa0007',
      title: 'Lighthouse Keeper, Yellow Raincoat',
    },
    paramsExample: { number: 'coa0007' },
    mayMiss: true,
  },
  getUsage: {
    ...usual,
    scope: 'caller',
    cost: 'free',
    method: 'GET',
    path: '/usage',
    summary: 'What the key has spent',
    docs: 'what your key has spent today, and on each of the last 30 days',
    params: nothing,
    query: nothing,
    answer: Usage,
    example: usageExample,
  },
} as const satisfies Record<string, Endpoint>;
