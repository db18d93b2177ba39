/** A method for every endpoint that answers JSON. Made from the contract by `npm run docs`. */
import { type Pages, pagesByOffset, pagesByPosition } from './paging.ts';
import { type CallOptions, pathOf, type Transport } from './transport.ts';
import type * as Api from './types.ts';

/** The calls of `/api/v1`. */
export class ApiMethods {
  constructor(protected readonly transport: Transport) {}

  /**
   * A set with its market values.
   * `GET /api/v1/set/{number}`. Costs 1 call.
   */
  getSet(number: string, options?: CallOptions): Promise<Api.Set> {
    return this.transport.get(pathOf`/api/v1/set/${number}`, {}, options);
  }

  /**
   * A minifigure with its market value.
   * `GET /api/v1/minifig/{number}`. Costs 1 call.
   */
  getMinifig(number: string, options?: CallOptions): Promise<Api.Minifig> {
    return this.transport.get(pathOf`/api/v1/minifig/${number}`, {}, options);
  }

  /**
   * Search sets by number or name.
   * `GET /api/v1/catalog/sets/search`. Costs 1 call.
   */
  searchSets(query: Api.SearchSetsQuery, options?: CallOptions): Promise<Api.SetSearchPage> {
    return this.transport.get('/api/v1/catalog/sets/search', query, options);
  }

  /**
   * Search minifigures by number or name.
   * `GET /api/v1/catalog/minifigs/search`. Costs 1 call.
   */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Promise<Api.MinifigSearchPage> {
    return this.transport.get('/api/v1/catalog/minifigs/search', query, options);
  }

  /**
   * All themes.
   * `GET /api/v1/catalog/themes`. Costs 1 call.
   */
  listThemes(options?: CallOptions): Promise<Api.ThemeList> {
    return this.transport.get('/api/v1/catalog/themes', {}, options);
  }

  /**
   * Up to 100 sets and minifigures at once.
   * `POST /api/v1/catalog/batch`. Costs 1 call per unique item, all or nothing.
   */
  getBatch(body: Api.BatchRequest, options?: CallOptions): Promise<Api.Batch> {
    return this.transport.post('/api/v1/catalog/batch', body, options);
  }

  /**
   * Finalized monthly values of a set.
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
   * Retail prices of a set.
   * `GET /api/v1/set/{number}/retail-prices`. Costs 1 call.
   */
  getSetRetailPrices(number: string, options?: CallOptions): Promise<Api.RetailRow | null> {
    return this.transport.get(pathOf`/api/v1/set/${number}/retail-prices`, {}, options);
  }

