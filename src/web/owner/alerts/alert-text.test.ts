/** Texts of alert rules, notifications and deliveries. */
import { expect, test } from 'bun:test';
import type {
  AlertCondition,
  AlertRuleFacts,
  AlertScope,
} from '../../../alerts/conditions/alert-rule.ts';
import { conditionText } from '../../../alerts/conditions/alert-words.ts';
import type { HeldFor, NotificationState } from '../../../alerts/conditions/notification.ts';
import { deliveryText, rhythmText, sentenceText, stateText } from './alert-text.ts';

const names = {
  lists: [{ id: 4, name: 'Retiring soon' }],
  channels: [
    { id: 1, kind: 'email', name: 'Email', state: 'active' },
    { id: 2, kind: 'ntfy', name: 'Phone', state: 'paused' },
    { id: 3, kind: 'webhook', name: 'example.com', state: 'off' },
  ],
} as const;

const rule: AlertRuleFacts = {
  name: 'Mine',
  scope: { kind: 'list', listId: 4 },
  condition: { kind: 'price_target' },
  channelIds: [1],
  repeatDays: null,
  digest: 'none',
  dailyCap: 20,
};

const sentence = (change: Partial<AlertRuleFacts>) => sentenceText({ ...rule, ...change }, names);

test('a rule is one sentence with its condition, scope and channels', () => {
  expect(sentence({})).toBe(
    'Tell me when anything on Retiring soon is offered at or below its target price, by email',
  );
  expect(sentence({ channelIds: [1, 2, 3] })).toEndWith(
    'by email, ntfy (Phone), and Webhook (example.com) (off)',
  );
  expect(sentence({ channelIds: [2, 9] })).toEndWith(', by ntfy (Phone)');
  expect(sentence({ channelIds: [] })).toEndWith('its target price');
});

test.each([
  [{ kind: 'holdings' }, 'anything I own'],
  [{ kind: 'list', listId: 5 }, 'anything on a deleted list'],
  [{ kind: 'theme', theme: 'Castle' }, 'anything in Castle'],
  [{ kind: 'all' }, 'anything'],
] as const satisfies [AlertScope, string][])("the scope %j is called '%s'", (scope, text) => {
  expect(sentence({ scope })).toStartWith(`Tell me when ${text} is offered`);
});

test.each([
  [{ kind: 'price_amount', cents: 51_999 }, 'is offered at or below $519.99'],
  [{ kind: 'price_of_max_buy', percent: 90 }, 'is offered at or below 90% of my max buy price'],
  [{ kind: 'flip', to: 'third_party' }, 'is only sold by third parties'],
  [{ kind: 'value_up', percent: 10 }, 'goes up in value by 10% or more'],
] as const satisfies [AlertCondition, string][])(
  "the condition %j of a rule reads '%s'",
  (condition, text) => {
    expect(sentence({ condition, channelIds: [] })).toEndWith(` ${text}`);
  },
);

test.each([
  [{ kind: 'price_amount', cents: 51_999 }, 'Price at or below $519.99'],
  [{ kind: 'price_of_value', percent: 62.5 }, 'Price at or below 62.5% of value'],
  [{ kind: 'price_of_max_buy', percent: 100 }, 'Price at or below max buy price'],
  [{ kind: 'price_of_max_buy', percent: 90 }, 'Price at or below 90% of max buy price'],
  [{ kind: 'all_time_low' }, 'New all-time low'],
  [{ kind: 'flip', to: 'third_party' }, 'No longer sold by the retailer, only by third parties'],
  [{ kind: 'flip', to: 'retailer' }, 'Sold by the retailer again'],
  [{ kind: 'back_in_stock' }, 'Back in stock'],
  [{ kind: 'value_up', percent: 10 }, 'Value up 10% or more'],
  [{ kind: 'value_down', percent: 10 }, 'Value down 10% or more'],
  [{ kind: 'margin', percent: 20 }, 'Gain of 20% or more over cost basis'],
] as const satisfies [AlertCondition, string][])(
  "the condition %j is called '%s'",
  (condition, text) => {
    expect(conditionText(condition)).toBe(text);
  },
);

test('the frequency of a rule has its digest, repetition and daily limit', () => {
  expect(rhythmText(rule)).toBe('As it happens · up to 20 a day');
  expect(rhythmText({ ...rule, repeatDays: 1 })).toContain(' · repeats after 1 day · ');
  expect(rhythmText({ ...rule, digest: 'weekly', repeatDays: 7 })).toBe(
    'Weekly digest, on Monday at 08:00 · repeats after 7 days · up to 20 a day',
  );
});

const at = Date.UTC(2026, 10, 16, 12, 0);
const newYork = 'America/New_York';

test.each([
  ['sent', null, 'Sent'],
  ['waiting', 'quiet', 'Waiting for your quiet hours to end at 07:00'],
  ['waiting', 'digest', 'In the digest on Nov 16, 2026, 07:00 EST'],
  ['waiting', null, 'About to be sent'],
  ['over_cap', null, 'Shown here only: over the daily limit of 20'],
  ['no_channel', null, 'Shown here only: no channel is on'],
  ['ended', null, 'Shown here only: the alert had been turned off'],
] as const satisfies [NotificationState, HeldFor, string][])(
  'a notification that is %s (%p) is shown as: %s',
  (state, heldFor, text) => {
    expect(stateText({ state, heldFor, dueAt: at }, rule, newYork)).toBe(text);
  },
);

test('a notification of a deleted rule is shown without its limit', () => {
  const over = { state: 'over_cap', heldFor: null, dueAt: at } as const;
  expect(stateText(over, null, newYork)).toBe('Shown here only: over the daily limit');
});

test.each([
  [{ channel: { kind: 'email', name: 'Email' }, state: 'done' }, 'Email: delivered'],
  [{ tries: 0, answerStatus: null }, 'Discord (my server): about to be sent'],
  [{}, 'Discord (my server): retrying Nov 16, 2026, 05:34 EST'],
  [{ channel: { state: 'off' } }, 'Discord (my server): failed, 404'],
  [{ state: 'given_up' }, 'Discord (my server): failed, 404'],
  [
    { state: 'given_up', answerStatus: null, answer: 'There was no answer.' },
    'Discord (my server): failed. There was no answer.',
  ],
  [{ tries: 0, channel: { state: 'off' } }, 'Discord (my server): not sent, the channel is off'],
] as const)('a delivery with %p is shown as %s', (change, text) => {
  const channel = { id: 2, kind: 'discord', name: 'my server', state: 'active' } as const;
  const delivery = {
    state: 'waiting',
    tries: 1,
    answerStatus: 404,
    answer: 'Gone',
    nextAt: Date.UTC(2026, 10, 16, 10, 34),
    ...change,
    channel: 'channel' in change ? { ...channel, ...change.channel } : channel,
  } as const;
  expect(deliveryText(delivery, newYork)).toBe(text);
});
