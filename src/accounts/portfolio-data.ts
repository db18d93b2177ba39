/** Where the answers about an account's own data come from. */

import type { MarketReading } from '../domain/market/market-reading.ts';
import type { BrickfolioStore } from '../domain/portfolio/brickfolio-store.ts';
import type { LedgerStore } from '../domain/portfolio/ledger-store.ts';
import type { LotStore } from '../domain/portfolio/lot-store.ts';

/** What is private, and the published values and retail rows that it is joined with. */
export interface PortfolioData {
  readonly accounts: BrickfolioStore & LotStore & LedgerStore;
  readonly market: Pick<
    MarketReading,
    | 'findListedSets'
    | 'findSetValues'
    | 'findMonthValues'
    | 'findRetail'
    | 'findRetailKeys'
    | 'listRetail'
    | 'listLatestRetail'
  >;
}
