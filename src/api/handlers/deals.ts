/** Retail offers at or below the caller's max buy prices. */

import { type Deal, partOutRatio } from '../../buying/deals/deal.ts';
import type { DealFilters } from '../../buying/deals/find-deals.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import type { DealPage } from '../../contract/plus/deals.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { rangeOf } from '../../kernel/page.ts';
import { formatInstant } from '../../kernel/time.ts';
import { dataOf } from '../answer-data.ts';
import {
  findGraded,
  ownTerms,
  presentDays,
  presentGraded,
  requestedTerms,
} from '../buying-terms.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { paginationOf } from '../pagination.ts';

export function dealsHandlers(deps: HandlerDeps) {
  return {
    listDeals: ({ query }) => {
      const filters = filtersOf(query);
      return {
        isExpensive: true,
        read: async (caller) => {
          const { terms, tables } = await ownTerms(deps, caller, requestedTerms(query));
          const graded = query.grade && (await findGraded(deps, query.grade));
          const question = {
            terms,
            filters,
            at: deps.clock(),
            ...rangeOf(query),
            ...(graded && { grade: graded.effect }),
          };
          const { total, rows } = await deps.market.deals.find(tables, question);
          const page: DealPage = {
            deals: rows.map(presentDeal),
            pagination: paginationOf(total, query),
            ...presentGraded(graded),
          };
          return dataOf(page);
        },
      };
    },
  } satisfies Partial<Handlers>;
}

function filtersOf(query: EndpointInput<'listDeals'>['query']): DealFilters {
  return {
    retailer: query.retailer ?? null,
    theme: query.theme?.normalize() ?? null,
    // Validated by the schema.
    statusId: (query.status_id as StatusId | undefined) ?? null,
    minTier: query.min_tier,
    minProfitCents: toCentsOrNull(query.min_profit_usd),
    minRoiPercent: query.min_roi_pct ?? null,
    maxWaitDays: null,
    maxPriceCents: toCentsOrNull(query.max_price_usd),
    minPartOutRatio: query.min_part_out_ratio ?? null,
  };
}

/** Amounts in a query have at most two decimals. */
function toCentsOrNull(usd: number | undefined): number | null {
  return usd === undefined ? null : Math.round(usd * 100);
}

function presentDeal(deal: Deal): DealPage['deals'][number] {
  const { offer } = deal;
  return {
    set_number: deal.setNumber,
    title: deal.title,
    theme: deal.theme,
    retailer: offer.retailer,
    price_usd: toUsd(offer.priceCents),
    max_buy_usd: toUsd(deal.maxBuyCents),
    best_channel: deal.channel,
    net_usd: toUsd(deal.medianNetCents),
    profit_usd: toUsd(deal.profitCents),
    roi_pct: deal.roiPercent,
    wait_days: presentDays(deal.waitDays),
    profit_per_month_usd: toUsdOrNull(deal.profitPerMonthCents),
    part_out_ratio: partOutRatio(deal),
    warnings: [...deal.warnings],
    observed_at: formatInstant(offer.observedAt),
    product_url: offer.productUrl,
  };
}
