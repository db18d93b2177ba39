/** Deliveries: messages to channels, with their tries and answers. */

/** How long deliveries are listed. */
export const deliveriesKeptDays = 30;

/** So much of an answer is kept. */
export const answerBytesMax = 1024;

/** `waiting` for its first or next try; `done`; `given_up`: there will be no further one. */
export type DeliveryState = 'waiting' | 'done' | 'given_up';

/** A message to a channel. */
export interface NewDelivery {
  readonly channelId: number;
  /** Unique for the channel, the same for every try. */
  readonly messageId: string;
  /** A kind of event, `alert` or `test`. */
  readonly type: string;
  /** Deliveries of a channel with the same one are sent in order; null: in any. */
  readonly orderKey: string | null;
  /** JSON: what a webhook is sent, or what the text for another channel is made of. */
  readonly body: string;
  readonly at: number;
}

/** One as its owner sees it. */
export interface Delivery extends NewDelivery {
  readonly id: number;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly dueAt: number;
  readonly triedAt: number | null;
  /** The status of the last answer; null when there was none. */
  readonly answerStatus: number | null;
  /** The beginning of the last answer, or why there was none. */
  readonly answer: string | null;
}
