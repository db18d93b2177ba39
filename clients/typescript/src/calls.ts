/** The calls and lists of both APIs. Made from the contract by `npm run docs`. */
import type { List } from './paging.ts';
import type { Call } from './transport.ts';

/** The calls of `/api/v1`. */
export const apiCalls: Readonly<Record<string, Call>> = {
  getSet: ['get', '/api/v1/set/{number}'],
  getMinifig: ['get', '/api/v1/minifig/{number}'],
  searchSets: ['get', '/api/v1/catalog/sets/search', 'query'],
  searchMinifigs: ['get', '/api/v1/catalog/minifigs/search', 'query'],
  listThemes: ['get', '/api/v1/catalog/themes'],
  getBatch: ['post', '/api/v1/catalog/batch', 'body'],
  getSetHistory: ['get', '/api/v1/set/{number}/history', 'query'],
  getSetRetailPrices: ['get', '/api/v1/set/{number}/retail-prices'],
  findRetailPrices: ['get', '/api/v1/retail-prices', 'query'],
  listRetailWatch: ['get', '/api/v1/brickfolio/retail-watch', 'query'],
  listBrickfolios: ['get', '/api/v1/brickfolio'],
  getAnalytics: ['get', '/api/v1/brickfolio/analytics', 'query'],
  listEntries: ['get', '/api/v1/brickfolio/entries', 'query'],
  listSales: ['get', '/api/v1/salesledger', 'query'],
};

/** The lists of `/api/v1`. */
export const apiLists: Readonly<Record<string, List>> = {
  searchSets: ['Offset', 'results', 250],
  searchMinifigs: ['Offset', 'results', 250],
  listEntries: ['Offset', 'entries', 250],
  listSales: ['Offset', 'sales', 250],
};

/** The calls of `/api/plus/v1`. */
export const plusCalls: Readonly<Record<string, Call>> = {
  listSets: ['get', '/api/plus/v1/sets', 'query'],
  listMinifigs: ['get', '/api/plus/v1/minifigs', 'query'],
  getSetDailyValues: ['get', '/api/plus/v1/set/{number}/daily-values', 'query'],
  getMinifigDailyValues: ['get', '/api/plus/v1/minifig/{number}/daily-values', 'query'],
  getHistoryBatch: ['post', '/api/plus/v1/history/batch', 'body'],
  getMaxBuy: ['get', '/api/plus/v1/max-buy', 'query'],
  getMaxBuyBatch: ['post', '/api/plus/v1/max-buy/batch', 'body'],
  getWaysToSell: ['get', '/api/plus/v1/set/{number}/ways-to-sell', 'query'],
  listDeals: ['get', '/api/plus/v1/deals', 'query'],
  evaluateBox: ['post', '/api/plus/v1/evaluate', 'body'],
  getFees: ['get', '/api/plus/v1/fees'],
  listRates: ['get', '/api/plus/v1/rates', 'query'],
  getSetEvidence: ['get', '/api/plus/v1/set/{number}/evidence'],
  getMinifigEvidence: ['get', '/api/plus/v1/minifig/{number}/evidence'],
  getEvidenceBatch: ['post', '/api/plus/v1/evidence/batch', 'body'],
  getRetailHistory: ['get', '/api/plus/v1/set/{number}/retail-history', 'query'],
  getRetailHistoryBatch: ['post', '/api/plus/v1/retail-history/batch', 'body'],
  getRetailPriceBatch: ['post', '/api/plus/v1/retail-prices/batch', 'body'],
  listHoldings: ['get', '/api/plus/v1/holdings', 'query'],
  getHoldingsSummary: ['get', '/api/plus/v1/holdings/summary', 'query'],
  listRecordedSales: ['get', '/api/plus/v1/sales', 'query'],
  listWatchlists: ['get', '/api/plus/v1/watchlists'],
  createWatchlist: ['post', '/api/plus/v1/watchlists', 'body'],
  renameWatchlist: ['put', '/api/plus/v1/watchlists/{list}', 'body'],
  saveWatchedItem: ['put', '/api/plus/v1/watchlists/{list}/items/{item_type}/{number}', 'body'],
  listWatchedItems: ['get', '/api/plus/v1/watchlists/{list}/items', 'query'],
  deleteWatchedItem: ['delete', '/api/plus/v1/watchlists/{list}/items/{item_type}/{number}'],
  deleteWatchlist: ['delete', '/api/plus/v1/watchlists/{list}'],
  listEvents: ['get', '/api/plus/v1/events', 'query'],
  listWebhooks: ['get', '/api/plus/v1/webhooks'],
  createWebhook: ['post', '/api/plus/v1/webhooks', 'body'],
  getWebhook: ['get', '/api/plus/v1/webhooks/{webhook}'],
  changeWebhook: ['patch', '/api/plus/v1/webhooks/{webhook}', 'body'],
  testWebhook: ['postOnce', '/api/plus/v1/webhooks/{webhook}/test'],
  rotateWebhookSecret: ['postOnce', '/api/plus/v1/webhooks/{webhook}/secret'],
  deleteWebhook: ['delete', '/api/plus/v1/webhooks/{webhook}'],
  listNotices: ['get', '/api/plus/v1/notices', 'query'],
  listBulkFiles: ['get', '/api/plus/v1/bulk', 'query'],
  listBulkChanges: ['get', '/api/plus/v1/bulk/changes', 'query'],
  getUsage: ['get', '/api/plus/v1/usage'],
};

/** The lists of `/api/plus/v1`. */
export const plusLists: Readonly<Record<string, List>> = {
  listSets: ['Cursor', 'sets', 250],
  listMinifigs: ['Cursor', 'minifigs', 250],
  listDeals: ['Offset', 'deals', 250],
  listHoldings: ['Position', 'holdings', 250],
  listRecordedSales: ['Position', 'sales', 250],
  listEvents: ['Position', 'events', 250],
  listNotices: ['Position', 'notices', 250],
  listBulkChanges: ['Position', 'changes', 1000],
};
