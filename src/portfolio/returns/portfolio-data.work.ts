/** Data sources of the portfolio. */

import type { MarketReading } from '../../publish/reading.store.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';

/** Private data, and the published values and retail rows that it is joined with. */
export interface PortfolioData {
  readonly accounts: PortfolioRoomStore;
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
