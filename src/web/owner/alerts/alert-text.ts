/** Texts of alert rules, channels, notifications and deliveries. */

import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { deliveryTable, hasAddress } from '../../../alerts/channels/delivery-channel-kinds.ts';
import type { AlertRuleFacts, Digest } from '../../../alerts/conditions/alert-rule.ts';
import type {
  HeldFor,
  Notification,
  NotificationDelivery,
} from '../../../alerts/conditions/notification.ts';
import type { WatchList } from '../../../alerts/watchlists/watch-list.ts';
import { countText, momentText, nounText, timeText } from '../../kit/format.ts';
import { conditionPhrase, scopePhrase } from './alert-sentence.ts';

/** The lists and channels that a rule refers to. */
export interface RuleNames {
  readonly lists: readonly Pick<WatchList, 'id' | 'name'>[];
  readonly channels: readonly Pick<DeliveryChannel, 'id' | 'kind' | 'name' | 'state'>[];
}

/** A rule as its form reads: "Tell me when anything I own is back in stock, by email". */
export function sentenceText(rule: AlertRuleFacts, { lists, channels }: RuleNames): string {
  const scope = scopePhrase(rule.scope, listName(rule, lists));
  const by = channelsText(rule.channelIds, channels);
  return `Tell me when ${scope} ${conditionPhrase(rule.condition)}${by}`;
}

/** The name of a rule's list; null if it has none or the list was deleted. */
export function listName({ scope }: Pick<AlertRuleFacts, 'scope'>, lists: RuleNames['lists']) {
  return (scope.kind === 'list' && lists.find(({ id }) => id === scope.listId)?.name) || null;
}

function channelsText(ids: readonly number[], channels: RuleNames['channels']): string {
  const names = channels.filter(({ id }) => ids.includes(id)).map(channelText);
  return names.length === 0 ? '' : `, by ${andList.format(names)}`;
}

const andList = new Intl.ListFormat('en-US');

export const noChannelText = 'No channel selected. Matches are only shown in the app.';

export const needsPlanText = 'Max buy prices are part of the Reseller plan.';

export function alreadyMatchText(count: number): string {
  return count === 1 ? '1 item already matches' : `${countText(count)} items already match`;
}

/** A channel as the start of a text: "Email", "ntfy (Phone)". */
export function channelLabel({ kind, name }: Pick<DeliveryChannel, 'kind' | 'name'>): string {
  const { title } = deliveryTable[kind];
  return hasAddress(kind) ? `${title} (${name})` : title;
}

/** A channel in a sentence: "email", "ntfy (Phone)". */
export function deliveryChannelName(channel: Pick<DeliveryChannel, 'kind' | 'name'>): string {
  return hasAddress(channel.kind) ? channelLabel(channel) : deliveryTable[channel.kind].word;
}

export function channelText(channel: Pick<DeliveryChannel, 'kind' | 'name' | 'state'>): string {
  return channel.state === 'off'
    ? `${deliveryChannelName(channel)} (off)`
    : deliveryChannelName(channel);
}

export function digestText(digest: Digest, timeZone: string): string {
  return digest === 'none' ? digestTexts.none : `${digestTexts[digest]} (${timeZone})`;
}

const digestTexts: Readonly<Record<Digest, string>> = {
  none: 'As it happens',
  daily: 'Daily digest, at 08:00',
  weekly: 'Weekly digest, on Monday at 08:00',
};

/** How often a rule sends messages: its digest, repetition and daily limit. */
export function rhythmText({ digest, repeatDays, dailyCap }: AlertRuleFacts): string {
  const repeat = repeatDays === null ? [] : [`repeats after ${nounText(repeatDays, 'day')}`];
  return [digestTexts[digest], ...repeat, `up to ${dailyCap} a day`].join(' · ');
}

export function stateText(
  { state, dueAt, heldFor }: Pick<Notification, 'state' | 'dueAt' | 'heldFor'>,
  rule: Pick<AlertRuleFacts, 'dailyCap'> | null,
  timeZone: string,
): string {
  switch (state) {
    case 'sent':
      return 'Sent';
    case 'waiting':
      return waitingText(dueAt, heldFor, timeZone);
    case 'over_cap':
      return rule
        ? `Shown here only: over the daily limit of ${rule.dailyCap}`
        : 'Shown here only: over the daily limit';
    case 'no_channel':
      return 'Shown here only: no channel is on';
    case 'ended':
      return 'Shown here only: the alert had been turned off';
  }
}

/** The status of a delivery, such as "Discord (my server): failed, 404". */
export function deliveryText(
  { channel, state, tries, answerStatus, answer, nextAt }: NotificationDelivery,
  timeZone: string,
): string {
  return `${channelLabel(channel)}: ${outcome()}`;

  function outcome(): string {
    if (state === 'done') return 'delivered';
    if (state === 'waiting' && channel.state !== 'off') {
      return tries === 0 ? 'about to be sent' : `retrying ${momentText(nextAt, timeZone)}`;
    }
    if (tries === 0) return 'not sent, the channel is off';
    return answerStatus === null ? `failed. ${answer ?? ''}` : `failed, ${answerStatus}`;
  }
}

function waitingText(dueAt: number, heldFor: HeldFor, timeZone: string): string {
  if (heldFor === 'digest') return `In the digest on ${momentText(dueAt, timeZone)}`;
  if (heldFor === null) return 'About to be sent';
  return `Waiting for your quiet hours to end at ${timeText(dueAt, timeZone)}`;
}
