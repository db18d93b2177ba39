/** Texts of alerts: conditions, and the reasons in messages. */

import { dollarText } from '../../kernel/money.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import type { AlertCondition, AlertRuleFacts, AlertScope } from './alert-rule.ts';
import type { MetFacts } from './is-met.ts';
import type { Subject } from './notification.ts';

export type RetailerNames = Readonly<Record<Retailer, string>>;

const usd = (cents: number | null) => dollarText(cents ?? 0);

/** A percentage with at most one decimal. */
const percentOf = (part: number | null, whole: number | null) =>
  `${Math.round(((part ?? 0) * 1_000) / (whole || 1)) / 10}%`;

/** The difference in percent of the earlier amount, without a sign. */
const percentBetween = (now: number | null, before: number | null) =>
  percentOf(Math.abs((now ?? 0) - (before ?? 0)), before);

/** The event as a sentence without its period. */
export function reasonText(
  condition: AlertCondition,
  facts: MetFacts,
  { subject, names }: { readonly subject: Subject; readonly names: RetailerNames },
): string {
  const { retailer } = subject;
  const shop = retailer === null ? 'the retailer' : names[retailer];
  const item = `${subject.number} ${subject.title}`;
  const { priceCents, valueCents, baseCents, targetCents, maxBuyCents, held } = facts;
  const price = `${item} is ${usd(priceCents)} at ${shop}`;
  switch (condition.kind) {
    case 'price_target':
      return `${price}, ${atOrBelow(priceCents, targetCents)} your target of ${usd(targetCents)}`;
    case 'price_amount': {
      const { cents } = condition;
      return `${price}, ${atOrBelow(priceCents, cents)} your limit of ${usd(cents)}`;
    }
    case 'price_of_value':
      return `${price}, ${percentOf(priceCents, valueCents)} of its value of ${usd(valueCents)}`;
    case 'price_of_max_buy': {
      const isPlain = condition.percent === 100;
      const share = `${percentOf(priceCents, maxBuyCents)} of`;
      const how = isPlain ? atOrBelow(priceCents, maxBuyCents) : share;
      return `${price}, ${how} your max buy price of ${usd(maxBuyCents)}`;
    }
    case 'all_time_low':
      return `${price}, its all-time low`;
    case 'flip':
      return condition.to === 'third_party'
        ? `${item} is now sold only by third parties at ${shop}`
        : `${item} is sold by ${shop} itself again`;
    case 'back_in_stock':
      return `${item} is back in stock at ${shop} for ${usd(priceCents)}`;
    case 'value_up':
    case 'value_down': {
      const way = condition.kind === 'value_up' ? 'up' : 'down';
      const change = `${way} ${percentBetween(valueCents, baseCents)} from ${usd(baseCents)}`;
      return `${item} is worth ${usd(valueCents)}, ${change}`;
    }
    case 'margin': {
      const [worth, cost] = [held?.valueCents ?? 0, held?.costCents ?? 0];
      const over = `${percentBetween(worth, cost)} over its cost basis of ${usd(cost)}`;
      return `Your ${item} is worth ${usd(worth)}, ${over}`;
    }
    case 'sell_through':
      return `${item} has a sell-through of ${facts.sellThrough}% over 90 days`;
  }
}

function atOrBelow(cents: number | null, limit: number | null): string {
  if (cents === limit) return 'at';
  const share = percentBetween(cents, limit);
  return share === '0%' ? 'just below' : `${share} below`;
}

export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'price_target':
      return 'Price at or below target';
    case 'price_amount':
      return `Price at or below ${usd(condition.cents)}`;
    case 'price_of_value':
      return `Price at or below ${condition.percent}% of value`;
    case 'price_of_max_buy':
      return condition.percent === 100
        ? 'Price at or below max buy price'
        : `Price at or below ${condition.percent}% of max buy price`;
    case 'all_time_low':
      return 'New all-time low';
    case 'flip':
      return condition.to === 'third_party'
        ? 'No longer sold by the retailer, only by third parties'
        : 'Sold by the retailer again';
    case 'back_in_stock':
      return 'Back in stock';
    case 'value_up':
      return `Value up ${condition.percent}% or more`;
    case 'value_down':
      return `Value down ${condition.percent}% or more`;
    case 'margin':
      return `Gain of ${condition.percent}% or more over cost basis`;
    case 'sell_through':
      return `Sell-through of ${condition.percent}% or more`;
  }
}

/** The condition and scope of a rule: "Price at or below target, on Retiring soon". */
export function ruleText(
  { scope, condition }: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  listName: string | null,
): string {
  return `${conditionText(condition)}, ${scopeText(scope, listName)}`;
}

function scopeText(scope: AlertScope, listName: string | null): string {
  switch (scope.kind) {
    case 'holdings':
      return 'on your holdings';
    case 'list':
      return `on ${listName ?? 'a deleted list'}`;
    case 'theme':
      return `in ${scope.theme}`;
    case 'all':
      return 'on everything';
  }
}

/** The name of a rule, followed by its text unless that starts with the name. */
function titleText(
  rule: Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>,
  listName: string | null,
): string {
  const text = ruleText(rule, listName);
  return text.startsWith(rule.name) ? text : `${rule.name} (${text})`;
}

export function whyText(
  rule: Pick<AlertRuleFacts, 'name' | 'scope' | 'condition'>,
  listName: string | null,
): string {
  return `You're getting this because of your alert: ${titleText(rule, listName)}.`;
}
