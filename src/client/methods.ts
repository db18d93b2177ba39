/** A method for every endpoint that answers JSON. Made from the contract by `npm run docs`. */
import { type Pages, pagesByCursor, pagesByOffset, pagesByPosition } from './paging.ts';
import { type CallOptions, pathOf, type Transport } from './transport.ts';
import type * as Api from './types.ts';

/** The calls of `/api/v1`. */
export class ApiMethods {
  constructor(protected readonly transport: Transport) {}

  /**
   * Get a set.
   * `GET /api/v1/set/{number}`. Costs 1 call.
   */
  getSet(number: string, options?: CallOptions): Promise<Api.Set> {
    return this.transport.get(pathOf`/api/v1/set/${number}`, {}, options);
  }

  /**
   * Get a minifigure.
   * `GET /api/v1/minifig/{number}`. Costs 1 call.
   */
  getMinifig(number: string, options?: CallOptions): Promise<Api.Minifig> {
    return this.transport.get(pathOf`/api/v1/minifig/${number}`, {}, options);
  }

  /**
   * Search sets.
   * `GET /api/v1/catalog/sets/search`. Costs 1 call.
   */
  searchSets(query: Api.SearchSetsQuery, options?: CallOptions): Promise<Api.SetSearchPage> {
    return this.transport.get('/api/v1/catalog/sets/search', query, options);
  }

  /**
   * Search minifigures.
   * `GET /api/v1/catalog/minifigs/search`. Costs 1 call.
   */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Promise<Api.MinifigSearchPage> {
    return this.transport.get('/api/v1/catalog/minifigs/search', query, options);
  }

  /**
   * List themes.
   * `GET /api/v1/catalog/themes`. Costs 1 call.
   */
  listThemes(options?: CallOptions): Promise<Api.ThemeList> {
    return this.transport.get('/api/v1/catalog/themes', {}, options);
  }

  /**
   * Get a batch of sets and minifigures.
   * `POST /api/v1/catalog/batch`. Costs 1 call per unique item, all or nothing.
   */
  getBatch(body: Api.BatchRequest, options?: CallOptions): Promise<Api.Batch> {
    return this.transport.post('/api/v1/catalog/batch', body, options);
  }

  /**
   * Get a set's value history.
   * `GET /api/v1/set/{number}/history`. Costs 1 call.
   */
  getSetHistory(
    number: string,
    query?: Api.GetSetHistoryQuery,
    options?: CallOptions,
  ): Promise<Api.History> {
    return this.transport.get(pathOf`/api/v1/set/${number}/history`, query, options);
  }

  /**
   * Get a set's retail prices.
   * `GET /api/v1/set/{number}/retail-prices`. Costs 1 call.
   */
  getSetRetailPrices(number: string, options?: CallOptions): Promise<Api.RetailRow | null> {
    return this.transport.get(pathOf`/api/v1/set/${number}/retail-prices`, {}, options);
  }

