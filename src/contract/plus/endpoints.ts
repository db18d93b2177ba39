/**
 * The endpoint table of the Plus API: buying, evidence, retail history, holdings, watchlists,
 * events, webhooks, bulk files and usage.
 */
import { BatchBody } from '../catalog.ts';
import type { Endpoint } from '../endpoint.ts';
import { exactly, identifier } from '../fields.ts';
import { plusPrefix } from '../limits.ts';
import {
  EvidenceBatch,
  evidenceBatchExample,
  HistoryBatch,
  HistoryBatchBody,
  historyBatchBodyExample,
  historyBatchExample,
  MaxBuyBatch,
  MaxBuyBatchBody,
  maxBuyBatchBodyExample,
  maxBuyBatchExample,
  RetailHistoryBatch,
  RetailHistoryBatchBody,
  RetailPriceBatch,
  RetailPriceBatchBody,
  retailHistoryBatchBodyExample,
  retailHistoryBatchExample,
  retailPriceBatchBodyExample,
  retailPriceBatchExample,
} from './batches.ts';
import {
  BulkChanges,
  BulkChangesQuery,
  BulkFile,
  BulkFileParams,
  BulkFileQuery,
  BulkFiles,
  BulkFilesQuery,
  bulkChangesExample,
  bulkFilesExample,
} from './bulk.ts';
import {
  MinifigPage,
  MinifigsQuery,
  minifigPageExample,
  SetPage,
  SetsQuery,
  setPageExample,
} from './catalog-list.ts';
import {
  MinifigDailyValues,
  MinifigDaysQuery,
  minifigDailyValuesExample,
  SetDailyValues,
  SetDaysQuery,
  setDailyValuesExample,
} from './daily-values.ts';
import { DealPage, DealsQuery, dealPageExample } from './deals.ts';
import { EvaluateBody, Evaluation, evaluateBodyExample, evaluationExample } from './evaluate.ts';
import { StreamHeaders, StreamQuery, streamExample } from './event-stream.ts';
import { Event, EventPage, EventsQuery, eventPageExample } from './events.ts';
import { evidenceExample, ItemEvidence } from './evidence.ts';
import { FeeSchedules, feeSchedulesExample } from './fees.ts';
import {
  HoldingsQuery,
  HoldingsSummary,
  HoldingsSummaryQuery,
  holdingsSummaryExample,
  OwnHoldingPage,
  ownHoldingPageExample,
  RecordedSalePage,
  RecordedSalesQuery,
  recordedSalePageExample,
} from './holdings.ts';
import { MaxBuy, MaxBuyQuery, maxBuyExample } from './max-buy.ts';
import { NoticePage, NoticesQuery, noticePageExample } from './notices.ts';
import { ExchangeRates, exchangeRatesExample, RatesQuery } from './rates.ts';
import { RetailHistory, RetailHistoryQuery, retailHistoryExample } from './retail-history.ts';
import { Usage, usageExample } from './usage.ts';
import {
  Deletion,
  deletionExample,
  WatchedItem,
  WatchedItemBody,
  WatchedItemPage,
  WatchedItemParams,
  WatchedItemsQuery,
  Watchlist,
  WatchlistBody,
  WatchlistParams,
  Watchlists,
  watchedItemBodyExample,
  watchedItemExample,
  watchedItemPageExample,
  watchlistExample,
} from './watchlists.ts';
import {
  CreatedWebhook,
  createdWebhookExample,
  testDeliveryExample,
  Webhook,
  WebhookBody,
  WebhookChangeBody,
  WebhookDelivery,
  WebhookParams,
  WebhookSecret,
  Webhooks,
  webhookBodyExample,
  webhookExample,
  webhookSecretExample,
} from './webhooks.ts';

const setNumber = exactly({
  number: identifier('The set number. `75192` and `75192-1` are the same set.', '10482'),
});
const minifigNumber = exactly({ number: identifier('The minifigure number.', 'coa0007') });
const nothing = exactly({});

const usual = { prefix: plusPrefix, cost: 'one', body: null, mayMiss: false } as const;

const ownList = {
  ...usual,
  scope: 'caller',
  needs: ['portfolio'],
  tag: 'Watchlists',
} as const;

const listOnce = { ...ownList, effect: 'once' } as const;

const ownWebhook = { ...usual, scope: 'caller', needs: ['events'], tag: 'Webhooks' } as const;

/** Messages reveal holdings and watchlists, and receivers trust every signed message. */
const webhookChange = { ...ownWebhook, needs: ['events', 'portfolio'], effect: 'once' } as const;

