/** Max buy prices and box evaluations. */
import {
  countUniqueItems,
  type EnteredItem,
  type EvaluatedBox,
  type EvaluatedItem,
  evaluateBox,
} from '../../buying/evaluate.ts';
import { findResaleItem, gradedItem, type ResaleItem } from '../../buying/resale-item.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { ApiError } from '../../contract/errors.ts';
import { batchItemsMax } from '../../contract/limits.ts';
import type { Evaluation } from '../../contract/plus/evaluate.ts';
import type { MaxBuy } from '../../contract/plus/max-buy.ts';
import { boxUnitsMax } from '../../domain/buying/box-worth.ts';
import { feesOf } from '../../domain/buying/channels.ts';
import { defaultTerms, type Quote } from '../../domain/buying/quotes.ts';
import { buyWarningsOf, type WhatToPay, whatToPay } from '../../domain/buying/what-to-pay.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { leftOutOf } from '../../domain/fees/left-out-fees.ts';
import { toCents, toUsd, toUsdOrNull } from '../../domain/kernel/money.ts';
import { shortText } from '../../domain/kernel/text.ts';
import { conditionOfGrade, type Grade, parseGrade } from '../../domain/market/grades.ts';
import { type Condition, usualCondition } from '../../domain/market/source-rows.ts';
import {
  findGraded,
  ownTerms,
  presentDays,
  presentGraded,
  type RequestedTerms,
  requestedTerms,
  roundTo,
} from '../buying-terms.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function buyingHandlers(deps: HandlerDeps) {
  return {
    getMaxBuy: getMaxBuy(deps),
    evaluateBox: evaluate(deps),
  } satisfies Partial<Handlers>;
}

type MaxBuyQuery = EndpointInput<'getMaxBuy'>['query'];

/** `GET /max-buy` */
function getMaxBuy(deps: HandlerDeps): Handler<'getMaxBuy'> {
  return ({ query }) => {
    const { kind, number } = namedItem(query);
    const { condition, grade } = statedUnit(kind, query);
    return {
      read: async ({ accountId }) => {
        const whole = await findResaleItem(deps.market.store, kind, number);
        if (!whole) return { missing: `There is no ${kind} '${shortText(number)}'.` };
        const graded = grade && (await findGraded(deps, grade));
        const item = graded ? gradedItem(whole, condition, graded.effect) : whole;
        const { terms, tables } = await ownTerms(deps, accountId, requestedTerms(query));
        const answer = whatToPay(tables, item.resale[condition], {
          terms,
          at: deps.clock(),
          channel: query.channel ?? null,
          withModeled: false,
        });
        const page = presentMaxBuy(item, { ...query, condition }, answer);
        return JSON.stringify({ ...page, ...presentGraded(graded) });
      },
    };
  };
}

/** The condition of a unit, and its grade if one is given; `where` is for errors. */
function statedUnit(
  kind: ItemKind,
  sent: { readonly condition?: Condition; readonly grade?: string },
  where = '',
): { readonly condition: Condition; readonly grade?: Grade } {
  const grade = sent.grade === undefined ? null : parseGrade(sent.grade);
  if (grade === null) return { condition: sent.condition ?? usualCondition(kind) };
  const condition = conditionOfGrade(grade);
  if (sent.condition !== undefined && sent.condition !== condition) {
    const leave = where === '' ? 'Leave' : `In ${where}, leave`;
    throw bad(
      `${leave} out 'condition', or send '${condition}': the grade '${grade}' is of a ` +
        `${condition} unit, not of a ${sent.condition} one.`,
    );
  }
  return { condition, grade };
}

interface Named {
  readonly set?: string;
  readonly minifig?: string;
}

/** The one item that is given; `where` is its location in the request, for errors. */
function namedItem({ set, minifig }: Named, where = ''): { kind: ItemKind; number: string } {
  if (set !== undefined && minifig === undefined) return { kind: 'set', number: set };
  if (minifig !== undefined && set === undefined) return { kind: 'minifig', number: minifig };
  const got = set === undefined ? 'neither' : 'both';
  const give = where === '' ? 'Give' : `In ${where}, give`;
  throw bad(`${give} exactly one of 'set' and 'minifig'; got ${got}.`);
}

