/** Reads the units that an account sold, for the profit report. */

import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { LedgerSale, SaleFilter } from '../domain/portfolio/ledger.ts';
import type { SoldUnits } from '../domain/portfolio/profit.ts';
import { soldLots } from '../domain/portfolio/sold-lots.ts';
import { findListed } from './collection.ts';
import type { PortfolioData } from './portfolio-data.ts';

/** Sales per read. */
const pageRows = 1_000;

/** All units of the sales that match a filter, in order of recording. */
export async function readSoldUnits(
  portfolio: PortfolioData,
  accountId: number,
  filter: SaleFilter,
): Promise<SoldUnits[]> {
  const sold: SoldUnits[] = [];
  for await (const sales of salesAfter(portfolio, accountId, filter)) {
    const itemOf = await findListed(portfolio.market, sales);
    await yieldToEventLoop();
    const takes = await portfolio.accounts.listTakes(
      accountId,
      sales.map(({ id }) => id),
    );
    for (const sale of sales) {
      const { theme } = itemOf(sale);
      for (const part of soldLots(sale, takes.get(sale.id) ?? [])) sold.push({ sale, part, theme });
    }
  }
  return sold;
}

async function* salesAfter(
  { accounts }: PortfolioData,
  accountId: number,
  filter: SaleFilter,
): AsyncGenerator<readonly LedgerSale[]> {
  for (let after = 0; ; ) {
    const sales = await accounts.listSalesAfter(accountId, { after, limit: pageRows }, filter);
    yield sales;
    const last = sales.at(-1);
    if (last === undefined || sales.length < pageRows) return;
    after = last.id;
  }
}
