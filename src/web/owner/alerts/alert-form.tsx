/** The form of an alert rule. */

import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { hasAddress } from '../../../alerts/channels/delivery-channel-kinds.ts';
import {
  type AlertCondition,
  type AlertRuleFacts,
  type AlertScope,
  alertLimits,
  digests,
} from '../../../alerts/conditions/alert-rule.ts';
import { ruleText } from '../../../alerts/conditions/alert-words.ts';
import type { WatchList } from '../../../alerts/watchlists/watch-list.ts';
import { cutText } from '../../../kernel/text.ts';
import { valueMovePercent } from '../../../market/events/next-events.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, Choice, Fault, Field, faultyProps, useTyped } from '../../kit/fields.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import { dollarSign } from '../../kit/format.ts';
import { conditionChoices, conditionValue, scopePhrase } from './alert-sentence.ts';
import { channelText, digestText, listName, noChannelText, type RuleNames } from './alert-text.ts';

export interface RuleChoices {
  readonly lists: readonly WatchList[];
  readonly themes: readonly string[];
  /** Without email, which is offered whenever email can be sent. */
  readonly channels: readonly DeliveryChannel[];
  readonly canMail: boolean;
  readonly timeZone: string;
  /** Max buy prices are part of the Reseller plan. */
  readonly hasPlan: boolean;
}

/** The rule as entered. Its email channel may not exist yet. */
type TypedRule = AlertRuleFacts & { readonly usesEmail: boolean };

/** The limits of percentages. Smaller moves of a value cause no event, so no alert either. */
const percentLimits = {
  price_of_value: { min: 1, max: 1_000 },
  price_of_max_buy: { min: 1, max: 1_000 },
  margin: { min: 1, max: 1_000 },
  value_up: { min: valueMovePercent, max: 1_000 },
  value_down: { min: valueMovePercent, max: 99 },
  sell_through: { min: 1, max: 100 },
};

/** Reads the form. The result may be used only if `fields.isGood`. */
export function readRule(fields: FormReader, choices: RuleChoices): TypedRule {
  const scope = readScope(fields, choices);
  const condition = readCondition(fields);
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
      .filter((channel) => fields.form.isTicked(channelField(channel)))
      .map(({ id }) => id),
    usesEmail: choices.canMail && fields.form.isTicked('channel_email'),
    repeatDays: fields.wholeOrNull('repeat_days', { min: 1, max: alertLimits.repeatDaysMax }),
    digest: fields.word('digest', digests),
    dailyCap: fields.whole('daily_cap', { min: 1, max: alertLimits.capMax }),
  };
}

export function usualName(
  rule: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  lists: RuleNames['lists'],
): string {
  return cutText(ruleText(rule, listName(rule, lists)), alertLimits.nameLength);
}

/** The name of the checkbox of a channel; that of email is known before the channel exists. */
function channelField({ id, kind }: DeliveryChannel): string {
  return hasAddress(kind) ? `channel_${id}` : 'channel_email';
}

function readScope(fields: FormReader, { lists, themes }: RuleChoices): AlertScope {
  const text = fields.form.text('scope');
  if (text === 'holdings' || text === 'all') return { kind: text };
  const list = lists.find(({ id }) => text === `list:${id}`);
  if (list) return { kind: 'list', listId: list.id };
  const theme = themes.find((name) => text === `theme:${name}`);
  if (theme !== undefined) return { kind: 'theme', theme };
  fields.fail('scope', 'Choose one of the options.');
  return { kind: 'all' };
}

function readCondition(fields: FormReader): AlertCondition {
  const kind = fields.form.text('condition');
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
      return { kind, cents: readAmount(fields) };
    case 'price_of_value':
    case 'price_of_max_buy':
    case 'margin':
    case 'value_up':
    case 'value_down':
    case 'sell_through':
      return { kind, percent: fields.basisPoints('amount', percentLimits[kind]) / 100 };
    default:
      fields.fail('condition', 'Choose one of the options.');
      return { kind: 'all_time_low' };
  }
}

function readAmount(fields: FormReader): number {
  const cents = fields.cents('amount');
  if (cents === 0) fields.fail('amount', 'Enter an amount above 0.');
  return cents;
}

export function ruleValues(rule: AlertRuleFacts, channels: readonly DeliveryChannel[]) {
  return {
    name: rule.name,
    scope: scopeValue(rule.scope),
    ...conditionValues(rule.condition),
    ...channelValues(channels.filter(({ id }) => rule.channelIds.includes(id))),
    repeat_days: rule.repeatDays === null ? '' : String(rule.repeatDays),
    digest: rule.digest,
    daily_cap: String(rule.dailyCap),
  };
}

