/**
 * The endpoint table beside the contract: what Brickmark answers about buying, evidence and usage.
 * Everything that holds for the contract's rows holds for these.
 */
import type { Endpoint } from '../endpoint.ts';
import { exactly, identifier } from '../fields.ts';
import { plusPrefix } from '../limits.ts';
import {
  BulkChanges,
  BulkChangesQuery,
  BulkFile,
  BulkFileParams,
  BulkFileQuery,
  BulkFiles,
  bulkChangesExample,
  bulkFilesExample,
} from './bulk.ts';
import { DealPage, DealsQuery, dealPageExample } from './deals.ts';
import { EvaluateBody, Evaluation, evaluateBodyExample, evaluationExample } from './evaluate.ts';
import { StreamHeaders, StreamQuery, streamExample } from './event-stream.ts';
import { Event, EventPage, EventsQuery, eventPageExample } from './events.ts';
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
    summary: 'Max buy price of one unit',
    docs: 'max buy price of a set or a minifigure, channel by channel',
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
    summary: 'Offers of retailers below your max buy price',
    docs: 'offers of the two retailers below your max buy price',
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
    summary: "What a set's values are based on",
    docs: 'what the values of a set are based on: counts and reasons',
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
    summary: "What a minifigure's value is based on",
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
  listEvents: {
    ...usual,
    scope: 'caller',
    method: 'GET',
    path: '/events',
    summary: 'What happened in the market',
    docs: 'what changed since a position: prices, stock, values, months, deals',
    params: nothing,
    query: EventsQuery,
    answer: EventPage,
    example: eventPageExample,
  },
  streamEvents: {
    ...usual,
    kind: 'stream',
    scope: 'caller',
    cost: 'per hour',
    method: 'GET',
    path: '/events/stream',
    summary: 'The same as it happens, as server-sent events',
    docs: 'the same as it happens, as server-sent events',
    params: nothing,
    query: StreamQuery,
    headers: StreamHeaders,
    answer: Event,
    example: streamExample,
  },
  listBulkFiles: {
    ...usual,
    scope: 'shared',
    method: 'GET',
    path: '/bulk',
    summary: 'Files with everything that is published',
    docs: 'files with all sets, minifigures, months and retail prices, made once a day',
    params: nothing,
    query: nothing,
    answer: BulkFiles,
    example: bulkFilesExample,
  },
  getBulkFile: {
    ...usual,
    scope: 'shared',
    cost: 'per file',
    kind: 'file',
    method: 'GET',
    path: '/bulk/files/{type}',
    summary: 'One of the files',
    docs: 'one of the files: gzipped JSON, a document in each line',
    params: BulkFileParams,
    query: BulkFileQuery,
    answer: BulkFile,
    example: null,
    paramsExample: { type: 'sets' },
    mayMiss: true,
  },
  listBulkChanges: {
    ...usual,
    scope: 'shared',
    method: 'GET',
    path: '/bulk/changes',
    summary: 'What has changed since the files were made',
    docs: 'documents that have changed since a position, and those that are gone',
    params: nothing,
    query: BulkChangesQuery,
    answer: BulkChanges,
    example: bulkChangesExample,
  },
  getUsage: {
    ...usual,
    scope: 'caller',
    cost: 'free',
    method: 'GET',
    path: '/usage',
    summary: 'Calls of the key, today and by day',
    docs: 'calls of your key today, and on each of the last 30 days',
    params: nothing,
    query: nothing,
    answer: Usage,
    example: usageExample,
  },
} as const satisfies Record<string, Endpoint>;
