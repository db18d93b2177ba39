/** What is published, kept in memory for as long as the store proves it fresh. */
import { LookUps } from '../accounts/interest.ts';
import { KeptFigures } from '../accounts/kept-figures.ts';
import type { PortfolioData } from '../accounts/portfolio-data.ts';
import type { BestOffer } from '../buying/best-offer.ts';
import type { DealQuestion } from '../buying/deals.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { Deal } from '../domain/buying/deal.ts';
import type { ItemKind } from '../domain/catalog/numbers.ts';
import type { Page } from '../domain/kernel/page.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { MarketList } from '../domain/market/market-list.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { InventoryLot } from '../domain/portfolio/lot-store.ts';
import { BestOfferCache } from './best-offers.ts';
import { DealIndex } from './deal-index.ts';
import { Documents } from './documents.ts';
import { Freshness } from './freshness.ts';
import { MarketIndex } from './market-index.ts';
import { SearchIndex, type SearchPage, type SearchQuery } from './search-index.ts';
import { ListedSetCache, MonthCache, SetValueCache } from './set-values.ts';

/** What pages share with the API: the same documents, search and values. */
export interface PageServices {
  readonly portfolio: PortfolioData;
  search(query: SearchQuery): Promise<SearchPage>;
  /** The keys of all that a term finds, best first. */
  searchKeys(kind: ItemKind, term: string): Promise<readonly string[]>;
  /** Everything on the market, to be filtered and sorted. */
  findMarket(): Promise<MarketList>;
  findDocument(kind: ItemKind, number: string): Promise<string | null>;
  /** Deals by tables of fees that may be somebody's own. */
  findDeals(tables: FeeTables, question: DealQuestion): Promise<Page<Deal>>;
  /** The cheapest offers of sets; those that no retailer has are left out. */
  findOffers(setKeys: readonly string[]): Promise<ReadonlyMap<string, BestOffer>>;
  /** Counts that somebody looked at an item. */
  noteLookUp(kind: ItemKind, key: string): void;
}

/** What a lot takes in memory, in characters. */
const lotRoom = 250;

/** One process's memory of a market. */
export class MarketCache {
  /** What is not kept: it is read each time. */
  readonly store: MarketReading;
  readonly freshness: Freshness;
  readonly documents: Documents;
  readonly search: SearchIndex;
  readonly deals: DealIndex;
  /** What is private, joined with values from memory. */
  readonly portfolio: PortfolioData;
  private readonly list: MarketIndex;
  private readonly setValues: SetValueCache;
  private readonly offers: BestOfferCache;

  constructor(
    { market, accounts }: { market: MarketReading; accounts: PortfolioData['accounts'] },
    clock: Clock,
    lookUps = new LookUps(),
  ) {
    this.store = market;
    this.freshness = new Freshness(market);
    this.documents = new Documents(market, this.freshness, lookUps);
    this.search = new SearchIndex(market, this.freshness, clock);
    this.deals = new DealIndex(market, this.freshness);
    this.list = new MarketIndex(market, this.freshness, clock);
    this.setValues = new SetValueCache(market, this.freshness);
    this.offers = new BestOfferCache(market, this.freshness);
    const listedSets = new ListedSetCache(market, this.freshness);
    const months = new MonthCache(market, this.freshness);
    const kept: Partial<MarketReading> = {
      findSetValues: (keys) => this.setValues.find(keys),
      findListedSets: (keys) => listedSets.find(keys),
      findMonthValues: (sets) => months.find(sets),
    };
    const lots = new KeptFigures<InventoryLot[]>(
      { accounts, market },
      (part) => part.length * lotRoom,
    );
    const keptAccounts: PortfolioData['accounts'] = {
      ...accounts,
      // Whoever filters and sorts an inventory asks for the same lots again and again.
      listInventory: (accountId, { after, limit }) =>
        lots.find({ accountId, name: `${after} ${limit}` }, () =>
          accounts.listInventory(accountId, { after, limit }),
        ),
    };
    this.portfolio = { accounts: keptAccounts, market: { ...market, ...kept } };
  }

  /** Reads ahead, so that the first who asks does not wait. */
  async warm(): Promise<void> {
    await this.search.warm();
    await this.setValues.warm();
  }

  /** The same for pages, which list the whole market. */
  async warmPages(): Promise<void> {
    await this.warm();
    await this.list.find();
  }

  /** What pages are made from. */
  services(): PageServices {
    return {
      portfolio: this.portfolio,
      search: (query) => this.search.findPage(query),
      searchKeys: (kind, term) => this.search.findKeys(kind, term),
      findMarket: () => this.list.find(),
      findDocument: async (kind, number) => (await this.documents.find(kind, number))?.json ?? null,
      findDeals: (tables, question) => this.deals.find(tables, question),
      findOffers: (setKeys) => this.offers.find(setKeys),
      noteLookUp: (kind, key) => this.documents.noteLookUp(kind, key),
    };
  }
}