export function channelValues(channels: readonly DeliveryChannel[]) {
  return Object.fromEntries(channels.map((channel) => [channelField(channel), 'yes']));
}

function scopeValue(scope: AlertScope): string {
  if (scope.kind === 'list') return `list:${scope.listId}`;
  return scope.kind === 'theme' ? `theme:${scope.theme}` : scope.kind;
}

function conditionValues(condition: AlertCondition): Record<string, string> {
  const chosen = { condition: conditionValue(condition) };
  if ('cents' in condition) return { ...chosen, amount: amountText(condition.cents) };
  return 'percent' in condition ? { ...chosen, amount: String(condition.percent) } : chosen;
}

interface FieldsProps {
  readonly choices: RuleChoices;
}

export function RuleFields({ choices }: FieldsProps) {
  return (
    <>
      <Card>
        <Sentence choices={choices} />
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
    </>
  );
}

/** The alert as a sentence with choices in it. The style sheet hides an amount that is not used. */
function Sentence({ choices }: FieldsProps) {
  const typed = useTyped();
  const amountFaults = [typed.faults.scope, typed.faults.condition, typed.faults.amount];
  return (
    <div class="field">
      <p class="sentence">
        Tell me when <ScopeChoice choices={choices} /> <ConditionChoices choices={choices} />
        <span class="amount">
          <span class="dollars" aria-hidden="true">
            {dollarSign()}
          </span>
          <input
            id="field-amount"
            name="amount"
            inputmode="decimal"
            autocomplete="off"
            value={typed.values.amount}
            aria-label="Amount in dollars, or percentage"
            {...faultyProps(typed, 'amount')}
          />
          <span class="percent" aria-hidden="true">
            %
          </span>
        </span>
      </p>
      {amountFaults.some(Boolean) && (
        <>
          <Fault typed={typed} name="scope" />
          <Fault typed={typed} name="condition" />
          <Fault typed={typed} name="amount" />
        </>
      )}
      {choices.lists.length === 0 && (
        <span class="hint">
          Target prices are set on a watchlist. <a href="/watchlist">Create a watchlist first</a>
        </span>
      )}
    </div>
  );
}

function ScopeChoice({ choices: { lists, themes } }: FieldsProps) {
  const typed = useTyped();
  const option = (value: string, scope: AlertScope, listName: string | null = null) => (
    <option key={value} value={value} selected={typed.values.scope === value}>
      {scopePhrase(scope, listName)}
    </option>
  );
  return (
    <select name="scope" aria-label="Items" {...faultyProps(typed, 'scope')}>
      {option('holdings', { kind: 'holdings' })}
      {option('all', { kind: 'all' })}
      {lists.length > 0 && (
        <optgroup label="Watchlists">
          {lists.map(({ id, name }) => option(`list:${id}`, { kind: 'list', listId: id }, name))}
        </optgroup>
      )}
      {themes.length > 0 && (
        <optgroup label="Themes">
          {themes.map((theme) => option(`theme:${theme}`, { kind: 'theme', theme }))}
        </optgroup>
      )}
    </select>
  );
}

function ConditionChoices({ choices: { hasPlan, lists } }: FieldsProps) {
  const typed = useTyped();
  const shown = conditionChoices.filter(({ value }) => hasPlan || value !== 'price_of_max_buy');
  const isOff = (value: string) => value === 'price_target' && lists.length === 0;
  return (
    <select name="condition" aria-label="Condition" {...faultyProps(typed, 'condition')}>
      {shown.map(({ value, text, unit }) => (
        <option
          key={value}
          value={value}
          data-unit={unit ?? 'none'}
          selected={typed.values.condition === value && !isOff(value)}
          disabled={isOff(value)}
        >
          {text.replace('$', dollarSign())}
        </option>
      ))}
    </select>
  );
}

function ChannelFields({ choices: { channels, canMail } }: FieldsProps) {
  const typed = useTyped();
  const names = ['channel_email', ...channels.map(channelField)];
  return (
    <fieldset class="options">
      <legend>Send to</legend>
      {canMail && <Checkbox name="channel_email" label="Email" />}
      {channels.map((channel) => (
        <Checkbox key={channel.id} name={channelField(channel)} label={channelText(channel)} />
      ))}
      {!names.some((name) => typed.values[name]) && <p class="warning flush">{noChannelText}</p>}
      <p class="small flush">
        <a href="/alerts/settings">Channels and time zone</a>
      </p>
    </fieldset>
  );
}
