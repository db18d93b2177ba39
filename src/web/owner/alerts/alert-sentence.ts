/** Alerts as sentences: "Tell me when anything on Retiring soon is offered at or below $50.00". */
import type { AlertCondition, AlertScope } from '../../../alerts/conditions/alert-rule.ts';
import { dollarText } from '../../../kernel/money.ts';
import { inDollars } from '../../kit/format.ts';

/** By the value of the choice; `$` is an amount, `%` a percentage. */
const conditionPhrases = {
  price_target: 'is offered at or below its target price',
  price_amount: 'is offered at or below $',
  price_of_value: 'is offered at or below % of its value',
  price_of_max_buy: 'is offered at or below % of my max buy price',
  all_time_low: 'is offered at a new all-time low',
  back_in_stock: 'is back in stock',
  flip_third_party: 'is only sold by third parties',
  flip_retailer: 'is sold by the retailer again',
  value_up: 'goes up in value by % or more',
  value_down: 'goes down in value by % or more',
  margin: 'has gained % or more on what I paid',
  sell_through: 'has a sell-through of % or more over 90 days',
} as const satisfies Readonly<Record<string, string>>;

/** The conditions to choose, and what has to be entered for each. */
export const conditionChoices = Object.entries(conditionPhrases).map(([value, phrase]) => ({
  value,
  text: phrase.replace('$', '$ …').replace('%', '… %'),
  unit: phrase.includes('$') ? '$' : phrase.includes('%') ? '%' : null,
}));

export function conditionValue(condition: AlertCondition): keyof typeof conditionPhrases {
  return condition.kind === 'flip' ? `flip_${condition.to}` : condition.kind;
}

export function conditionPhrase(condition: AlertCondition): string {
  const phrase = conditionPhrases[conditionValue(condition)];
  if ('cents' in condition)
    return phrase.replace('$', () => inDollars(dollarText(condition.cents)));
  return 'percent' in condition ? phrase.replace('%', `${condition.percent}%`) : phrase;
}

/** `listName` is null if the list was deleted. */
export function scopePhrase(scope: AlertScope, listName: string | null): string {
  switch (scope.kind) {
    case 'holdings':
      return 'anything I own';
    case 'list':
      return `anything on ${listName ?? 'a deleted list'}`;
    case 'theme':
      return `anything in ${scope.theme}`;
    case 'all':
      return 'anything';
  }
}
