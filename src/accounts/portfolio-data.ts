/** Where the answers about an account's own data come from. */

import type { MarketReading } from '../domain/market/market-reading.ts';
import type { HoldingStore } from '../domain/portfolio/holding-store.ts';

/** What is private, and the published values and retail rows that it is joined with. */
export interface PortfolioData {
  readonly accounts: HoldingStore;
  readonly market: Pick<
    MarketReading,
    'findListedSets' | 'findSetValues' | 'findRetail' | 'findRetailKeys' | 'listRetail'
  >;
}
