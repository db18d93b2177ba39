/** What an alert says: what happened, and why it is told. */
import type { ItemKind } from '../catalog/numbers.ts';
import { dollarText } from '../kernel/money.ts';
import type { Retailer } from '../market/source-rows.ts';
import type { AlertCondition, AlertRuleFacts, AlertScope } from './alert-rule.ts';
import type { MetFacts } from './is-met.ts';

/** What retailers are called here. */
export type RetailerNames = Readonly<Record<Retailer, string>>;

/** What a sentence is about. */
export interface Subject {
  readonly itemKind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
}

const usd = (cents: number | null) => dollarText(cents ?? 0);

/** How many percent of something an amount is, at most with one place. */
const percentOf = (part: number | null, whole: number | null) =>
  `${Math.round(((part ?? 0) * 1_000) / (whole || 1)) / 10}%`;

/** By how many percent an amount is above another one, or below. */
const percentBetween = (now: number | null, before: number | null) =>
  percentOf(Math.abs((now ?? 0) - (before ?? 0)), before);

/** What happened, in one sentence without its period. */
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
  }
}

function atOrBelow(cents: number | null, limit: number | null): string {
  return cents === limit ? 'at' : 'below';
}

/** Why a message is sent: what the owner of a rule waited for. */
export function whyText(
  { scope, condition }: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  listName: string | null,
): string {
  return `You're getting this because ${whenText(condition, scopeText(scope, listName))}.`;
}

function scopeText(scope: AlertScope, listName: string | null): string {
  switch (scope.kind) {
    case 'holdings':
      return 'a set you hold';
    case 'list':
      return `an item on “${listName ?? 'your list'}”`;
    case 'theme':
      return `a set in ${scope.theme}`;
    case 'all':
      return 'an item';
  }
}

function whenText(condition: AlertCondition, what: string): string {
  switch (condition.kind) {
    case 'price_target':
      return `the price of ${what} is at or below its target`;
    case 'price_amount':
      return `the price of ${what} is at or below ${usd(condition.cents)}`;
    case 'price_of_value':
      return `the price of ${what} is at or below ${condition.percent}% of its value`;
    case 'price_of_max_buy': {
      const share = condition.percent === 100 ? '' : `${condition.percent}% of `;
      return `the price of ${what} is at or below ${share}your max buy price`;
    }
    case 'all_time_low':
      return `${what} is at its all-time low`;
    case 'flip':
      return condition.to === 'third_party'
        ? `${what} is no longer sold by the retailer itself`
        : `${what} is sold by the retailer itself again`;
    case 'back_in_stock':
      return `${what} is back in stock`;
    case 'value_up':
      return `the value of ${what} went up by ${condition.percent}% or more`;
    case 'value_down':
      return `the value of ${what} went down by ${condition.percent}% or more`;
    case 'margin':
      return `the value of ${what} is ${condition.percent}% or more over its cost basis`;
  }
}
