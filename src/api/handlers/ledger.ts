/** The caller's recorded sales. */

import type { SalePage } from '../../contract/brickfolio.ts';
import { toUsd } from '../../kernel/money.ts';
import { rangeOf } from '../../kernel/page.ts';
import { readSales, type SaleEntry } from '../../portfolio/lots/collection.work.ts';
import { dataOf } from '../answer-data.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { paginationOf } from '../pagination.ts';

export function ledgerHandlers({ market: { portfolio }, answers }: HandlerDeps) {
  return {
    listSales: ({ query }) =>
      answers.cachedWork({ endpoint: 'listSales', input: { query } }, async (accountId) => {
        const { total, sales } = await readSales(portfolio, accountId, {
          ...rangeOf(query),
          kind: 'set',
        });
        const page: SalePage = {
          sales: sales.map(presentSale),
          pagination: paginationOf(total, query),
        };
        return dataOf(page);
      }),
  } satisfies Partial<Handlers>;
}

function presentSale(entry: SaleEntry): SalePage['sales'][number] {
  const { sale, item } = entry;
  return {
    id: sale.id,
    set_number: item.number,
    title: item.title,
    ...presentSaleFields(entry),
  };
}

/** The fields that sales have in both versions. */
export function presentSaleFields({ sale, proceeds }: SaleEntry) {
  return {
    platform: sale.platform,
    sale_date: sale.saleDate,
    quantity: sale.quantity,
    gross_proceeds_usd: toUsd(sale.grossCents),
    platform_fees_usd: toUsd(sale.platformFeesCents),
    payment_fees_usd: toUsd(sale.paymentFeesCents),
    shipping_cost_usd: toUsd(sale.shippingCents),
    net_proceeds_usd: toUsd(proceeds.netCents),
    profit_loss_usd: toUsd(proceeds.profitCents),
    roi_pct: proceeds.roiPct,
  };
}
