/** The profit report of an account, computed from the units that it sold. */

import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { findListed } from '../lots/collection.work.ts';
import { FigureCache, type FigureSources } from '../returns/figure-cache.work.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import type { LedgerSale, SaleFilter } from './ledger.ts';
import {
  type ProfitGrouping,
  type ProfitRow,
  profitBy,
  type SoldUnits,
  totalOf,
} from './profit.ts';
import { soldLots } from './sold-lots.ts';

/** Sales per read. */
const pageRows = 1_000;

/** The profit of sales that match a filter. */
interface ProfitFigures {
  /** One per group, in the order of their keys. */
  readonly rows: readonly ProfitRow[];
  readonly total: Omit<ProfitRow, 'key' | 'name'>;
}

/** Reading 50,000 sales takes longer than everything else on the page. */
export class ProfitReports {
  private readonly kept: FigureCache<ProfitFigures>;

  constructor(
    sources: FigureSources,
    private readonly portfolio: PortfolioData,
  ) {
    this.kept = new FigureCache(sources, roomOf);
  }

  /** `name` stands for the filter: the same one finds the same sales until they change. */
  find(
    accountId: number,
    query: {
      readonly name: string;
      readonly filter: SaleFilter;
      readonly grouping: ProfitGrouping;
    },
  ): Promise<ProfitFigures> {
    const { name, filter, grouping } = query;
    return this.kept.find({ accountId, name: `${grouping} ${name}` }, async () => {
      const sold = await readSoldUnits(this.portfolio, accountId, filter);
      return { rows: profitBy(grouping, sold), total: totalOf(sold) };
    });
  }
}

/** The approximate size in memory, in characters. */
function roomOf({ rows }: ProfitFigures): number {
  return 500 + 500 * rows.length;
}

/** All units of the sales that match a filter, in order of recording. */
async function readSoldUnits(
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
