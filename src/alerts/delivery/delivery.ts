/** Messages to channels, and their delivery. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type {
  ChannelState,
  DeliveryChannel,
  WebhookSecrets,
} from '../channels/delivery-channel.ts';
import type { DeliveryKind } from '../channels/delivery-channel-kinds.ts';

export const deliveriesKeptDays = 30;

/** The latest deliveries kept per channel, besides waiting ones. */
export const deliveriesKeptMax = 10_000;

/** The maximum number of waiting deliveries of a webhook; later events wait in the log. */
export const waitingMax = 1_000;

/**
 * `waiting`: for its first or next attempt. `given_up`: a failed test, or a message that is
 * outdated because its channel failed for days.
 */
export const deliveryStates = ['waiting', 'done', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Alerts that fired. */
export const alertMessageType = 'alert';

/** Test messages, requested by the owner; they are sent once. */
export const testMessageType = 'test';

/** Tells a webhook that events it did not receive were removed. */
export const removedEventsType = 'stale';

export interface NewDelivery {
  readonly channelId: number;
  /** Unique per channel, and the same for every attempt. */
  readonly messageId: string;
  /** A kind of event, `alert`, `stale` or `test`. */
  readonly type: string;
  /** Deliveries of a channel with the same key are sent in order; null for any order. */
  readonly orderKey: string | null;
  /** JSON as its kind of channel has it (`channels/`). */
  readonly body: string;
  readonly at: number;
}

export interface EventDelivery extends NewDelivery {
  readonly position: number;
}

export interface Delivery extends NewDelivery {
  readonly id: number;
  /** The position of its event; null if it is not about an event. */
  readonly position: number | null;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly dueAt: number;
  readonly triedAt: number | null;
  /** The HTTP status of the last response; null if there was none. */
  readonly answerStatus: number | null;
  /** The beginning of the last response, or the reason why there was none. */
  readonly answer: string | null;
}

/** Events of one item are sent in order. */
export function orderKeyOf(item: { readonly kind: ItemKind; readonly key: string }): string {
  return `${item.kind}:${item.key}`;
}

export interface Subscriber {
  readonly channelId: number;
  readonly accountId: number;
  /** The account's version, which increases when held or watched items may have changed. */
  readonly privateVersion: number;
  readonly subscription: NonNullable<DeliveryChannel['subscription']>;
  readonly position: number;
}

export interface Advance {
  readonly channelId: number;
  /** The position before; if it differs, a replay was requested meanwhile. */
  readonly from: number;
  readonly to: number;
  readonly deliveries: readonly EventDelivery[];
}

export interface DueChannel
  extends Omit<
    DeliveryChannel,
    'isUnconfirmed' | 'subscription' | 'position' | 'notices' | 'createdAt'
  > {
  readonly email: string;
  /** Whether its owner confirmed it; otherwise it may be a stranger's. */
  readonly isEmailConfirmed: boolean;
  readonly secrets: WebhookSecrets | null;
  /** Consecutive failed rounds. */
  readonly failures: number;
  readonly deliveries: readonly DueDelivery[];
}

export type DueDelivery = Pick<Delivery, 'id' | 'messageId' | 'type' | 'body' | 'tries' | 'at'>;

export interface TriedDelivery
  extends Pick<Delivery, 'id' | 'state' | 'tries' | 'dueAt' | 'answerStatus'> {
  /** Attempts before; if this differs, it was sent again meanwhile. */
  readonly triesBefore: number;
  readonly triedAt: number;
  readonly answer: string;
}

export interface TriedChannel
  extends Pick<
    DueChannel,
    'id' | 'kind' | 'state' | 'stateReason' | 'failingSince' | 'failures' | 'retryAt'
  > {
  /** The state before; if it differs, the owner changed it meanwhile. */
  readonly stateBefore: ChannelState;
  readonly deliveries: readonly TriedDelivery[];
}

/** Counts of attempts by outcome, over all time. */
export interface DeliveryTally {
  readonly kind: DeliveryKind;
  readonly outcome: TryOutcome;
  readonly count: number;
}

/** `failed`: there will be another attempt. */
export const tryOutcomes = ['done', 'failed', 'given_up'] as const;
export type TryOutcome = (typeof tryOutcomes)[number];

export interface DeliveryFigures {
  readonly waiting: number;
  /** When the oldest waiting delivery was added, or null. */
  readonly oldestAt: number | null;
  /** Since when the most overdue channel is due, or null. */
  readonly dueSince: number | null;
  readonly tallies: readonly DeliveryTally[];
}
