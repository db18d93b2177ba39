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

const setNumber = exactly({
  number: identifier('The set number. `75192` and `75192-1` are the same set.', '10482'),
});
const minifigNumber = exactly({ number: identifier('The minifigure number.', 'coa0007') });
const nothing = exactly({});

const usual = { prefix: plusPrefix, cost: 'one', body: null, mayMiss: false } as const;

/** All endpoints beside the contract, by the name of their operation. */
export const plusEndpoints = {
  getMaxBuy: {
    ...usual,
    scope: 'caller',
    method: 'GET',
    path: '/max-buy',
    tag: 'Buying',
    summary: 'Max buy price of one unit',
    description:
      'Send either `set` or `minifig`. Fees, postage and fee tables are those of your ' +
      'account.',
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
    tag: 'Buying',
    summary: 'Retailer offers at or below your max buy price',
    description:
      'Sorted by profit per month, highest first. Fees, postage and fee tables are those ' +
      'of your account.',
    docs: 'offers of the two retailers at or below your max buy price',
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
    tag: 'Buying',
    summary: 'What a box of sets and minifigures is worth',
    description:
      'Items that do not exist do not fail the call: each item has `found`. The same item ' +
      'in two conditions counts as two items. Fees, postage and fee tables are those of ' +
      'your account.',
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
    tag: 'Evidence',
    summary: "What a set's values are based on",
    description: 'Counts and reasons, never individual sales. The same for every caller.',
    docs: 'what the values of a set are based on: counts and reasons',
    params: setNumber,
    query: nothing,
    answer: ItemEvidence,
    example: evidenceExample,
    mayMiss: true,
  },
  getMinifigEvidence: {
    ...usual,
    scope: 'shared',
    method: 'GET',
    path: '/minifig/{number}/evidence',
    tag: 'Evidence',
    summary: "What a minifigure's value is based on",
    description: 'Counts and reasons, never individual sales. The same for every caller.',
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
    mayMiss: true,
  },
  listEvents: {
    ...usual,
    scope: 'caller',
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'What happened in the market',
    description:
      'In order of publication. Send `next` as `after`. While `has_more` is true, call ' +
      'again right away. Events are kept for 90 days; `after` is 400 once events after it ' +
      'have been deleted. With `scope`, events depend on what you hold or watch; otherwise ' +
      'they are the same for every caller.',
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
    tag: 'Events',
    summary: 'Events as they happen, as server-sent events',
    description:
      'The connection stays open. Each event has its position as `id`; to resume, send the ' +
      'last one as `Last-Event-ID`. Besides market events, the stream has `position`, ' +
      '`stale` and `error` events. With `scope`, events depend on what you hold or watch; ' +
      'otherwise they are the same for every caller.',
    docs: 'the same as it happens, as server-sent events',
    params: nothing,
    query: StreamQuery,
    headers: StreamHeaders,
    answer: Event,
    example: streamExample,
  },
  listBulkFiles: {
    ...usual,
    mayBeOff: true,
    scope: 'shared',
    method: 'GET',
    path: '/bulk',
    tag: 'Bulk',
    summary: 'Files with all published data',
    description:
      'Made once a day. 404, at no cost, if the operator does not offer files. The same ' +
      'for every caller.',
    docs: 'files with all sets, minifigures, months and retail prices, made once a day',
    params: nothing,
    query: nothing,
    answer: BulkFiles,
    example: bulkFilesExample,
  },
  getBulkFile: {
    ...usual,
    mayBeOff: true,
    scope: 'shared',
    cost: 'per file',
    kind: 'file',
    method: 'GET',
    path: '/bulk/files/{type}',
    tag: 'Bulk',
    summary: 'Download a file',
    description:
      'Gzipped JSON, one document per line. `Range` requests are supported, at the same ' +
      'cost. 404, at no cost, if the file does not exist or the operator does not offer ' +
      'files. The same for every caller.',
    docs: 'one of the files: gzipped JSON, one document per line',
    params: BulkFileParams,
    query: BulkFileQuery,
    answer: BulkFile,
    example: null,
    mayMiss: true,
  },
  listBulkChanges: {
    ...usual,
    mayBeOff: true,
    scope: 'shared',
    method: 'GET',
    path: '/bulk/changes',
    tag: 'Bulk',
    summary: 'Changes since the files were made',
    description:
      'Load a file, then follow changes from its `position`: send `next` as `after` in the ' +
      'next call. 404, at no cost, if the operator does not offer files. The same for ' +
      'every caller.',
    docs: 'documents that changed after a position, and those that no longer exist',
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
    tag: 'Usage',
    summary: 'Usage of your key',
    description: 'Calls that your key has used today and on each of the last 30 days.',
    docs: 'calls of your key today, and on each of the last 30 days',
    params: nothing,
    query: nothing,
    answer: Usage,
    example: usageExample,
  },
} as const satisfies Record<string, Endpoint>;
