/** Deliveries: messages to channels, with their tries and answers. */
import type { ItemKind } from '../catalog/numbers.ts';

/** How long deliveries are listed. */
export const deliveriesKeptDays = 30;

/** So many deliveries of a channel are kept, the latest ones, and whatever waits. */
export const deliveriesKeptMax = 10_000;

/** So many deliveries wait for a webhook; the events behind them wait in the log. */
export const waitingMax = 1_000;

/**
 * `waiting` for its first or next try; `done`; `given_up`: a test that failed, or a message that is
 * of no use any more because its channel failed for days.
 */
export const deliveryStates = ['waiting', 'done', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The type of a message that the owner of a channel asked for to try it; it is sent once. */
export const testType = 'test';

/** The type of a message that tells a webhook that events it was not told of are gone. */
export const staleType = 'stale';

/** A message to a channel. */
export interface NewDelivery {
  readonly channelId: number;
  /** Unique for the channel, the same for every try. */
  readonly messageId: string;
  /** A kind of event, `alert`, `stale` or `test`. */
  readonly type: string;
  /** Deliveries of a channel with the same one are sent in order; null: in any. */
  readonly orderKey: string | null;
  /** JSON in the form of `message.ts`: what a webhook is sent, or what others are. */
  readonly body: string;
  readonly at: number;
}

/** One that tells a webhook of an event. */
export interface EventDelivery extends NewDelivery {
  readonly position: number;
}

/** One as its owner sees it. */
export interface Delivery extends NewDelivery {
  readonly id: number;
  /** Of the event that it tells of; null when it tells of none. */
  readonly position: number | null;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly dueAt: number;
  readonly triedAt: number | null;
  /** The status of the last answer; null when there was none. */
  readonly answerStatus: number | null;
  /** The beginning of the last answer, or why there was none. */
  readonly answer: string | null;
}

/** Events of one item are sent to a webhook in their order. */
export function orderKeyOf(item: { readonly kind: ItemKind; readonly key: string }): string {
  return `${item.kind}:${item.key}`;
}
