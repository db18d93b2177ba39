/** The methods that `calls.ts` has, as types. Made from the contract by `npm run docs`. */
import type { Pages } from './paging.ts';
import type { CallOptions } from './transport.ts';
import type * as Api from './types.ts';

/** The calls of `/api/v1`. */
export interface ApiMethods {
  /** Get a set. `GET /api/v1/set/{number}`. Costs 1 call. */
  getSet(number: string, options?: CallOptions): Promise<Api.Set>;

  /** Get a minifigure. `GET /api/v1/minifig/{number}`. Costs 1 call. */
  getMinifig(number: string, options?: CallOptions): Promise<Api.Minifig>;

  /** Search sets. `GET /api/v1/catalog/sets/search`. Costs 1 call. */
  searchSets(query: Api.SearchSetsQuery, options?: CallOptions): Promise<Api.SetSearchPage>;

  /** Search minifigures. `GET /api/v1/catalog/minifigs/search`. Costs 1 call. */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Promise<Api.MinifigSearchPage>;

  /** List themes. `GET /api/v1/catalog/themes`. Costs 1 call. */
  listThemes(options?: CallOptions): Promise<Api.ThemeList>;

  /**
   * Get a batch of sets and minifigures. `POST /api/v1/catalog/batch`. Costs 1 call per unique
   * item. More than 100 are sent as several requests, one after the other, and returned as one
   * batch.
   */
  getBatch(body: Api.BatchRequest, options?: CallOptions): Promise<Api.Batch>;

  /** Get a set's value history. `GET /api/v1/set/{number}/history`. Costs 1 call. */
  getSetHistory(
    number: string,
    query?: Api.GetSetHistoryQuery,
    options?: CallOptions,
  ): Promise<Api.History>;

  /** Get a set's retail prices. `GET /api/v1/set/{number}/retail-prices`. Costs 1 call. */
  getSetRetailPrices(number: string, options?: CallOptions): Promise<Api.RetailRow | null>;