  /**
   * Find retail prices by set number, ASIN or barcode.
   * `GET /api/v1/retail-prices`. Costs 1 call.
   */
  findRetailPrices(
    query: Api.FindRetailPricesQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow | null> {
    return this.transport.get('/api/v1/retail-prices', query, options);
  }

  /**
   * List retail prices of your holdings.
   * `GET /api/v1/brickfolio/retail-watch`. Costs 1 call.
   */
  listRetailWatch(
    query?: Api.ListRetailWatchQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow[]> {
    return this.transport.get('/api/v1/brickfolio/retail-watch', query, options);
  }

  /**
   * List your collections.
   * `GET /api/v1/brickfolio`. Costs 1 call.
   */
  listBrickfolios(options?: CallOptions): Promise<Api.BrickfolioList> {
    return this.transport.get('/api/v1/brickfolio', {}, options);
  }

  /**
   * Get portfolio analytics.
   * `GET /api/v1/brickfolio/analytics`. Costs 1 call.
   */
  getAnalytics(query?: Api.GetAnalyticsQuery, options?: CallOptions): Promise<Api.Analytics> {
    return this.transport.get('/api/v1/brickfolio/analytics', query, options);
  }

  /**
   * List your holdings.
   * `GET /api/v1/brickfolio/entries`. Costs 1 call.
   */
  listEntries(query?: Api.ListEntriesQuery, options?: CallOptions): Promise<Api.HoldingPage> {
    return this.transport.get('/api/v1/brickfolio/entries', query, options);
  }

  /**
   * List your sales.
   * `GET /api/v1/salesledger`. Costs 1 call.
   */
  listSales(query?: Api.ListSalesQuery, options?: CallOptions): Promise<Api.SalePage> {
    return this.transport.get('/api/v1/salesledger', query, options);
  }
}

/** The lists of `/api/v1`, from their first element to the last. */
export class ApiLists {
  readonly #methods: ApiMethods;

  constructor(methods: ApiMethods) {
    this.#methods = methods;
  }

  /** All elements of `searchSets`, page by page. Each page costs 1 call. */
  searchSets(
    query: Api.SearchSetsQuery,
    options?: CallOptions,
  ): Pages<Api.SetSearchPage, Api.SetSearchResult> {
    const start = { limit: 250, ...query };
    return pagesByOffset('results', start, (at) => this.#methods.searchSets(at, options));
  }

  /** All elements of `searchMinifigs`, page by page. Each page costs 1 call. */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Pages<Api.MinifigSearchPage, Api.MinifigSearchResult> {
    const start = { limit: 250, ...query };
    return pagesByOffset('results', start, (at) => this.#methods.searchMinifigs(at, options));
  }

  /** All elements of `listEntries`, page by page. Each page costs 1 call. */
  listEntries(
    query?: Api.ListEntriesQuery,
    options?: CallOptions,
  ): Pages<Api.HoldingPage, Api.Holding> {
    const start = { limit: 250, ...query };
    return pagesByOffset('entries', start, (at) => this.#methods.listEntries(at, options));
  }

  /** All elements of `listSales`, page by page. Each page costs 1 call. */
  listSales(query?: Api.ListSalesQuery, options?: CallOptions): Pages<Api.SalePage, Api.Sale> {
    const start = { limit: 250, ...query };
    return pagesByOffset('sales', start, (at) => this.#methods.listSales(at, options));
  }
}

/** The calls of `/api/plus/v1`. */
export class PlusMethods {
  constructor(protected readonly transport: Transport) {}

  /**
   * List sets.
   * `GET /api/plus/v1/sets`. Costs 1 call per item with values, else 1 per page; a 304 costs 1.
   */
  listSets(query?: Api.ListSetsQuery, options?: CallOptions): Promise<Api.SetPage> {
    return this.transport.get('/api/plus/v1/sets', query, options);
  }

  /**
   * List minifigures.
   * `GET /api/plus/v1/minifigs`. Costs 1 call per item with values, else 1 per page; a 304 costs 1.
   */
  listMinifigs(query?: Api.ListMinifigsQuery, options?: CallOptions): Promise<Api.MinifigPage> {
    return this.transport.get('/api/plus/v1/minifigs', query, options);
  }

  /**
   * Get a set's daily values.
   * `GET /api/plus/v1/set/{number}/daily-values`. Costs 1 call.
   */
  getSetDailyValues(
    number: string,
    query?: Api.GetSetDailyValuesQuery,
    options?: CallOptions,
  ): Promise<Api.SetDailyValues> {
    return this.transport.get(pathOf`/api/plus/v1/set/${number}/daily-values`, query, options);
  }

  /**
   * Get a minifigure's daily values.
   * `GET /api/plus/v1/minifig/{number}/daily-values`. Costs 1 call.
   */
  getMinifigDailyValues(
    number: string,
    query?: Api.GetMinifigDailyValuesQuery,
    options?: CallOptions,
  ): Promise<Api.MinifigDailyValues> {
    return this.transport.get(pathOf`/api/plus/v1/minifig/${number}/daily-values`, query, options);
  }

  /**
   * Get the value histories of up to 100 sets.
   * `POST /api/plus/v1/history/batch`. Costs 1 call per unique item, all or nothing.
   */
  getHistoryBatch(body: Api.HistoryBatchRequest, options?: CallOptions): Promise<Api.HistoryBatch> {
    return this.transport.post('/api/plus/v1/history/batch', body, options);
  }

  /**
   * Get a max buy price.
   * `GET /api/plus/v1/max-buy`. Costs 1 call.
   */
  getMaxBuy(query?: Api.GetMaxBuyQuery, options?: CallOptions): Promise<Api.MaxBuy> {
    return this.transport.get('/api/plus/v1/max-buy', query, options);
  }

  /**
   * Get the max buy prices of up to 100 items.
   * `POST /api/plus/v1/max-buy/batch`. Costs 1 call per unique item, all or nothing.
   */
  getMaxBuyBatch(body: Api.MaxBuyBatchRequest, options?: CallOptions): Promise<Api.MaxBuyBatch> {
    return this.transport.post('/api/plus/v1/max-buy/batch', body, options);
  }

  /**
   * List deals.
   * `GET /api/plus/v1/deals`. Costs 1 call.
   */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Promise<Api.DealPage> {
    return this.transport.get('/api/plus/v1/deals', query, options);
  }

  /**
   * Evaluate a box.
   * `POST /api/plus/v1/evaluate`. Costs 1 call per unique item, all or nothing.
   */
  evaluateBox(body: Api.EvaluateRequest, options?: CallOptions): Promise<Api.Evaluation> {
    return this.transport.post('/api/plus/v1/evaluate', body, options);
  }

  /**
   * Get fees and shipping.
   * `GET /api/plus/v1/fees`. Free, even when the allowance is used up.
   */
  getFees(options?: CallOptions): Promise<Api.FeeSchedules> {
    return this.transport.get('/api/plus/v1/fees', {}, options);
  }

  /**
   * List exchange rates.
   * `GET /api/plus/v1/rates`. Free, even when the allowance is used up.
   */
  listRates(query?: Api.ListRatesQuery, options?: CallOptions): Promise<Api.ExchangeRates> {
    return this.transport.get('/api/plus/v1/rates', query, options);
  }

  /**
   * Get the evidence for a set's values.
   * `GET /api/plus/v1/set/{number}/evidence`. Costs 1 call.
   */
  getSetEvidence(number: string, options?: CallOptions): Promise<Api.Evidence> {
    return this.transport.get(pathOf`/api/plus/v1/set/${number}/evidence`, {}, options);
  }

  /**
   * Get the evidence for a minifigure's value.
   * `GET /api/plus/v1/minifig/{number}/evidence`. Costs 1 call.
   */
  getMinifigEvidence(number: string, options?: CallOptions): Promise<Api.Evidence> {
    return this.transport.get(pathOf`/api/plus/v1/minifig/${number}/evidence`, {}, options);
  }

  /**
   * Get the evidence for the values of up to 100 items.
   * `POST /api/plus/v1/evidence/batch`. Costs 1 call per unique item, all or nothing.
   */
  getEvidenceBatch(body: Api.BatchRequest, options?: CallOptions): Promise<Api.EvidenceBatch> {
    return this.transport.post('/api/plus/v1/evidence/batch', body, options);
  }

  /**
   * Get a set's retail history.
   * `GET /api/plus/v1/set/{number}/retail-history`. Costs 1 call.
   */
  getRetailHistory(
    number: string,
    query?: Api.GetRetailHistoryQuery,
    options?: CallOptions,
  ): Promise<Api.RetailHistory> {
    return this.transport.get(pathOf`/api/plus/v1/set/${number}/retail-history`, query, options);
  }

  /**
   * Get the retail histories of up to 100 sets.
   * `POST /api/plus/v1/retail-history/batch`. Costs 1 call per unique item, all or nothing.
   */
  getRetailHistoryBatch(
    body: Api.RetailHistoryBatchRequest,
    options?: CallOptions,
  ): Promise<Api.RetailHistoryBatch> {
    return this.transport.post('/api/plus/v1/retail-history/batch', body, options);
  }

  /**
   * Get the retail prices of up to 100 sets.
   * `POST /api/plus/v1/retail-prices/batch`. Costs 1 call per unique item, all or nothing.
   */
  getRetailPriceBatch(
    body: Api.RetailPriceBatchRequest,
    options?: CallOptions,
  ): Promise<Api.RetailPriceBatch> {
    return this.transport.post('/api/plus/v1/retail-prices/batch', body, options);
  }

  /**
   * List your sets and minifigures.
   * `GET /api/plus/v1/holdings`. Costs 1 call.
   */
  listHoldings(query?: Api.ListHoldingsQuery, options?: CallOptions): Promise<Api.OwnHoldingPage> {
    return this.transport.get('/api/plus/v1/holdings', query, options);
  }

  /**
   * Get the totals of your sets and minifigures.
   * `GET /api/plus/v1/holdings/summary`. Costs 1 call.
   */
  getHoldingsSummary(
    query?: Api.GetHoldingsSummaryQuery,
    options?: CallOptions,
  ): Promise<Api.HoldingsSummary> {
    return this.transport.get('/api/plus/v1/holdings/summary', query, options);
  }

  /**
   * List your sales of sets and minifigures.
   * `GET /api/plus/v1/sales`. Costs 1 call.
   */
  listRecordedSales(
    query?: Api.ListRecordedSalesQuery,
    options?: CallOptions,
  ): Promise<Api.RecordedSalePage> {
    return this.transport.get('/api/plus/v1/sales', query, options);
  }

  /**
   * List your watchlists.
   * `GET /api/plus/v1/watchlists`. Costs 1 call.
   */
  listWatchlists(options?: CallOptions): Promise<Api.WatchlistList> {
    return this.transport.get('/api/plus/v1/watchlists', {}, options);
  }

  /**
   * Create a watchlist.
   * `POST /api/plus/v1/watchlists`. Costs 1 call.
   */
  createWatchlist(body: Api.WatchlistRequest, options?: CallOptions): Promise<Api.Watchlist> {
    return this.transport.post('/api/plus/v1/watchlists', body, options);
  }

  /**
   * Rename a watchlist.
   * `PUT /api/plus/v1/watchlists/{list}`. Costs 1 call.
   */
  renameWatchlist(
    list: number,
    body: Api.WatchlistRequest,
    options?: CallOptions,
  ): Promise<Api.Watchlist> {
    return this.transport.put(pathOf`/api/plus/v1/watchlists/${list}`, body, options);
  }

  /**
   * Add or change an item of a watchlist.
   * `PUT /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.
   */
  saveWatchedItem(
    list: number,
    item_type: 'set' | 'minifig',
    number: string,
    body: Api.WatchedItemRequest,
    options?: CallOptions,
  ): Promise<Api.WatchedItem> {
    return this.transport.put(
      pathOf`/api/plus/v1/watchlists/${list}/items/${item_type}/${number}`,
      body,
      options,
    );
  }

  /**
   * List the items of a watchlist.
   * `GET /api/plus/v1/watchlists/{list}/items`. Costs 1 call.
   */
  listWatchedItems(
    list: number,
    query?: Api.ListWatchedItemsQuery,
    options?: CallOptions,
  ): Promise<Api.WatchedItemPage> {
    return this.transport.get(pathOf`/api/plus/v1/watchlists/${list}/items`, query, options);
  }

  /**
   * Remove an item from a watchlist.
   * `DELETE /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.
   */
  deleteWatchedItem(
    list: number,
    item_type: 'set' | 'minifig',
    number: string,
    options?: CallOptions,
  ): Promise<Api.Deletion> {
    return this.transport.delete(
      pathOf`/api/plus/v1/watchlists/${list}/items/${item_type}/${number}`,
      {},
      options,
    );
  }

  /**
   * Delete a watchlist.
   * `DELETE /api/plus/v1/watchlists/{list}`. Costs 1 call.
   */
  deleteWatchlist(list: number, options?: CallOptions): Promise<Api.Deletion> {
    return this.transport.delete(pathOf`/api/plus/v1/watchlists/${list}`, {}, options);
  }

  /**
   * List market events.
   * `GET /api/plus/v1/events`. Costs 1 call.
   */
  listEvents(query?: Api.ListEventsQuery, options?: CallOptions): Promise<Api.EventPage> {
    return this.transport.get('/api/plus/v1/events', query, options);
  }

  /**
   * List your webhooks.
   * `GET /api/plus/v1/webhooks`. Costs 1 call.
   */
  listWebhooks(options?: CallOptions): Promise<Api.WebhookList> {
    return this.transport.get('/api/plus/v1/webhooks', {}, options);
  }

  /**
   * Create a webhook.
   * `POST /api/plus/v1/webhooks`. Costs 1 call.
   */
  createWebhook(body: Api.WebhookRequest, options?: CallOptions): Promise<Api.CreatedWebhook> {
    return this.transport.post('/api/plus/v1/webhooks', body, options);
  }

  /**
   * Get a webhook.
   * `GET /api/plus/v1/webhooks/{webhook}`. Costs 1 call.
   */
  getWebhook(webhook: number, options?: CallOptions): Promise<Api.Webhook> {
    return this.transport.get(pathOf`/api/plus/v1/webhooks/${webhook}`, {}, options);
  }

  /**
   * Change, pause or resume a webhook.
   * `PATCH /api/plus/v1/webhooks/{webhook}`. Costs 1 call.
   */
  changeWebhook(
    webhook: number,
    body: Api.WebhookChangeRequest,
    options?: CallOptions,
  ): Promise<Api.Webhook> {
    return this.transport.patch(pathOf`/api/plus/v1/webhooks/${webhook}`, body, options);
  }

  /**
   * Send a test to a webhook.
   * `POST /api/plus/v1/webhooks/{webhook}/test`. Costs 1 call.
   */
  testWebhook(webhook: number, options?: CallOptions): Promise<Api.WebhookDelivery> {
    return this.transport.postOnce(pathOf`/api/plus/v1/webhooks/${webhook}/test`, {}, options);
  }

  /**
   * Rotate the secret of a webhook.
   * `POST /api/plus/v1/webhooks/{webhook}/secret`. Costs 1 call.
   */
  rotateWebhookSecret(webhook: number, options?: CallOptions): Promise<Api.WebhookSecret> {
    return this.transport.postOnce(pathOf`/api/plus/v1/webhooks/${webhook}/secret`, {}, options);
  }

  /**
   * Delete a webhook.
   * `DELETE /api/plus/v1/webhooks/{webhook}`. Costs 1 call.
   */
  deleteWebhook(webhook: number, options?: CallOptions): Promise<Api.Deletion> {
    return this.transport.delete(pathOf`/api/plus/v1/webhooks/${webhook}`, {}, options);
  }

  /**
   * List notices about your account.
   * `GET /api/plus/v1/notices`. Costs 1 call.
   */
  listNotices(query?: Api.ListNoticesQuery, options?: CallOptions): Promise<Api.NoticePage> {
    return this.transport.get('/api/plus/v1/notices', query, options);
  }

  /**
   * List bulk files.
   * `GET /api/plus/v1/bulk`. Costs 1 call.
   */
  listBulkFiles(query?: Api.ListBulkFilesQuery, options?: CallOptions): Promise<Api.BulkFileList> {
    return this.transport.get('/api/plus/v1/bulk', query, options);
  }

  /**
   * List changes since a bulk file.
   * `GET /api/plus/v1/bulk/changes`. Costs 1 call.
   */
  listBulkChanges(
    query?: Api.ListBulkChangesQuery,
    options?: CallOptions,
  ): Promise<Api.BulkChangePage> {
    return this.transport.get('/api/plus/v1/bulk/changes', query, options);
  }

  /**
   * Get your key's usage.
   * `GET /api/plus/v1/usage`. Free, even when the allowance is used up.
   */
  getUsage(options?: CallOptions): Promise<Api.Usage> {
    return this.transport.get('/api/plus/v1/usage', {}, options);
  }
}

/** The lists of `/api/plus/v1`, from their first element to the last. */
export class PlusLists {
  readonly #methods: PlusMethods;

  constructor(methods: PlusMethods) {
    this.#methods = methods;
  }

  /**
   * All elements of `listSets`, page by page.
   * Costs 1 call per item with values, else 1 per page; a 304 costs 1.
   */
  listSets(query?: Api.ListSetsQuery, options?: CallOptions): Pages<Api.SetPage, Api.ListedSet> {
    const start = { limit: 250, ...query };
    return pagesByCursor('sets', start, (at) => this.#methods.listSets(at, options));
  }

  /**
   * All elements of `listMinifigs`, page by page.
   * Costs 1 call per item with values, else 1 per page; a 304 costs 1.
   */
  listMinifigs(
    query?: Api.ListMinifigsQuery,
    options?: CallOptions,
  ): Pages<Api.MinifigPage, Api.ListedMinifig> {
    const start = { limit: 250, ...query };
    return pagesByCursor('minifigs', start, (at) => this.#methods.listMinifigs(at, options));
  }

  /** All elements of `listDeals`, page by page. Each page costs 1 call. */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Pages<Api.DealPage, Api.Deal> {
    const start = { limit: 250, ...query };
    return pagesByOffset('deals', start, (at) => this.#methods.listDeals(at, options));
  }

  /** All elements of `listHoldings`, page by page. Each page costs 1 call. */
  listHoldings(
    query: Api.ListHoldingsQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.OwnHoldingPage, Api.OwnHolding> {
    const start = { limit: 250, ...query };
    return pagesByPosition('holdings', start, (at) => this.#methods.listHoldings(at, options));
  }

  /** All elements of `listRecordedSales`, page by page. Each page costs 1 call. */
  listRecordedSales(
    query: Api.ListRecordedSalesQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.RecordedSalePage, Api.RecordedSale> {
    const start = { limit: 250, ...query };
    return pagesByPosition('sales', start, (at) => this.#methods.listRecordedSales(at, options));
  }

  /** All elements of `listEvents`, page by page. Each page costs 1 call. */
  listEvents(
    query: Api.ListEventsQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.EventPage, Api.MarketEvent> {
    const start = { limit: 250, ...query };
    return pagesByPosition('events', start, (at) => this.#methods.listEvents(at, options));
  }

  /** All elements of `listNotices`, page by page. Each page costs 1 call. */
  listNotices(
    query: Api.ListNoticesQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.NoticePage, Api.AccountNotice> {
    const start = { limit: 250, ...query };
    return pagesByPosition('notices', start, (at) => this.#methods.listNotices(at, options));
  }

  /** All elements of `listBulkChanges`, page by page. Each page costs 1 call. */
  listBulkChanges(
    query: Api.ListBulkChangesQuery & { readonly after: string },
    options?: CallOptions,
  ): Pages<Api.BulkChangePage, Api.BulkChangePage['changes'][number]> {
    const start = { limit: 1000, ...query };
    return pagesByPosition('changes', start, (at) => this.#methods.listBulkChanges(at, options));
  }
}
