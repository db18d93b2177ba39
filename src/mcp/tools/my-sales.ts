/** `my_sales`: recorded sales of the account. */
import type { Sale as SaleRow } from '../../../clients/typescript/src/index.ts';
import { SalePage } from '../../contract/brickfolio.ts';
import { exactly } from '../../contract/fields.ts';
import { percentText } from '../../kernel/format.ts';
import { pagingOf, partFields, partOf, tool } from '../tool.ts';
import { lines, shownText, usdText } from '../words.ts';

const { items: Sale } = SalePage.properties.sales;

export const mySales = tool({
  name: 'my_sales',
  title: 'Get my recorded sales',
  description:
    "Get the user's recorded sales, newest first: proceeds, fees, shipping, profit and return " +
    'on cost. These are the sales of the user, not of the market. roi_pct is null if the cost ' +
    'was 0.',
  cost: '1 call',
  input: exactly(partFields({ most: 50, usual: 20 })),
  output: exactly(partOf(Sale, 'Sales, newest first.')),
  run: async ({ limit = 20, offset = 0 }, brickmark) => {
    const page = await brickmark.listSales({ limit, offset });
    const paging = pagingOf(page);
    const text = lines(page.sales.map(saleLine), shownText(page.sales.length, paging));
    return { data: { items: page.sales, ...paging }, text: text || 'No sales recorded.' };
  },
});

function saleLine(sale: SaleRow): string {
  const roi = sale.roi_pct === null ? '' : ` (${percentText(sale.roi_pct)})`;
  return (
    `- ${sale.sale_date}: ${sale.quantity} × ${sale.set_number} ${sale.title} on ` +
    `${sale.platform} for ${usdText(sale.gross_proceeds_usd)}, ` +
    `net ${usdText(sale.net_proceeds_usd)}, profit ${usdText(sale.profit_loss_usd)}${roi}`
  );
}
