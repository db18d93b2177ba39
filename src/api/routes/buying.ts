/** What may be paid for something that is to be sold again. */
import { findResaleItem, type ResaleItem } from '../../buying/resale-item.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { ApiError } from '../../contract/errors.ts';
import type { MaxBuy } from '../../contract/plus/max-buy.ts';
import { noBuyingCosts } from '../../domain/buying/max-buy.ts';
import type { Quote } from '../../domain/buying/resale.ts';
import { type WhatToPay, whatToPay } from '../../domain/buying/what-to-pay.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { toUsd, toUsdOrNull } from '../../domain/kernel/money.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

/** The handlers, by the names of their operations. */
export function buyingHandlers(deps: HandlerDeps) {
  return { getMaxBuy: getMaxBuy(deps) } satisfies Partial<Handlers>;
}

type MaxBuyQuery = EndpointInput<'getMaxBuy'>['query'];

/** `GET /max-buy` */
function getMaxBuy({ market: { store }, tables, clock }: HandlerDeps): Handler<'getMaxBuy'> {
  return ({ query }) => {
    const { kind, number } = namedItem(query);
    const condition = query.condition ?? usualCondition(kind);
    return {
      read: async () => {
        const item = await findResaleItem(store, kind, number);
        if (!item) return { missing: `There is no ${kind} '${number}'.` };
        const answer = whatToPay(tables, item.resale[condition], {
          terms: {
            share: query.share,
            marginBasisPoints: Math.round(query.margin_pct * 100),
            costs: noBuyingCosts,
            moneyBasisPoints: 0,
          },
          at: clock(),
          channel: query.channel ?? null,
          withModeled: false,
        });
        return JSON.stringify(presentMaxBuy(item, { ...query, condition }, answer));
      },
    };
  };
}

/** The one item that a request names. */
function namedItem({ set, minifig }: Pick<MaxBuyQuery, 'set' | 'minifig'>): {
  readonly kind: ItemKind;
  readonly number: string;
} {
  if (set !== undefined && minifig === undefined) return { kind: 'set', number: set };
  if (minifig !== undefined && set === undefined) return { kind: 'minifig', number: minifig };
  throw new ApiError('BadRequest', "Give exactly one of 'set' and 'minifig'.");
}

/** Minifigs are bought and sold used. */
function usualCondition(kind: ItemKind): Condition {
  return kind === 'set' ? 'sealed' : 'used';
}

function presentMaxBuy(
  item: ResaleItem,
  query: MaxBuyQuery & { readonly condition: Condition },
  { reason, best, quotes, salesPerMonth }: WhatToPay,
): MaxBuy {
  const { condition, share, margin_pct } = query;
  const chosen = reason === null ? best : null;
  return {
    item_type: item.kind,
    number: item.number,
    title: item.title,
    condition,
    share,
    margin_pct,
    value_usd: toUsdOrNull(item.resale[condition]?.price.valueCents ?? null),
    data_tier: item.tier,
    sales_per_month: salesPerMonth && roundTo(salesPerMonth, 2),
    wait_days: presentWait(chosen),
    best_channel: chosen?.channel ?? null,
    reason,
    channels: quotes.map(presentQuote),
  };
}

function presentQuote(quote: Quote): MaxBuy['channels'][number] {
  const { sum } = quote;
  return {
    channel: quote.channel,
    assumed: quote.isAssumed,
    price_usd: toUsd(sum.priceCents),
    fees_usd: toUsd(sum.platformFeesCents + sum.paymentFeesCents + sum.fulfilmentCents),
    postage_usd: toUsd(sum.postageCents),
    net_usd: toUsd(sum.netCents),
    max_buy_usd: toUsdOrNull(quote.maxBuyCents),
    wait_days: presentWait(quote),
  };
}

/** Days with one place; null when nobody knows. */
function presentWait(quote: Quote | null): number | null {
  const days = quote?.waitDays ?? null;
  return days === null ? null : roundTo(days, 1);
}

function roundTo(value: number, places: number): number {
  return Math.round(value * 10 ** places) / 10 ** places;
}
