/** The recorded sales of one year as a table for whoever does the taxes: a row for each lot. */

import { csvCell } from '../domain/kernel/csv-cell.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import { type SoldLot, soldLots } from '../domain/portfolio/sold-lots.ts';
import { readSales, type SaleEntry } from './collection.ts';
import type { PortfolioData } from './portfolio-data.ts';

/** Sales that are read at a time. */
const pageRows = 1000;

const columns = [
  'sale_date',
  'set_number',
  'title',
  'platform',
  'quantity',
  'gross_proceeds_usd',
  'platform_fees_usd',
  'payment_fees_usd',
  'shipping_cost_usd',
  'net_proceeds_usd',
  'cost_basis_usd',
  'profit_loss_usd',
  'purchase_date',
  'sale_id',
  'term',
  'lot_id',
];

/**
 * The table, oldest sale first, and of a sale the oldest purchase; what one account sells in a year
 * is all that is held.
 */
export async function taxYearCsv(
  portfolio: PortfolioData,
  accountId: number,
  year: string,
): Promise<string> {
  const span = { from: `${year}-01-01`, to: `${year}-12-31` };
  const order = { by: 'date', isDescending: false } as const;
  const lines = [columns.join(',')];
  for (let offset = 0; ; offset += pageRows) {
    const page = { limit: pageRows, offset, span, order };
    const { sales } = await readSales(portfolio, accountId, page);
    const ids = sales.map(({ sale }) => sale.id);
    const takes = await portfolio.accounts.listTakes(accountId, ids);
    for (const entry of sales) {
      const parts = soldLots(entry.sale, takes.get(entry.sale.id) ?? []);
      lines.push(...parts.map((part) => lineOf(entry, part)));
    }
    if (sales.length < pageRows) break;
    await yieldToEventLoop();
  }
  return `${lines.join('\r\n')}\r\n`;
}

function lineOf({ sale, set }: SaleEntry, part: SoldLot): string {
  const texts = [sale.saleDate, set.number, set.title, sale.platform].map(csvCell);
  const amounts = [
    part.grossCents,
    part.platformFeesCents,
    part.paymentFeesCents,
    part.shippingCents,
    part.netCents,
    part.costCents,
    part.profitCents,
  ].map((cents) => (cents / 100).toFixed(2));
  const { date = '', term = '', lotId = '' } = part.bought ?? {};
  return [...texts, part.quantity, ...amounts, date, sale.id, term, lotId].join(',');
}
