/** Notifications, and the matches that a rule has already reported. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import type { DeliveryChannel } from '../channels/delivery-channel.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { AlertRuleFacts } from './alert-rule.ts';

export const notificationsKeptDays = 90;

/** A reported match; it is not reported again until the condition was false. */
export interface ReportedMatch {
  readonly itemKind: ItemKind;
  readonly itemKey: string;
  readonly retailer: Retailer | null;
  readonly reportedAt: number;
  /** The value that changes are measured from. */
  readonly baseCents: number | null;
}

export type NewMatch = Omit<ReportedMatch, 'reportedAt'>;

/** Current matches of a rule, which are not reported. */
export interface Matches {
  readonly reported: readonly NewMatch[];
  /** The log position before matching; the rule applies to later events. */
  readonly position: number;
}

export interface SentRule extends Matches {
  readonly rule: AlertRuleFacts;
  readonly at: number;
}

/**
 * `waiting`: not due yet. Not sent, only listed: `no_channel` if no channel of the rule is on,
 * `over_cap` over the daily limit, `ended` if the rule ended before it was due.
 */
export const notificationStates = ['waiting', 'sent', 'no_channel', 'over_cap', 'ended'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** The reason why a notification waits; null if it was due at once. */
export type HeldFor = 'quiet' | 'digest' | null;

/** The item and retailer that a notification is about. */
export interface Subject {
  readonly itemKind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly retailer: Retailer | null;
}

/** One rule triggered by one item. */
export interface Notification extends Subject {
  readonly id: number;
  /** Null if the rule was removed. */
  readonly ruleId: number | null;
  readonly ruleName: string;
  readonly at: number;
  /** The event in one sentence. */
  readonly reason: string;
  readonly state: NotificationState;
  readonly dueAt: number;
  readonly heldFor: HeldFor;
  /** Its messages, as long as they and their channels exist. */
  readonly deliveries: readonly NotificationDelivery[];
}

/** A message with a notification on one channel. */
export interface NotificationDelivery
  extends Pick<Delivery, 'state' | 'tries' | 'answerStatus' | 'answer'> {
  readonly channel: Pick<DeliveryChannel, 'id' | 'kind' | 'name' | 'state'>;
  /** The next attempt, while it is waiting. */
  readonly nextAt: number;
}
