/** Max buy prices and box evaluations. */

import { boxUnitsMax } from '../../buying/boxes/box-worth.ts';
import {
  type EnteredItem,
  type EnteredUnit,
  type EvaluatedBox,
  type EvaluatedItem,
  evaluateBox,
  findItems,
  type GradedUnit,
  uniqueItems,
} from '../../buying/boxes/evaluate.work.ts';
import { type BuyTerms, defaultTerms, type Quote } from '../../buying/boxes/quotes.ts';
import {
  findResaleItem,
  gradedItem,
  type ResaleItem,
} from '../../buying/prices/resale-item.work.ts';
import {
  type FeeTables,
  feesOf,
  type SellingChannel,
} from '../../buying/prices/selling-channels.ts';
import { buyWarningsOf, type WhatToPay, whatToPay } from '../../buying/prices/what-to-pay.ts';
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { bad } from '../../contract/input-messages.ts';
import { batchItemsMax } from '../../contract/limits.ts';
import type { Evaluation } from '../../contract/plus/evaluate.ts';
import type { MaxBuy } from '../../contract/plus/max-buy.ts';
import { toCents, toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { shortText } from '../../kernel/text.ts';
import { leftOutOf } from '../../market/fees/left-out-fees.ts';
import {
  conditionOfGrade,
  type Grade,
  gradeShare,
  parseGrade,
} from '../../market/grades/grades.ts';
import { type Condition, usualCondition } from '../../market/source-rows/source-rows.ts';
import { AnswerData, dataOf } from '../answer-data.ts';
import { batchElements, checkBatchSize, summaryJson } from '../batch-items.ts';
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
    getMaxBuy: ({ query }) => {
      const { kind, number } = namedItem(query);
      const { condition, grade } = statedUnit(kind, query);
      return {
        read: async (caller) => {
          const whole = await findResaleItem(deps.market.store, kind, number);
          if (!whole) return { missing: `There is no ${kind} '${shortText(number)}'.` };
          const graded = grade && (await findGraded(deps, grade));
          const { terms, tables } = await ownTerms(deps, caller, requestedTerms(query));
          const question = { terms, tables, at: deps.clock(), channel: query.channel ?? null };
          return dataOf(quoteUnit(whole, { condition, graded }, question));
        },
      };
    },
    getMaxBuyBatch: getMaxBuyBatch(deps),
    evaluateBox: evaluate(deps),
  } satisfies Partial<Handlers>;
}

/** `POST /max-buy/batch` */
function getMaxBuyBatch(deps: HandlerDeps): Handler<'getMaxBuyBatch'> {
  return ({ body }) => {
    const units = uniqueItems(body.items.map(statedUnitOf));
    checkBatchSize(units.length);
    const requested = bodyTerms(body);
    return {
      isExpensive: true,
      cost: units.length,
      read: async (caller) => {
        const items = await findItems(deps.market.store, units);
        const { terms, tables } = await ownTerms(deps, caller, requested);
        const question = { terms, tables, at: deps.clock(), channel: body.channel ?? null };
        const make = ({ kind, number, condition, grade }: EnteredUnit) => {
          const item = items[kind].get(itemKey(kind, number));
          const graded = grade ? { grade, effect: gradeShare(grade, items.effects) } : undefined;
          return item ? quoteUnit(item, { condition, graded }, question) : null;
        };
        const missing = ({ kind, number }: EnteredUnit) => {
          return { item_type: kind, number, found: false };
        };
        const { elements, found } = await batchElements(units, make, missing);
        return new AnswerData(`{"items":[${elements}],${summaryJson(units.length, found)}}`);
      },
    };
  };
}

/** The terms of a caller, and the requested channel; null for all. */
interface QuoteQuestion {
  readonly terms: BuyTerms;
  readonly tables: FeeTables;
  readonly at: number;
  readonly channel: SellingChannel | null;
}

/** The max buy price of one unit of an item, in its grade if one is given. */
function quoteUnit(
  whole: ResaleItem,
  unit: { readonly condition: Condition; readonly graded: GradedUnit | undefined },
  { terms, tables, at, channel }: QuoteQuestion,
): MaxBuy {
  const { condition, graded } = unit;
  const item = graded ? gradedItem(whole, condition, graded.effect) : whole;
  const answer = whatToPay(tables, item.resale[condition], {
    terms,
    at,
    channel,
    withModeled: false,
  });
  return { ...presentMaxBuy(item, { condition, terms }, answer), ...presentGraded(graded) };
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
  { condition, terms }: { readonly condition: Condition; readonly terms: BuyTerms },
  { reason, best, quotes, salesPerMonth }: WhatToPay,
): MaxBuy {
  const resale = item.resale[condition];
  const chosen = reason === null ? best : null;
  return {
    item_type: item.kind,
    number: item.number,
    title: item.title,
    condition,
    share: terms.share,
    margin_pct: terms.marginBasisPoints / 100,
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
    cheapest: quote.wait?.isCheapest ?? false,
    wait_assumed: quote.wait?.isAssumed ?? true,
  };
}

/** `POST /evaluate` */
function evaluate(deps: HandlerDeps): Handler<'evaluateBox'> {
  return ({ body }) => {
    const items = body.items.map(statedItem);
    const unique = uniqueItems(items).length;
    if (unique > batchItemsMax) {
      throw bad(`The box has ${unique} unique items; at most ${batchItemsMax} are allowed.`);
    }
    const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
    if (units > boxUnitsMax) {
      throw bad(`The box has ${units} units; at most ${boxUnitsMax} are allowed.`);
    }
    const costCents = readHundredths('cost_usd', body.cost_usd);
    const requested = bodyTerms(body);
    return {
      isExpensive: true,
      cost: unique,
      read: async (caller) => {
        const { terms, tables } = await ownTerms(deps, caller, requested);
        const box = await evaluateBox(
          { market: deps.market.store, tables },
          { items, costCents, terms, at: deps.clock(), withModeled: false },
        );
        return dataOf(presentBox(box));
      },
    };
  };
}

type SentItem = EndpointInput<'evaluateBox'>['body']['items'][number];

function statedItem(sent: SentItem, index: number): EnteredItem {
  return { ...statedUnitOf(sent, index), quantity: sent.quantity ?? 1 };
}

function statedUnitOf(sent: Omit<SentItem, 'quantity'>, index: number): EnteredUnit {
  const where = `'items.${index}'`;
  const { kind, number } = namedItem(sent, where);
  return { kind, number, ...statedUnit(kind, sent, where) };
}

/** The terms in a body; those that are not given have their defaults. */
function bodyTerms(body: {
  readonly share?: number;
  readonly margin_pct?: number;
}): RequestedTerms {
  const margin = readHundredths('margin_pct', body.margin_pct);
  return {
    share: readShare(body.share) ?? defaultTerms.share,
    marginBasisPoints: margin ?? defaultTerms.marginBasisPoints,
  };
}

/** A number with at most two decimals, times a hundred; null if absent. */
export function readHundredths(name: string, value: number | null | undefined): number | null {
  if (value === undefined || value === null) return null;
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