/** Events of an account reveal its holdings and watchlists. */
const ownItems = { parameter: 'scope', except: 'all', scopes: ['portfolio'] } as const;

export const plusEndpoints = {
  listSets: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'per result',
    method: 'GET',
    path: '/sets',
    tag: 'Catalog',
    summary: 'List sets',
    description:
      'Returns sets that pass all filters, page by page: send `next` as `after`, with the same ' +
      'filters and `sort`. The same for every caller.',
    docs: 'all sets, with filters, sorted, with the fields you choose',
    params: nothing,
    query: SetsQuery,
    answer: SetPage,
    example: setPageExample,
  },
  listMinifigs: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'per result',
    method: 'GET',
    path: '/minifigs',
    tag: 'Catalog',
    summary: 'List minifigures',
    description:
      'Returns minifigures that pass all filters, page by page: send `next` as `after`, with the ' +
      'same filters and `sort`. The same for every caller.',
    docs: 'all minifigures, with filters, sorted, with the fields you choose',
    params: nothing,
    query: MinifigsQuery,
    answer: MinifigPage,
    example: minifigPageExample,
  },
  getSetDailyValues: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/set/{number}/daily-values',
    tag: 'Catalog',
    summary: "Get a set's daily values",
    description:
      'Returns one value per day since the last finalized month, which is where the history ' +
      'ends. The same for every caller.',
    docs: "a set's value on each day since the last finalized month",
    params: setNumber,
    query: SetDaysQuery,
    answer: SetDailyValues,
    example: setDailyValuesExample,
    mayMiss: true,
  },
  getMinifigDailyValues: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/minifig/{number}/daily-values',
    tag: 'Catalog',
    summary: "Get a minifigure's daily values",
    description:
      'Returns one value per day of the current month, and of the one before until the 8th. The ' +
      'same for every caller.',
    docs: "a minifigure's value on each day of the current month",
    params: minifigNumber,
    query: MinifigDaysQuery,
    answer: MinifigDailyValues,
    example: minifigDailyValuesExample,
    mayMiss: true,
  },
  getHistoryBatch: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/history/batch',
    tag: 'Catalog',
    summary: 'Get the value histories of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/history` returns of each set. A set that does not exist ' +
      'has `found: false`, and costs a call too. The same for every caller.',
    docs: 'finalized monthly values of up to 100 sets',
    params: nothing,
    query: nothing,
    body: HistoryBatchBody,
    answer: HistoryBatch,
    example: historyBatchExample,
    bodyExample: historyBatchBodyExample,
  },
  getMaxBuy: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    method: 'GET',
    path: '/max-buy',
    tag: 'Buying',
    summary: 'Get a max buy price',
    description:
      'Send either `set` or `minifig`. Tax, cashback, shipping, cost of capital and fee rates ' +
      'come from the buying settings of your account.',
    docs: 'max buy price of a set or minifigure, by channel',
    params: nothing,
    query: MaxBuyQuery,
    answer: MaxBuy,
    example: maxBuyExample,
    mayMiss: true,
  },
  getMaxBuyBatch: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/max-buy/batch',
    tag: 'Buying',
    summary: 'Get the max buy prices of up to 100 items',
    description:
      'Returns what `GET /max-buy` returns of each item. An item that does not exist has ' +
      '`found: false`, and costs a call too. The same item in two conditions counts as two ' +
      'items. Tax, cashback, shipping, cost of capital and fee rates come from the buying ' +
      'settings of your account.',
    docs: 'max buy prices of up to 100 sets and minifigures',
    params: nothing,
    query: nothing,
    body: MaxBuyBatchBody,
    answer: MaxBuyBatch,
    example: maxBuyBatchExample,
    bodyExample: maxBuyBatchBodyExample,
  },
  listDeals: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    method: 'GET',
    path: '/deals',
    tag: 'Buying',
    summary: 'List deals',
    description:
      'Returns offers at or below the max buy price, highest profit per month first. Tax, ' +
      'cashback, shipping, cost of capital and fee rates come from the buying settings of ' +
      'your account.',
    docs: 'retailer offers at or below your max buy price',
    params: nothing,
    query: DealsQuery,
    answer: DealPage,
    example: dealPageExample,
  },
  evaluateBox: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/evaluate',
    tag: 'Buying',
    summary: 'Evaluate a box',
    description:
      'Returns the value, max bid and profit of a box of sets and minifigures. An item that ' +
      'does not exist has `found: false`; the other items are still valued. The same item in ' +
      'two conditions counts as two items. Tax, cashback, shipping, cost of capital and fee ' +
      'rates come from the buying settings of your account.',
    docs: 'value, max bid and profit of a box of up to 100 sets and minifigures',
    params: nothing,
    query: nothing,
    body: EvaluateBody,
    answer: Evaluation,
    example: evaluationExample,
    bodyExample: evaluateBodyExample,
  },
  getFees: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    cost: 'free',
    method: 'GET',
    path: '/fees',
    tag: 'Buying',
    summary: 'Get fees and shipping',
    description:
      'Returns the fees of all platforms with their dates and sources, shipping, the sizes and ' +
      'fees of FBA, and the buying settings of your account. With `terms` of the evidence, max ' +
      'buy prices and box bids can be recomputed to the cent.',
    docs: 'fees, shipping and FBA sizes with dates and sources',
    params: nothing,
    query: nothing,
    answer: FeeSchedules,
    example: feeSchedulesExample,
  },
  listRates: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'free',
    method: 'GET',
    path: '/rates',
    tag: 'Buying',
    summary: 'List exchange rates',
    description:
      'Returns the stored rate of each currency on a day, or the latest before it. Brickmark ' +
      'converts amounts with rates that are at most 7 days older. The same for every caller.',
    docs: 'stored exchange rates of a day',
    params: nothing,
    query: RatesQuery,
    answer: ExchangeRates,
    example: exchangeRatesExample,
  },
  getSetEvidence: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/set/{number}/evidence',
    tag: 'Evidence',
    summary: "Get the evidence for a set's values",
    description:
      'Returns counts, reasons, and the terms of prices, never individual sales. The same for ' +
      'every caller.',
    docs: "counts, reasons and terms behind a set's values",
    params: setNumber,
    query: nothing,
    answer: ItemEvidence,
    example: evidenceExample,
    mayMiss: true,
  },
  getMinifigEvidence: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/minifig/{number}/evidence',
    tag: 'Evidence',
    summary: "Get the evidence for a minifigure's value",
    description:
      'Returns counts, reasons, and the terms of prices, never individual sales. The same for ' +
      'every caller.',
    docs: "counts, reasons and terms behind a minifigure's value",
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
  getEvidenceBatch: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/evidence/batch',
    tag: 'Evidence',
    summary: 'Get the evidence for the values of up to 100 items',
    description:
      'Returns counts and reasons of each item, never individual sales. An item that does not ' +
      'exist has `found: false`, and costs a call too. The same for every caller.',
    docs: 'counts and reasons behind the values of up to 100 sets and minifigures',
    params: nothing,
    query: nothing,
    body: BatchBody,
    answer: EvidenceBatch,
    example: evidenceBatchExample,
    bodyExample: { sets: ['10482-1', '99999'], minifigs: ['coa9999'] },
  },
  getRetailHistory: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/set/{number}/retail-history',
    tag: 'Retail',
    summary: "Get a set's retail history",
    description:
      'Returns every published change of price, seller and stock at each retailer, latest ' +
      'first, and the lowest prices of the last 30, 90 and 365 days. To get the next page, send ' +
      '`next` as `after`. Changes are kept forever. The same for every caller.',
    docs: 'published price, seller and stock changes of a set at each retailer, and its lows',
    params: setNumber,
    query: RetailHistoryQuery,
    answer: RetailHistory,
    example: retailHistoryExample,
    mayMiss: true,
  },
  getRetailHistoryBatch: {
    ...usual,
    scope: 'shared',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/retail-history/batch',
    tag: 'Retail',
    summary: 'Get the retail histories of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/retail-history` returns of each set. A set that does not ' +
      'exist has `found: false`, and costs a call too. The same for every caller.',
    docs: 'published changes at each retailer and lows of up to 100 sets',
    params: nothing,
    query: nothing,
    body: RetailHistoryBatchBody,
    answer: RetailHistoryBatch,
    example: retailHistoryBatchExample,
    bodyExample: retailHistoryBatchBodyExample,
  },
  getRetailPriceBatch: {
    ...usual,
    scope: 'caller',
    needs: ['market'],
    cost: 'per item',
    method: 'POST',
    path: '/retail-prices/batch',
    tag: 'Retail',
    summary: 'Get the retail prices of up to 100 sets',
    description:
      'Returns what `GET /set/{number}/retail-prices` of version 1 returns of each set, with ' +
      '`paid` for the sets you hold. A set that does not exist has `found: false`, and costs a ' +
      'call too.',
    docs: 'current prices at both retailers of up to 100 sets',
    params: nothing,
    query: nothing,
    body: RetailPriceBatchBody,
    answer: RetailPriceBatch,
    example: retailPriceBatchExample,
    bodyExample: retailPriceBatchBodyExample,
  },
  listHoldings: {
    ...usual,
    scope: 'caller',
    needs: ['portfolio'],
    method: 'GET',
    path: '/holdings',
    tag: 'Brickfolio',
    summary: 'List your sets and minifigures',
    description:
      'Returns your lots with units left, of sets and minifigures, in the order they were ' +
      'recorded. To get the next page, send `next` as `after`. `GET /brickfolio/entries` of ' +
      'version 1 has sets only. A `brickfolio_id` that is not yours returns 404.',
    docs: 'your holdings of sets and minifigures',
    params: nothing,
    query: HoldingsQuery,
    answer: OwnHoldingPage,
    example: ownHoldingPageExample,
    mayMiss: true,
  },
  getHoldingsSummary: {
    ...usual,
    scope: 'caller',
    needs: ['portfolio'],
    method: 'GET',
    path: '/holdings/summary',
    tag: 'Brickfolio',
    summary: 'Get the totals of your sets and minifigures',
    description:
      'Returns the totals of all holdings, of sets and of minifigures. The totals of sets are ' +
      'those of version 1. Units without a market value are counted at cost. A ' +
      '`brickfolio_id` that is not yours returns 404.',
    docs: 'totals of your holdings, of sets and of minifigures',
    params: nothing,
    query: HoldingsSummaryQuery,
    answer: HoldingsSummary,
    example: holdingsSummaryExample,
    mayMiss: true,
  },
  listRecordedSales: {
    ...usual,
    scope: 'caller',
    needs: ['sales'],
    method: 'GET',
    path: '/sales',
    tag: 'Sales',
    summary: 'List your sales of sets and minifigures',
    description:
      'Returns your recorded sales of sets and minifigures in the order they were recorded. To ' +
      'get the next page, send `next` as `after`. `GET /salesledger` of version 1 has sets only.',
    docs: 'your recorded sales of sets and minifigures',
    params: nothing,
    query: RecordedSalesQuery,
    answer: RecordedSalePage,
    example: recordedSalePageExample,
  },
  listWatchlists: {
    ...ownList,
    method: 'GET',
    path: '/watchlists',
    summary: 'List your watchlists',
    description: 'Returns your watchlists by name.',
    docs: 'your watchlists',
    params: nothing,
    query: nothing,
    answer: Watchlists,
    example: { watchlists: [watchlistExample] },
  },
  createWatchlist: {
    ...listOnce,
    method: 'POST',
    path: '/watchlists',
    summary: 'Create a watchlist',
    description:
      'Creates a watchlist and returns it. If you have one with this name, returns that one, so ' +
      'a call whose response was lost can be repeated. You can have 20.',
    docs: 'a new watchlist, or yours with this name',
    params: nothing,
    query: nothing,
    body: WatchlistBody,
    answer: Watchlist,
    example: { ...watchlistExample, item_count: 0 },
    bodyExample: { name: watchlistExample.name },
  },
  renameWatchlist: {
    ...listOnce,
    method: 'PUT',
    path: '/watchlists/{list}',
    summary: 'Rename a watchlist',
    description: 'Gives one of your watchlists another name, and returns it.',
    docs: 'a watchlist with its new name',
    params: WatchlistParams,
    query: nothing,
    body: WatchlistBody,
    answer: Watchlist,
    example: watchlistExample,
    bodyExample: { name: watchlistExample.name },
    mayMiss: true,
  },
  saveWatchedItem: {
    ...listOnce,
    method: 'PUT',
    path: '/watchlists/{list}/items/{item_type}/{number}',
    summary: 'Add or change an item of a watchlist',
    description:
      'Puts a set or minifigure on your watchlist with this target price and note, and returns ' +
      'it. If it is on the list, both are replaced. As on the site, alerts that it matches ' +
      'already are not sent. You can watch 5,000 items.',
    docs: 'an item of a watchlist, added or changed',
    params: WatchedItemParams,
    query: nothing,
    body: WatchedItemBody,
    answer: WatchedItem,
    example: watchedItemExample,
    bodyExample: watchedItemBodyExample,
    mayMiss: true,
  },
  listWatchedItems: {
    ...ownList,
    method: 'GET',
    path: '/watchlists/{list}/items',
    summary: 'List the items of a watchlist',
    description:
      'Returns the items of your watchlist in the order they were added. To get the next page, ' +
      'send `next` as `after`.',
    docs: 'the items of a watchlist, with target prices and notes',
    params: WatchlistParams,
    query: WatchedItemsQuery,
    answer: WatchedItemPage,
    example: watchedItemPageExample,
    mayMiss: true,
  },
  deleteWatchedItem: {
    ...listOnce,
    method: 'DELETE',
    path: '/watchlists/{list}/items/{item_type}/{number}',
    summary: 'Remove an item from a watchlist',
    description: 'Removes a set or minifigure from your watchlist. A second call returns 404.',
    docs: 'removes an item from a watchlist',
    params: WatchedItemParams,
    query: nothing,
    answer: Deletion,
    example: deletionExample,
    mayMiss: true,
  },
  deleteWatchlist: {
    ...listOnce,
    method: 'DELETE',
    path: '/watchlists/{list}',
    summary: 'Delete a watchlist',
    description: 'Deletes your watchlist with its items and its alerts. A second call returns 404.',
    docs: 'deletes a watchlist with its items and alerts',
    params: WatchlistParams,
    query: nothing,
    answer: Deletion,
    example: deletionExample,
    mayMiss: true,
  },
  listEvents: {
    ...usual,
    scope: 'caller',
    needs: ['events'],
    alsoNeeds: ownItems,
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'List market events',
    description:
      'Returns events in the order they were published. To get the next page, send `next` ' +
      'as `after`; while `has_more` is true, call again right away. Events are kept for 90 ' +
      'days; an older `after` returns 400. With `scope`, events depend on what you hold or ' +
      'watch; otherwise they are the same for every caller.',
    docs: 'market events after a position: prices, stock, values, months, deals',
    params: nothing,
    query: EventsQuery,
    answer: EventPage,
    example: eventPageExample,
  },
  streamEvents: {
    ...usual,
    kind: 'stream',
    scope: 'caller',
    needs: ['events'],
    alsoNeeds: ownItems,
    cost: 'per hour',
    method: 'GET',
    path: '/events/stream',
    tag: 'Events',
    summary: 'Stream market events',
    description:
      'Sends events as they are published, as server-sent events over a connection that ' +
      'stays open. The `id` of each event is its position; to resume, send the last one as ' +
      '`Last-Event-ID`. Besides market events, the stream sends `position`, `stale` and ' +
      '`error` events. With `scope`, events depend on what you hold or watch; otherwise they ' +
      'are the same for every caller.',
    docs: 'market events as they are published, as server-sent events',
    params: nothing,
    query: StreamQuery,
    headers: StreamHeaders,
    answer: Event,
    example: streamExample,
  },
  listWebhooks: {
    ...ownWebhook,
    method: 'GET',
    path: '/webhooks',
    summary: 'List your webhooks',
    description: 'Returns your webhooks, oldest first, each with its state and latest message.',
    docs: 'your webhooks with their state',
    params: nothing,
    query: nothing,
    answer: Webhooks,
    example: { webhooks: [webhookExample] },
  },
  createWebhook: {
    ...webhookChange,
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'Creates a webhook and returns it with its signing secret, which no other call returns. ' +
      'If you have one with this name and URL, returns that one without the secret, so a call ' +
      'whose response was lost can be repeated; then rotate the secret. `scope` is `all` unless ' +
      'you send another. You can have 5, and change webhooks 30 times an hour.',
    docs: 'a new webhook with its signing secret',
    params: nothing,
    query: nothing,
    body: WebhookBody,
    answer: CreatedWebhook,
    example: createdWebhookExample,
    bodyExample: webhookBodyExample,
  },
  getWebhook: {
    ...ownWebhook,
    method: 'GET',
    path: '/webhooks/{webhook}',
    summary: 'Get a webhook',
    description: 'Returns one of your webhooks with its state and latest message.',
    docs: 'a webhook with its state',
    params: WebhookParams,
    query: nothing,
    answer: Webhook,
    example: webhookExample,
    mayMiss: true,
  },
  changeWebhook: {
    ...webhookChange,
    method: 'PATCH',
    path: '/webhooks/{webhook}',
    summary: 'Change, pause or resume a webhook',
    description:
      'Changes what you send, and returns the webhook; what you omit stays as it is. A new URL ' +
      'is tried at once. A webhook that is turned on continues where it stopped.',
    docs: 'a webhook with its changes: name, URL, events, on or off',
    params: WebhookParams,
    query: nothing,
    body: WebhookChangeBody,
    answer: Webhook,
    example: webhookExample,
    bodyExample: { is_on: true },
    mayMiss: true,
  },
  testWebhook: {
    ...webhookChange,
    effect: 'each time',
    method: 'POST',
    path: '/webhooks/{webhook}/test',
    summary: 'Send a test to a webhook',
    description:
      'Sends a message of the type `test`, even if the webhook is off, waits up to 4 seconds for ' +
      'the response of your server, and returns both. Each call sends a message; at most 10 in ' +
      '15 minutes.',
    docs: 'a test message, and how your server responded',
    params: WebhookParams,
    query: nothing,
    answer: WebhookDelivery,
    example: testDeliveryExample,
    mayMiss: true,
  },
  rotateWebhookSecret: {
    ...webhookChange,
    effect: 'each time',
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Replaces the signing secret of your webhook and returns the new one. For 24 hours, ' +
      'messages are also signed with the old one. Each call makes a new secret.',
    docs: 'a new signing secret',
    params: WebhookParams,
    query: nothing,
    answer: WebhookSecret,
    example: webhookSecretExample,
    mayMiss: true,
  },
  deleteWebhook: {
    ...webhookChange,
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    summary: 'Delete a webhook',
    description:
      'Deletes your webhook with its secret and messages, and removes it from alerts. A second ' +
      'call returns 404.',
    docs: 'deletes a webhook',
    params: WebhookParams,
    query: nothing,
    answer: Deletion,
    example: deletionExample,
    mayMiss: true,
  },
  listNotices: {
    ...usual,
    scope: 'caller',
    needs: ['events'],
    method: 'GET',
    path: '/notices',
    tag: 'Webhooks',
    summary: 'List notices about your account',
    description:
      'Returns notices about your keys, and about bulk files if the operator offers them, oldest ' +
      'first. To get the next page, or later only what is new, send `next` as `after`. Notices ' +
      'are kept for 90 days.',
    docs: 'notices about your account: allowance used, key expires, bulk files ready',
    params: nothing,
    query: NoticesQuery,
    answer: NoticePage,
    example: noticePageExample,
  },
  listBulkFiles: {
    ...usual,
    mayBeOff: true,
    scope: 'shared',
    needs: ['market'],
    method: 'GET',
    path: '/bulk',
    tag: 'Bulk',
    summary: 'List bulk files',
    description:
      'Returns the latest daily files with all published data, in one format. 404 at no cost ' +
      'if the operator does not offer bulk files. The same for every caller.',
    docs: 'daily files with all sets, minifigures, months and retail prices',
    params: nothing,
    query: BulkFilesQuery,
    answer: BulkFiles,
    example: bulkFilesExample,
  },
  getBulkFile: {
    ...usual,
    mayBeOff: true,
    scope: 'shared',
    needs: ['market'],
    cost: 'per file',
    kind: 'file',
    method: 'GET',
    path: '/bulk/files/{type}',
    tag: 'Bulk',
    summary: 'Download a bulk file',
    description:
      'Returns a file with all documents of a type. `Range` requests are supported and cost ' +
      'the same. 404 at no cost if the file does not exist or the operator does not offer ' +
      'bulk files. The same for every caller.',
    docs: 'one bulk file: gzipped JSON lines, gzipped CSV, or Parquet',
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
    needs: ['market'],
    method: 'GET',
    path: '/bulk/changes',
    tag: 'Bulk',
    summary: 'List changes since a bulk file',
    description:
      'Returns documents changed or deleted after a position. Load a file and start from ' +
      'its `position`, then send `next` as `after`. 404 at no cost if the operator does not ' +
      'offer bulk files. The same for every caller.',
    docs: 'documents changed or deleted after a position',
    params: nothing,
    query: BulkChangesQuery,
    answer: BulkChanges,
    example: bulkChangesExample,
  },
  getUsage: {
    ...usual,
    scope: 'caller',
    needs: [],
    cost: 'free',
    method: 'GET',
    path: '/usage',
    tag: 'Usage',
    summary: "Get your key's usage",
    description: 'Returns the calls your key has used today and on each of the last 30 days.',
    docs: 'calls your key has used today and on each of the last 30 days',
    params: nothing,
    query: nothing,
    answer: Usage,
    example: usageExample,
  },
} as const satisfies Record<string, Endpoint>;
