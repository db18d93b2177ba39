/** The recorded sales of one year as a table for whoever does the taxes. */

import { guardCell, quoteCell } from '../domain/kernel/csv-cell.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { DaySpan } from '../domain/kernel/page.ts';
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
];

/** The table, oldest sale first; what one account sells in a year is all that is held. */
export async function taxYearCsv(
  portfolio: PortfolioData,
  accountId: number,
  year: string,
): Promise<string> {
  const span = { from: `${year}-01-01`, to: `${year}-12-31` };
  const lines: string[] = [];
  for (let offset = 0; ; offset += pageRows) {
    const { sales } = await readSales(portfolio, accountId, { limit: pageRows, offset, span });
    const ids = sales.map(({ sale }) => sale.id);
    const spans = await portfolio.accounts.findPurchaseSpans(accountId, ids);
    lines.push(...sales.map((entry) => lineOf(entry, spans.get(entry.sale.id))));
    if (sales.length < pageRows) break;
    await yieldToEventLoop();
  }
  return `${[columns.join(','), ...lines.reverse()].join('\r\n')}\r\n`;
}

function lineOf({ sale, set, proceeds }: SaleEntry, bought: DaySpan | undefined): string {
  const amounts = [
    sale.grossCents,
    sale.platformFeesCents,
    sale.paymentFeesCents,
    sale.shippingCents,
    proceeds.netCents,
    sale.costCents,
    proceeds.profitCents,
  ].map((cents) => (cents / 100).toFixed(2));
  const texts = [sale.saleDate, set.number, set.title, sale.platform].map((text) =>
    quoteCell(guardCell(text)),
  );
  const last = [boughtText(bought), String(sale.id)];
  return [...texts, String(sale.quantity), ...amounts, ...last].join(',');
}

/** A day, or the first and the last; nothing where the sale took no units of lots. */
function boughtText(bought: DaySpan | undefined): string {
  if (!bought) return '';
  return bought.from === bought.to ? bought.from : `${bought.from} to ${bought.to}`;
}
