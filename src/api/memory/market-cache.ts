/** In-memory caches of published data, valid until the publish stamp changes. */

import type { SetDealQuestion } from '../../buying/deals/find-deals.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Clock } from '../../kernel/time.ts';
import { LookUps } from '../../portfolio/interest/interest.work.ts';
import type { PortfolioData } from '../../portfolio/returns/portfolio-data.work.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { DealIndex } from './deal-index.ts';
import { DocumentCache } from './document-cache.ts';
import { Freshness } from './freshness.ts';
import { MarketIndex } from './market-index.ts';
import { SearchIndex, type SearchQuery } from './search-index.ts';
import { cachedListing, cachedMonths, cachedOffers, cachedValues } from './set-cache.ts';

export class MarketCache {
  /** For data that is not cached. */
  readonly store: MarketReading;
  readonly freshness: Freshness;
  readonly documents: DocumentCache;
  readonly search: SearchIndex;
  readonly deals: DealIndex;
  /** Private data joined with cached values. */
  readonly portfolio: PortfolioData;
  readonly list: MarketIndex;
  private readonly findOffers: ReturnType<typeof cachedOffers>;

  constructor(
    { market, accounts }: { market: MarketReading; accounts: PortfolioData['accounts'] },
    private readonly clock: Clock,
    lookUps = new LookUps(),
  ) {
    this.store = market;
    this.freshness = new Freshness(market);
    this.documents = new DocumentCache(market, this.freshness, lookUps);
    this.search = new SearchIndex(market, this.freshness, clock);
    this.deals = new DealIndex(market, this.freshness);
    this.list = new MarketIndex(market, this.freshness);
    this.findOffers = cachedOffers(market, this.freshness);
    const kept: Partial<MarketReading> = {
      findItemValues: cachedValues(market, this.freshness),
      findListedItems: cachedListing(market, this.freshness),
      findMonthValues: cachedMonths(market, this.freshness),
    };
    this.portfolio = { accounts, market: { ...market, ...kept } };
  }

  /** Fills the caches before the first request. */
  async warm(tables: FeeTables): Promise<void> {
    await this.search.warm();
    await this.deals.warm(tables, this.clock());
  }

  /** The same for pages, which also list the whole market. */
  async warmPages(tables: FeeTables): Promise<void> {
    await this.warm(tables);
    (await this.list.find()).warm();
  }

  /** For pages: the same documents, search and deals as the API. */
  forPages() {
    return {
      search: (query: SearchQuery) => this.search.findPage(query),
      searchAll: (kind: ItemKind, term: string) => this.search.findAll(kind, term),
      findMarket: () => this.list.find(),
      findDocument: async (kind: ItemKind, number: string) =>
        (await this.documents.find(kind, number))?.json ?? null,
      findDeals: (tables: FeeTables, question: SetDealQuestion) =>
        this.deals.findSets(tables, question),
      findOffers: this.findOffers,
      noteLookUp: (kind: ItemKind, key: string) => this.documents.noteLookUp(kind, key),
    };
  }
}
