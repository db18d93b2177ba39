/** The form of an alert rule. */

import {
  type AlertCondition,
  type AlertRuleFacts,
  type AlertScope,
  alertLimits,
  digests,
} from '../../../domain/alerts/alert-rule.ts';
import { ruleText } from '../../../domain/alerts/alert-words.ts';
import type { WatchList } from '../../../domain/alerts/watch-list.ts';
import type { DeliveryChannel } from '../../../domain/delivery/delivery-channel.ts';
import { cutText } from '../../../domain/kernel/text.ts';
import { valueMovePercent } from '../../../domain/market/next-events.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, Choice, Fault, Field, faultyProps, useTyped } from '../../kit/fields.tsx';
import { dollarSign } from '../../kit/format.ts';
import { amountText, type TypedFields } from '../../kit/typed-fields.ts';
import {
  channelText,
  digestText,
  listName,
  needsPlanText,
  noChannelText,
  type RuleNames,
} from './alert-text.ts';

/** The lists, themes and channels to choose from. */
export interface RuleChoices {
  readonly lists: readonly WatchList[];
  readonly themes: readonly string[];
  /** Without email, which is offered whenever email can be sent. */
  readonly channels: readonly DeliveryChannel[];
  readonly canMail: boolean;
  /** The time zone of digests. */
  readonly timeZone: string;
  /** Max buy prices are part of the Reseller plan. */
  readonly hasPlan: boolean;
}

/** The rule as entered. Its email channel may not exist yet. */
export type TypedRule = AlertRuleFacts & { readonly usesEmail: boolean };

/** A condition to choose, and its field. */
interface ConditionChoice {
  readonly value: string;
  readonly label: string;
  readonly typed?: 'amount' | 'percent';
  /** The text after the field. */
  readonly after?: string;
}

const conditionChoices: readonly ConditionChoice[] = [
  { value: 'price_target', label: 'Price at or below its target' },
  { value: 'price_amount', label: 'Price at or below an amount', typed: 'amount' },
  {
    value: 'price_of_value',
    label: 'Price at or below a percentage of value',
    typed: 'percent',
    after: '%',
  },
  {
    value: 'price_of_max_buy',
    label: 'Price at or below my max buy price',
    typed: 'percent',
    after: '% of it',
  },
  { value: 'all_time_low', label: 'New all-time low price' },
  { value: 'back_in_stock', label: 'Back in stock' },
  { value: 'flip_third_party', label: 'No longer sold by the retailer, only by third parties' },
  { value: 'flip_retailer', label: 'Sold by the retailer again' },
  { value: 'value_up', label: 'Value up', typed: 'percent', after: '% or more' },
  { value: 'value_down', label: 'Value down', typed: 'percent', after: '% or more' },
  {
    value: 'margin',
    label: 'Gain over cost basis, for sets I own',
    typed: 'percent',
    after: '% or more',
  },
];

/** The limits of percentages. Smaller moves of a value cause no event, so no alert either. */
const percentLimits = {
  price_of_value: { min: 1, max: 1_000 },
  price_of_max_buy: { min: 1, max: 1_000 },
  margin: { min: 1, max: 1_000 },
  value_up: { min: valueMovePercent, max: 1_000 },
  value_down: { min: valueMovePercent, max: 99 },
};

/** Reads the form. The result may be used only if `fields.isGood`. */
export function readRule(fields: TypedFields, choices: RuleChoices): TypedRule {
  const scope = readScope(fields, choices);
  const condition = readCondition(fields, choices);
  if (condition.kind === 'price_target' && scope.kind !== 'list') {
    fields.fail('scope', 'Targets are set on a watchlist. Choose one.');
  }
  if (condition.kind === 'margin' && scope.kind !== 'holdings') {
    fields.fail('scope', 'Gains are measured on what you own. Choose My holdings.');
  }
  return {
    name:
      fields.textOrNull('name', alertLimits.nameLength) ??
      usualName({ scope, condition }, choices.lists),
    scope,
    condition,
    channelIds: choices.channels
      .filter(({ id }) => fields.form.isTicked(channelField(id)))
      .map(({ id }) => id),
    usesEmail: choices.canMail && fields.form.isTicked('channel_email'),
    repeatDays: fields.wholeOrNull('repeat_days', { min: 1, max: alertLimits.repeatDaysMax }),
    digest: fields.word('digest', digests),
    dailyCap: fields.whole('daily_cap', { min: 1, max: alertLimits.capMax }),
  };
}

