/** Reads what is shared of a collection. The ID of the collection comes from its share. */

import type { PageRange } from '../../kernel/page.ts';
import { readSales, type SaleEntry } from '../lots/collection.work.ts';
import { everyLot, type RowOrder } from '../lots/inventory.ts';
import { inventoryOf, readLots } from '../lots/inventory.work.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import { type SoldFrom, saleParts, taxYearCsv } from '../sales/sales-csv.work.ts';
import { type SharedLots, withCosts, withoutCosts } from './shared.ts';

export interface SharedCollection {
  /** The owner. */
  readonly accountId: number;
  readonly brickfolioId: number;
  readonly withCosts: boolean;
}

/** The lots with units left. Costs are removed before anything is computed. */
export async function readSharedLots(
  portfolio: PortfolioData,
  share: SharedCollection,
  query: {
    /** Words in the name, or the start of the number. */
    readonly text: string;
    readonly minifigKeys: readonly string[];
    readonly order: RowOrder;
    readonly at: number;
  },
): Promise<SharedLots> {
  const lots = await lotsOf(portfolio, share);
  // A search finds other rows if it is the number of any lot, so sold-out lots would show.
  const held = lots.filter(({ quantity, sold }) => quantity > sold);
  const shown = held.map(share.withCosts ? withCosts : withoutCosts);
  const { text, ...how } = query;
  const { rows, total } = await inventoryOf(portfolio, shown, {
    ...how,
    filter: { ...everyLot, text },
    brickfolios: [],
    ownFields: [],
  });
  return share.withCosts ? { withCosts: true, rows, total } : { withCosts: false, rows, total };
}

async function lotsOf(portfolio: PortfolioData, { accountId, brickfolioId }: SharedCollection) {
  const lots = await readLots(portfolio, accountId);
  return lots.filter((lot) => lot.brickfolioId === brickfolioId);
}

type CostedCollection = SharedCollection & { readonly withCosts: true };

/** A page of the sales with units from the collection, newest first; each lot's part is a row. */
export async function readSharedSales(
  portfolio: PortfolioData,
  share: CostedCollection,
  page: PageRange,
): Promise<{ readonly total: number; readonly sales: readonly SaleEntry[] }> {
  const { accountId, brickfolioId } = share;
  const { total, sales } = await readSales(portfolio, accountId, { ...page, brickfolioId });
  const parts = await saleParts(portfolio, accountId, sales, await soldFrom(portfolio, share));
  return {
    total,
    sales: parts.map(({ entry, part: { bought: _, ...part } }) => {
      return { ...entry, sale: { ...entry.sale, ...part }, proceeds: part };
    }),
  };
}

export async function sharedTaxCsv(
  portfolio: PortfolioData,
  share: CostedCollection,
  year: string,
): Promise<AsyncGenerator<string>> {
  return taxYearCsv(portfolio, share.accountId, year, await soldFrom(portfolio, share));
}

async function soldFrom(portfolio: PortfolioData, share: SharedCollection): Promise<SoldFrom> {
  const lots = await lotsOf(portfolio, share);
  return { brickfolioId: share.brickfolioId, lotIds: new Set(lots.map(({ id }) => id)) };
}