function presentMaxBuy(
  item: ResaleItem,
  query: MaxBuyQuery & { readonly condition: Condition },
  { reason, best, quotes, salesPerMonth }: WhatToPay,
): MaxBuy {
  const { condition, share, margin_pct } = query;
  const resale = item.resale[condition];
  const chosen = reason === null ? best : null;
  return {
    item_type: item.kind,
    number: item.number,
    title: item.title,
    condition,
    share,
    margin_pct,
    value_usd: toUsdOrNull(resale?.price.valueCents ?? null),
    data_tier: resale?.tier ?? null,
    sales_per_month: salesPerMonth && roundTo(salesPerMonth, 2),
    wait_days: presentDays(chosen?.wait?.days ?? null),
    best_channel: chosen?.channel ?? null,
    warnings: resale ? buyWarningsOf(resale) : [],
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
    fees_usd: toUsd(feesOf(sum)),
    not_included: [...leftOutOf(quote.channel)],
    postage_usd: toUsd(sum.postageCents),
    net_usd: toUsd(sum.netCents),
    max_buy_usd: toUsdOrNull(quote.maxBuyCents),
    wait_days: presentDays(quote.wait?.days ?? null),
    rivals: quote.wait?.rivals ?? null,
    wait_assumed: quote.wait?.isAssumed ?? true,
  };
}

/** `POST /evaluate` */
function evaluate(deps: HandlerDeps): Handler<'evaluateBox'> {
  return ({ body }) => {
    const items = body.items.map(statedItem);
    const unique = countUniqueItems(items);
    if (unique > batchItemsMax) {
      throw bad(`The box has ${unique} unique items; at most ${batchItemsMax} are allowed.`);
    }
    const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
    if (units > boxUnitsMax) {
      throw bad(`The box has ${units} units; at most ${boxUnitsMax} are allowed.`);
    }
    const costCents = readHundredths('cost_usd', body.cost_usd);
    const margin = readHundredths('margin_pct', body.margin_pct);
    const asked: RequestedTerms = {
      share: readShare(body.share) ?? defaultTerms.share,
      marginBasisPoints: margin ?? defaultTerms.marginBasisPoints,
    };
    return {
      isExpensive: true,
      items: unique,
      read: async ({ accountId }) => {
        const { terms, tables } = await ownTerms(deps, accountId, asked);
        const box = await evaluateBox(
          { market: deps.market.store, tables },
          { items, costCents, terms, at: deps.clock(), withModeled: false },
        );
        return JSON.stringify(presentBox(box));
      },
    };
  };
}

type SentItem = EndpointInput<'evaluateBox'>['body']['items'][number];

function statedItem(sent: SentItem, index: number): EnteredItem {
  const { kind, number } = namedItem(sent, `'items.${index}'`);
  const { quantity = 1 } = sent;
  return { kind, number, quantity, ...statedUnit(kind, sent, `'items.${index}'`) };
}

/** A number with at most two decimals, times a hundred; null if absent. */
function readHundredths(name: string, value: number | undefined): number | null {
  if (value === undefined) return null;
  const hundredths = toCents(value);
  if (hundredths === null) {
    throw bad(`In the body, '${name}' must have at most two decimals; got ${value}.`);
  }
  return hundredths;
}

/** A share with at most four decimals, as in a query; null if absent. */
function readShare(share: number | undefined): number | null {
  if (share === undefined) return null;
  if (roundTo(share, 4) !== share) {
    throw bad(`In the body, 'share' must have at most four decimals; got ${share}.`);
  }
  return share;
}

function presentBox({ items, range, best, ...box }: EvaluatedBox): Evaluation {
  const maxBidCents = best?.maxBidCents ?? null;
  return {
    items: items.map(presentItem),
    summary: {
      units: box.units,
      units_valued: box.unitsValued,
      sum_of_values_usd: toUsd(box.sumOfValuesCents),
      low_usd: range && toUsd(range.lowCents),
      median_usd: range && toUsd(range.medianCents),
      high_usd: range && toUsd(range.highCents),
      max_bid_usd: toUsdOrNull(maxBidCents),
      // Without a bid there is no best channel.
      best_channel: maxBidCents === null ? null : (best?.channel ?? null),
      profit_usd: toUsdOrNull(box.profitCents),
    },
  };
}

function presentItem(item: EvaluatedItem): Evaluation['items'][number] {
  return {
    item_type: item.kind,
    number: item.number,
    title: item.title,
    condition: item.condition,
    quantity: item.quantity,
    found: item.isFound,
    unit_value_usd: toUsdOrNull(item.unitValueCents),
    total_value_usd: toUsdOrNull(item.totalValueCents),
    data_tier: item.tier,
    cost_usd: toUsdOrNull(item.costCents),
    ...presentGraded(item.graded),
  };
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