/** The default name of a rule. */
export function usualName(
  rule: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  lists: RuleNames['lists'],
): string {
  return cutText(ruleText(rule, listName(rule, lists)), alertLimits.nameLength);
}

/** The name of the checkbox of a channel other than email. */
export function channelField(id: number): string {
  return `channel_${id}`;
}

function readScope(fields: TypedFields, { lists, themes }: RuleChoices): AlertScope {
  const text = fields.form.text('scope');
  if (text === 'holdings' || text === 'all') return { kind: text };
  const list = lists.find(({ id }) => text === `list:${id}`);
  if (list) return { kind: 'list', listId: list.id };
  const theme = themes.find((name) => text === `theme:${name}`);
  if (theme !== undefined) return { kind: 'theme', theme };
  fields.fail('scope', 'Choose one of the options.');
  return { kind: 'all' };
}

/** Reads the chosen condition and its field; the fields of others are ignored. */
function readCondition(fields: TypedFields, { hasPlan }: RuleChoices): AlertCondition {
  const kind = fields.form.text('condition');
  if (kind === 'price_of_max_buy' && !hasPlan) {
    fields.fail('condition', needsPlanText);
  }
  switch (kind) {
    case 'price_target':
    case 'all_time_low':
    case 'back_in_stock':
      return { kind };
    case 'flip_third_party':
      return { kind: 'flip', to: 'third_party' };
    case 'flip_retailer':
      return { kind: 'flip', to: 'retailer' };
    case 'price_amount':
      return { kind, cents: readAmount(fields, kind) };
    case 'price_of_value':
    case 'price_of_max_buy':
    case 'margin':
    case 'value_up':
    case 'value_down':
      return { kind, percent: fields.basisPoints(kind, percentLimits[kind]) / 100 };
    default:
      fields.fail('condition', 'Choose one of the options.');
      return { kind: 'all_time_low' };
  }
}

function readAmount(fields: TypedFields, name: string): number {
  const cents = fields.cents(name);
  if (cents === 0) fields.fail(name, 'Enter an amount above 0.');
  return cents;
}

/** The values of the form for a rule. */
export function ruleValues(
  rule: AlertRuleFacts,
  channels: readonly DeliveryChannel[],
): Readonly<Record<string, string>> {
  const { condition, scope } = rule;
  const used = channels.filter(({ id }) => rule.channelIds.includes(id));
  return {
    name: rule.name,
    scope: scopeValue(scope),
    ...conditionValues(condition),
    ...Object.fromEntries(
      used.map(({ id, kind }) => [kind === 'email' ? 'channel_email' : channelField(id), 'yes']),
    ),
    repeat_days: rule.repeatDays === null ? '' : String(rule.repeatDays),
    digest: rule.digest,
    daily_cap: String(rule.dailyCap),
  };
}

function scopeValue(scope: AlertScope): string {
  if (scope.kind === 'list') return `list:${scope.listId}`;
  return scope.kind === 'theme' ? `theme:${scope.theme}` : scope.kind;
}

function conditionValues(condition: AlertCondition): Record<string, string> {
  const { kind } = condition;
  if (kind === 'flip') return { condition: `flip_${condition.to}` };
  if ('cents' in condition) return { condition: kind, [kind]: amountText(condition.cents) };
  if ('percent' in condition) return { condition: kind, [kind]: String(condition.percent) };
  return { condition: kind };
}

interface FieldsProps {
  readonly choices: RuleChoices;
}