  /**
   * Retail prices by set number, ASIN or barcode.
   * `GET /api/v1/retail-prices`. Costs 1 call.
   */
  findRetailPrices(
    query: Api.FindRetailPricesQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow | null> {
    return this.transport.get('/api/v1/retail-prices', query, options);
  }

  /**
   * Retail prices of your holdings.
   * `GET /api/v1/brickfolio/retail-watch`. Costs 1 call.
   */
  listRetailWatch(
    query?: Api.ListRetailWatchQuery,
    options?: CallOptions,
  ): Promise<Api.RetailRow[]> {
    return this.transport.get('/api/v1/brickfolio/retail-watch', query, options);
  }

  /**
   * Your collections.
   * `GET /api/v1/brickfolio`. Costs 1 call.
   */
  listBrickfolios(options?: CallOptions): Promise<Api.BrickfolioList> {
    return this.transport.get('/api/v1/brickfolio', {}, options);
  }

  /**
   * Value and cost of your holdings over time.
   * `GET /api/v1/brickfolio/analytics`. Costs 1 call.
   */
  getAnalytics(query?: Api.GetAnalyticsQuery, options?: CallOptions): Promise<Api.Analytics> {
    return this.transport.get('/api/v1/brickfolio/analytics', query, options);
  }

  /**
   * Your holdings.
   * `GET /api/v1/brickfolio/entries`. Costs 1 call.
   */
  listEntries(query?: Api.ListEntriesQuery, options?: CallOptions): Promise<Api.HoldingPage> {
    return this.transport.get('/api/v1/brickfolio/entries', query, options);
  }

  /**
   * Your recorded sales.
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

  /** Every element of `searchSets`, page by page; each page costs 1 call. */
  searchSets(
    query: Api.SearchSetsQuery,
    options?: CallOptions,
  ): Pages<Api.SetSearchPage, Api.SetSearchResult> {
    const start = { limit: 250, ...query };
    return pagesByOffset('results', start, (at) => this.#methods.searchSets(at, options));
  }

  /** Every element of `searchMinifigs`, page by page; each page costs 1 call. */
  searchMinifigs(
    query: Api.SearchMinifigsQuery,
    options?: CallOptions,
  ): Pages<Api.MinifigSearchPage, Api.MinifigSearchResult> {
    const start = { limit: 250, ...query };
    return pagesByOffset('results', start, (at) => this.#methods.searchMinifigs(at, options));
  }

  /** Every element of `listEntries`, page by page; each page costs 1 call. */
  listEntries(
    query?: Api.ListEntriesQuery,
    options?: CallOptions,
  ): Pages<Api.HoldingPage, Api.Holding> {
    const start = { limit: 250, ...query };
    return pagesByOffset('entries', start, (at) => this.#methods.listEntries(at, options));
  }

  /** Every element of `listSales`, page by page; each page costs 1 call. */
  listSales(query?: Api.ListSalesQuery, options?: CallOptions): Pages<Api.SalePage, Api.Sale> {
    const start = { limit: 250, ...query };
    return pagesByOffset('sales', start, (at) => this.#methods.listSales(at, options));
  }
}

/** The calls of `/api/plus/v1`. */
export class PlusMethods {
  constructor(protected readonly transport: Transport) {}

  /**
   * Max buy price of one unit.
   * `GET /api/plus/v1/max-buy`. Costs 1 call.
   */
  getMaxBuy(query?: Api.GetMaxBuyQuery, options?: CallOptions): Promise<Api.MaxBuy> {
    return this.transport.get('/api/plus/v1/max-buy', query, options);
  }

  /**
   * Retailer offers at or below your max buy price.
   * `GET /api/plus/v1/deals`. Costs 1 call.
   */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Promise<Api.DealPage> {
    return this.transport.get('/api/plus/v1/deals', query, options);
  }

  /**
   * What a box of sets and minifigures is worth.
   * `POST /api/plus/v1/evaluate`. Costs 1 call per unique item, all or nothing.
   */
  evaluateBox(body: Api.EvaluateRequest, options?: CallOptions): Promise<Api.Evaluation> {
    return this.transport.post('/api/plus/v1/evaluate', body, options);
  }

  /**
   * What a set's values are based on.
   * `GET /api/plus/v1/set/{number}/evidence`. Costs 1 call.
   */
  getSetEvidence(number: string, options?: CallOptions): Promise<Api.Evidence> {
    return this.transport.get(pathOf`/api/plus/v1/set/${number}/evidence`, {}, options);
  }

  /**
   * What a minifigure's value is based on.
   * `GET /api/plus/v1/minifig/{number}/evidence`. Costs 1 call.
   */
  getMinifigEvidence(number: string, options?: CallOptions): Promise<Api.Evidence> {
    return this.transport.get(pathOf`/api/plus/v1/minifig/${number}/evidence`, {}, options);
  }

  /**
   * What happened in the market.
   * `GET /api/plus/v1/events`. Costs 1 call.
   */
  listEvents(query?: Api.ListEventsQuery, options?: CallOptions): Promise<Api.EventPage> {
    return this.transport.get('/api/plus/v1/events', query, options);
  }

  /**
   * Files with all published data.
   * `GET /api/plus/v1/bulk`. Costs 1 call.
   */
  listBulkFiles(options?: CallOptions): Promise<Api.BulkFileList> {
    return this.transport.get('/api/plus/v1/bulk', {}, options);
  }

  /**
   * Changes since the files were made.
   * `GET /api/plus/v1/bulk/changes`. Costs 1 call.
   */
  listBulkChanges(
    query?: Api.ListBulkChangesQuery,
    options?: CallOptions,
  ): Promise<Api.BulkChangePage> {
    return this.transport.get('/api/plus/v1/bulk/changes', query, options);
  }

  /**
   * Usage of your key.
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

  /** Every element of `listDeals`, page by page; each page costs 1 call. */
  listDeals(query?: Api.ListDealsQuery, options?: CallOptions): Pages<Api.DealPage, Api.Deal> {
    const start = { limit: 250, ...query };
    return pagesByOffset('deals', start, (at) => this.#methods.listDeals(at, options));
  }

  /** Every element of `listEvents`, page by page; each page costs 1 call. */
  listEvents(
    query: Api.ListEventsQuery & { readonly after: number },
    options?: CallOptions,
  ): Pages<Api.EventPage, Api.MarketEvent> {
    const start = { limit: 250, ...query };
    return pagesByPosition('events', start, (at) => this.#methods.listEvents(at, options));
  }

  /** Every element of `listBulkChanges`, page by page; each page costs 1 call. */
  listBulkChanges(
    query: Api.ListBulkChangesQuery & { readonly after: string },
    options?: CallOptions,
  ): Pages<Api.BulkChangePage, Api.BulkChangePage['changes'][number]> {
    const start = { limit: 1000, ...query };
    return pagesByPosition('changes', start, (at) => this.#methods.listBulkChanges(at, options));
  }
}
