/** The performance of an account, put together as its page does. */

import { itemKinds } from '../../src/catalog/items/numbers.ts';
import { dayOf } from '../../src/kernel/time.ts';
import { readPositions } from '../../src/portfolio/returns/analytics.work.ts';
import {
  firstPurchase,
  type Performance,
  performanceOf,
  withMonths,
} from '../../src/portfolio/returns/performance.work.ts';
import { type Range, spanOf } from '../../src/portfolio/returns/periods.ts';
import type { PortfolioData } from '../../src/portfolio/returns/portfolio-data.work.ts';

/** For a range that ends at `at`. */
export async function readPerformance(
  portfolio: PortfolioData,
  accountId: number,
  when: { readonly range: Range; readonly at: number },
): Promise<Performance> {
  const read = await readPositions(portfolio, accountId, itemKinds);
  const span = spanOf(when.range, dayOf(when.at), firstPurchase(read));
  const groups = await withMonths(portfolio, read, span);
  const sales = await portfolio.accounts.listSaleResults(accountId);
  return performanceOf(groups, sales, { range: when.range, span });
}