  /**
   * Find retail prices by set number, ASIN or barcode. `GET /api/v1/retail-prices`. Costs 1 call.
   */
  findRetailPrices(
    query: Api.FindRetailPricesQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow | null>;

  /** List retail prices of your holdings. `GET /api/v1/brickfolio/retail-watch`. Costs 1 call. */
  listRetailWatch(
    query?: Api.ListRetailWatchQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow[]>;

  /** List your collections. `GET /api/v1/brickfolio`. Costs 1 call. */
  listBrickfolios(options?: CallOptions): Promise<Api.BrickfolioList>;

  /** Get portfolio analytics. `GET /api/v1/brickfolio/analytics`. Costs 1 call. */
  getAnalytics(query?: Api.GetAnalyticsQuery, options?: CallOptions): Promise<Api.Analytics>;

  /** List your holdings. `GET /api/v1/brickfolio/entries`. Costs 1 call. */
  listEntries(query?: Api.ListEntriesQuery, options?: CallOptions): Promise<Api.HoldingPage>;

  /** List your sales. `GET /api/v1/salesledger`. Costs 1 call. */
  listSales(query?: Api.ListSalesQuery, options?: CallOptions): Promise<Api.SalePage>;
}

/** The lists of `/api/v1`, from their first element to the last. */
export interface ApiLists {
  /** All elements of `searchSets`, page by page. Each page costs 1 call. */
  searchSets(
    query: Api.SearchSetsQuery,
    options?: CallOptions,
  ): Pages<Api.SetSearchPage, Api.SetSearchResult>;

  /** All elements of `searchMinifigs`, page by page. Each page costs 1 call. */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Pages<Api.MinifigSearchPage, Api.MinifigSearchResult>;

  /** All elements of `listEntries`, page by page. Each page costs 1 call. */
  listEntries(
    query?: Api.ListEntriesQuery,
    options?: CallOptions,
  ): Pages<Api.HoldingPage, Api.Holding>;

  /** All elements of `listSales`, page by page. Each page costs 1 call. */
  listSales(query?: Api.ListSalesQuery, options?: CallOptions): Pages<Api.SalePage, Api.Sale>;
}

/** The calls of `/api/plus/v1`. */
export interface PlusMethods {
  /**
   * List sets. `GET /api/plus/v1/sets`. Costs 1 call per item with values or list prices, else 1
   * per page; a 304 costs 1.
   */
  listSets(query?: Api.ListSetsQuery, options?: CallOptions): Promise<Api.SetPage>;

  /**
   * List minifigures. `GET /api/plus/v1/minifigs`. Costs 1 call per item with values or list
   * prices, else 1 per page; a 304 costs 1.
   */
  listMinifigs(query?: Api.ListMinifigsQuery, options?: CallOptions): Promise<Api.MinifigPage>;

  /** Get a set's daily values. `GET /api/plus/v1/set/{number}/daily-values`. Costs 1 call. */
  getSetDailyValues(
    number: string,
    query?: Api.GetSetDailyValuesQuery,
    options?: CallOptions,
  ): Promise<Api.SetDailyValues>;

  /**
   * Get a minifigure's daily values. `GET /api/plus/v1/minifig/{number}/daily-values`. Costs 1
   * call.
   */
  getMinifigDailyValues(
    number: string,
    query?: Api.GetMinifigDailyValuesQuery,
    options?: CallOptions,
  ): Promise<Api.MinifigDailyValues>;

  /**
   * Get the value histories of up to 100 sets. `POST /api/plus/v1/history/batch`. Costs 1 call per
   * unique item. More than 100 are sent as several requests, one after the other, and returned as
   * one batch.
   */
  getHistoryBatch(body: Api.HistoryBatchRequest, options?: CallOptions): Promise<Api.HistoryBatch>;

  /** Get a max buy price. `GET /api/plus/v1/max-buy`. Costs 1 call. */
  getMaxBuy(query?: Api.GetMaxBuyQuery, options?: CallOptions): Promise<Api.MaxBuy>;

  /**
   * Get the max buy prices of up to 100 items. `POST /api/plus/v1/max-buy/batch`. Costs 1 call per
   * unique item. More than 100 are sent as several requests, one after the other, and returned as
   * one batch.
   */
  getMaxBuyBatch(body: Api.MaxBuyBatchRequest, options?: CallOptions): Promise<Api.MaxBuyBatch>;

  /** Compare ways to sell a set. `GET /api/plus/v1/set/{number}/ways-to-sell`. Costs 1 call. */
  getWaysToSell(
    number: string,
    query?: Api.GetWaysToSellQuery,
    options?: CallOptions,
  ): Promise<Api.WaysToSell>;

  /** List deals. `GET /api/plus/v1/deals`. Costs 1 call. */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Promise<Api.DealPage>;

  /** Evaluate a box. `POST /api/plus/v1/evaluate`. Costs 1 call per unique item, all or nothing. */
  evaluateBox(body: Api.EvaluateRequest, options?: CallOptions): Promise<Api.Evaluation>;

  /** Get fees and shipping. `GET /api/plus/v1/fees`. Free, even when the allowance is used up. */
  getFees(options?: CallOptions): Promise<Api.FeeSchedules>;

  /** List exchange rates. `GET /api/plus/v1/rates`. Free, even when the allowance is used up. */
  listRates(query?: Api.ListRatesQuery, options?: CallOptions): Promise<Api.ExchangeRates>;

  /**
   * Get the evidence for a set's values. `GET /api/plus/v1/set/{number}/evidence`. Costs 1 call.
   */
  getSetEvidence(number: string, options?: CallOptions): Promise<Api.Evidence>;

  /**
   * Get the evidence for a minifigure's value. `GET /api/plus/v1/minifig/{number}/evidence`. Costs
   * 1 call.
   */
  getMinifigEvidence(number: string, options?: CallOptions): Promise<Api.Evidence>;

  /**
   * Get the evidence for the values of up to 100 items. `POST /api/plus/v1/evidence/batch`. Costs 1
   * call per unique item. More than 100 are sent as several requests, one after the other, and
   * returned as one batch.
   */
  getEvidenceBatch(body: Api.BatchRequest, options?: CallOptions): Promise<Api.EvidenceBatch>;

  /** Get a set's retail history. `GET /api/plus/v1/set/{number}/retail-history`. Costs 1 call. */
  getRetailHistory(
    number: string,
    query?: Api.GetRetailHistoryQuery,
    options?: CallOptions,
  ): Promise<Api.RetailHistory>;

  /**
   * Get the retail histories of up to 100 sets. `POST /api/plus/v1/retail-history/batch`. Costs 1
   * call per unique item. More than 100 are sent as several requests, one after the other, and
   * returned as one batch.
   */
  getRetailHistoryBatch(
    body: Api.RetailHistoryBatchRequest,
    options?: CallOptions,
  ): Promise<Api.RetailHistoryBatch>;

  /**
   * Get the retail prices of up to 100 sets. `POST /api/plus/v1/retail-prices/batch`. Costs 1 call
   * per unique item. More than 100 are sent as several requests, one after the other, and returned
   * as one batch.
   */
  getRetailPriceBatch(
    body: Api.RetailPriceBatchRequest,
    options?: CallOptions,
  ): Promise<Api.RetailPriceBatch>;

  /** List your sets and minifigures. `GET /api/plus/v1/holdings`. Costs 1 call. */
  listHoldings(query?: Api.ListHoldingsQuery, options?: CallOptions): Promise<Api.OwnHoldingPage>;

  /**
   * Get the totals of your sets and minifigures. `GET /api/plus/v1/holdings/summary`. Costs 1 call.
   */
  getHoldingsSummary(
    query?: Api.GetHoldingsSummaryQuery,
    options?: CallOptions,
  ): Promise<Api.HoldingsSummary>;

  /** List your sales of sets and minifigures. `GET /api/plus/v1/sales`. Costs 1 call. */
  listRecordedSales(
    query?: Api.ListRecordedSalesQuery,
    options?: CallOptions,
  ): Promise<Api.RecordedSalePage>;

  /** List your watchlists. `GET /api/plus/v1/watchlists`. Costs 1 call. */
  listWatchlists(options?: CallOptions): Promise<Api.WatchlistList>;

  /** Create a watchlist. `POST /api/plus/v1/watchlists`. Costs 1 call. */
  createWatchlist(body: Api.WatchlistRequest, options?: CallOptions): Promise<Api.Watchlist>;

  /** Rename a watchlist. `PUT /api/plus/v1/watchlists/{list}`. Costs 1 call. */
  renameWatchlist(
    list: number,
    body: Api.WatchlistRequest,
    options?: CallOptions,
  ): Promise<Api.Watchlist>;

  /**
   * Add or change an item of a watchlist. `PUT
   * /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.
   */
  saveWatchedItem(
    list: number,
    item_type: 'set' | 'minifig',
    number: string,
    body: Api.WatchedItemRequest,
    options?: CallOptions,
  ): Promise<Api.WatchedItem>;

  /** List the items of a watchlist. `GET /api/plus/v1/watchlists/{list}/items`. Costs 1 call. */
  listWatchedItems(
    list: number,
    query?: Api.ListWatchedItemsQuery,
    options?: CallOptions,
  ): Promise<Api.WatchedItemPage>;

  /**
   * Remove an item from a watchlist. `DELETE
   * /api/plus/v1/watchlists/{list}/items/{item_type}/{number}`. Costs 1 call.
   */
  deleteWatchedItem(
    list: number,
    item_type: 'set' | 'minifig',
    number: string,
    options?: CallOptions,
  ): Promise<Api.Deletion>;

  /** Delete a watchlist. `DELETE /api/plus/v1/watchlists/{list}`. Costs 1 call. */
  deleteWatchlist(list: number, options?: CallOptions): Promise<Api.Deletion>;

  /** List market events. `GET /api/plus/v1/events`. Costs 1 call. */
  listEvents(query?: Api.ListEventsQuery, options?: CallOptions): Promise<Api.EventPage>;

  /** List your webhooks. `GET /api/plus/v1/webhooks`. Costs 1 call. */
  listWebhooks(options?: CallOptions): Promise<Api.WebhookList>;

  /** Create a webhook. `POST /api/plus/v1/webhooks`. Costs 1 call. */
  createWebhook(body: Api.WebhookRequest, options?: CallOptions): Promise<Api.CreatedWebhook>;

  /** Get a webhook. `GET /api/plus/v1/webhooks/{webhook}`. Costs 1 call. */
  getWebhook(webhook: number, options?: CallOptions): Promise<Api.Webhook>;

  /** Change, pause or resume a webhook. `PATCH /api/plus/v1/webhooks/{webhook}`. Costs 1 call. */
  changeWebhook(
    webhook: number,
    body: Api.WebhookChangeRequest,
    options?: CallOptions,
  ): Promise<Api.Webhook>;

  /** Send a test to a webhook. `POST /api/plus/v1/webhooks/{webhook}/test`. Costs 1 call. */
  testWebhook(webhook: number, options?: CallOptions): Promise<Api.WebhookDelivery>;

  /**
   * Rotate the secret of a webhook. `POST /api/plus/v1/webhooks/{webhook}/secret`. Costs 1 call.
   */
  rotateWebhookSecret(webhook: number, options?: CallOptions): Promise<Api.WebhookSecret>;

  /** Delete a webhook. `DELETE /api/plus/v1/webhooks/{webhook}`. Costs 1 call. */
  deleteWebhook(webhook: number, options?: CallOptions): Promise<Api.Deletion>;

  /** List notices about your account. `GET /api/plus/v1/notices`. Costs 1 call. */
  listNotices(query?: Api.ListNoticesQuery, options?: CallOptions): Promise<Api.NoticePage>;

  /** List bulk files. `GET /api/plus/v1/bulk`. Costs 1 call. */
  listBulkFiles(query?: Api.ListBulkFilesQuery, options?: CallOptions): Promise<Api.BulkFileList>;

  /** List changes since a bulk file. `GET /api/plus/v1/bulk/changes`. Costs 1 call. */
  listBulkChanges(
    query?: Api.ListBulkChangesQuery,
    options?: CallOptions,
  ): Promise<Api.BulkChangePage>;

  /** Get your key's usage. `GET /api/plus/v1/usage`. Free, even when the allowance is used up. */
  getUsage(options?: CallOptions): Promise<Api.Usage>;
}

/** The lists of `/api/plus/v1`, from their first element to the last. */
export interface PlusLists {
  /**
   * All elements of `listSets`, page by page. Costs 1 call per item with values or list prices,
   * else 1 per page; a 304 costs 1.
   */
  listSets(query?: Api.ListSetsQuery, options?: CallOptions): Pages<Api.SetPage, Api.ListedSet>;

  /**
   * All elements of `listMinifigs`, page by page. Costs 1 call per item with values or list prices,
   * else 1 per page; a 304 costs 1.
   */
  listMinifigs(
    query?: Api.ListMinifigsQuery,
    options?: CallOptions,
  ): Pages<Api.MinifigPage, Api.ListedMinifig>;

  /** All elements of `listDeals`, page by page. Each page costs 1 call. */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Pages<Api.DealPage, Api.Deal>;

  /** All elements of `listHoldings`, page by page. Each page costs 1 call. */
  listHoldings(
    query: Api.ListHoldingsQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.OwnHoldingPage, Api.OwnHolding>;

  /** All elements of `listRecordedSales`, page by page. Each page costs 1 call. */
  listRecordedSales(
    query: Api.ListRecordedSalesQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.RecordedSalePage, Api.RecordedSale>;

  /** All elements of `listEvents`, page by page. Each page costs 1 call. */
  listEvents(
    query: Api.ListEventsQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.EventPage, Api.MarketEvent>;

  /** All elements of `listNotices`, page by page. Each page costs 1 call. */
  listNotices(
    query: Api.ListNoticesQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.NoticePage, Api.AccountNotice>;

  /** All elements of `listBulkChanges`, page by page. Each page costs 1 call. */
  listBulkChanges(
    query: Api.ListBulkChangesQuery & { readonly after: string },
    options?: CallOptions,
  ): Pages<Api.BulkChangePage, Api.BulkChangePage['changes'][number]>;
}