export function RuleFields({ choices }: FieldsProps) {
  return (
    <div class="grid halves">
      <Card class="form-column">
        <ScopeField choices={choices} />
        <ConditionFields choices={choices} />
      </Card>
      <Card class="form-column">
        <ChannelFields choices={choices} />
        <Choice
          name="digest"
          label="How often"
          options={digests.map((digest) => [digest, digestText(digest, choices.timeZone)])}
        />
        <div class="form-grid">
          <Field
            name="repeat_days"
            label="Repeat after (days)"
            inputmode="numeric"
            hint="Optional. Alerts again if it still matches."
          />
          <Field
            name="daily_cap"
            label="Daily limit"
            inputmode="numeric"
            isRequired
            hint="Matches above the limit are listed but not sent."
          />
        </div>
        <Field
          name="name"
          label="Name"
          maxlength={alertLimits.nameLength}
          hint="Optional. Shown in messages."
        />
      </Card>
    </div>
  );
}

function ScopeField({ choices: { lists, themes } }: FieldsProps) {
  return (
    <Choice
      name="scope"
      label="Items"
      options={[
        ['holdings', 'My holdings'],
        ['all', 'Everything'],
      ]}
      groups={[
        { label: 'Watchlists', options: lists.map(({ id, name }) => [`list:${id}`, name]) },
        { label: 'Themes', options: themes.map((name) => [`theme:${name}`, name]) },
      ]}
    />
  );
}

function ConditionFields({ choices: { hasPlan, lists } }: FieldsProps) {
  const typed = useTyped();
  const shown = conditionChoices.filter(({ value }) => hasPlan || value !== 'price_of_max_buy');
  return (
    <fieldset class="options">
      <legend>When</legend>
      {shown.map((choice) => (
        <ConditionOption
          key={choice.value}
          choice={choice}
          needsList={choice.value === 'price_target' && lists.length === 0}
        />
      ))}
      <Fault typed={typed} name="condition" />
    </fieldset>
  );
}

function ConditionOption(props: {
  readonly choice: ConditionChoice;
  /** Whether it needs a watchlist and there is none. */
  readonly needsList: boolean;
}) {
  const { choice, needsList } = props;
  const typed = useTyped();
  const { value, label } = choice;
  const id = `condition-${value}`;
  return (
    <div class="option">
      <label class="tick" for={id}>
        <input
          id={id}
          type="radio"
          name="condition"
          value={value}
          checked={typed.values.condition === value && !needsList}
          disabled={needsList}
          aria-describedby={typed.faults.condition ? 'field-condition-fault' : undefined}
        />
        {label}
      </label>
      {needsList && <a href="/watchlist">Create a watchlist first</a>}
      {choice.typed && (
        <span class="beside">
          {choice.typed === 'amount' && <span aria-hidden="true">{dollarSign()}</span>}
          <input
            id={`field-${value}`}
            name={value}
            inputmode="decimal"
            autocomplete="off"
            value={typed.values[value]}
            aria-label={`${label}: ${choice.typed === 'amount' ? 'dollars' : 'percent'}`}
            {...faultyProps(typed, value)}
          />
          {choice.after && <span aria-hidden="true">{choice.after}</span>}
        </span>
      )}
      <Fault typed={typed} name={value} />
    </div>
  );
}

function ChannelFields({ choices: { channels, canMail } }: FieldsProps) {
  const typed = useTyped();
  const names = ['channel_email', ...channels.map(({ id }) => channelField(id))];
  return (
    <fieldset class="options">
      <legend>Send to</legend>
      {canMail && <Checkbox name="channel_email" label="Email" />}
      {channels.map((channel) => (
        <Checkbox key={channel.id} name={channelField(channel.id)} label={channelText(channel)} />
      ))}
      {!names.some((name) => typed.values[name]) && <p class="warning flush">{noChannelText}</p>}
      <p class="small flush">
        <a href="/alerts/settings">Channels and time zone</a>
      </p>
    </fieldset>
  );
}
