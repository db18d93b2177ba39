/** Data sources of the portfolio. */

import type { BrickfolioStore, LedgerStore, LotStore, MarketReading } from '../../store/store.ts';

/** Private data, and the published values and retail rows that it is joined with. */
export interface PortfolioData {
  readonly accounts: BrickfolioStore & LotStore & LedgerStore;
  readonly market: Pick<
    MarketReading,
    | 'findListedItems'
    | 'findItemValues'
    | 'findMonthValues'
    | 'findGradeEffects'
    | 'findRetail'
    | 'findRetailKeys'
    | 'listRetail'
    | 'listLatestRetail'
  >;
}
