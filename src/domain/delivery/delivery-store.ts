/** How a store keeps channels and deliveries. */
import type { TokenHash } from '../account/session-store.ts';
import type { LeaseStore } from '../kernel/lease.ts';
import type {
  Channel,
  ChannelChange,
  ChannelKind,
  ChannelState,
  NewChannel,
  Sealed,
  SealedSecrets,
} from './channel.ts';
import type { Delivery, DeliveryState, EventDelivery, NewDelivery } from './delivery.ts';

/** What pages ask. What is not an account's own looks like what does not exist. */
export interface ChannelStore {
  /** In the order in which they were added. */
  listChannels(accountId: number): Promise<Channel[]>;
  addChannel(
    accountId: number,
    channel: NewChannel,
  ): Promise<{ readonly id: number } | 'too many' | 'no account'>;
  /** False: no such channel. A new address is tried at once. */
  changeChannel(accountId: number, channelId: number, change: ChannelChange): Promise<boolean>;
  /** On again, it goes on where it was. False also for email that is not confirmed. */
  switchChannel(
    accountId: number,
    channelId: number,
    change: { readonly isOn: boolean; readonly at: number },
  ): Promise<boolean>;
  /** Replaces the link that confirms an address; false: there is nothing to confirm. */
  replaceConfirmLink(accountId: number, channelId: number, hash: TokenHash): Promise<boolean>;
  /** Whether a link would confirm the address of a channel, whosever it is. */
  hasConfirmLink(channelId: number, hash: TokenHash): Promise<boolean>;
  /** Confirms the address of a channel, which is on then; false: the link is no good any more. */
  useConfirmLink(channelId: number, hash: TokenHash, at: number): Promise<boolean>;
  /** With its deliveries. */
  removeChannel(accountId: number, channelId: number): Promise<boolean>;
  /** Sets a new secret; the old one signs as well until an instant. False: no such webhook. */
  rotateSecret(
    accountId: number,
    channelId: number,
    change: { readonly secret: Sealed; readonly oldUntil: number },
  ): Promise<boolean>;
  /** Deliveries of a channel, the latest first, those before an id. */
  listDeliveries(
    accountId: number,
    channelId: number,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<Delivery[]>;
  /** Sends one again, with the same message id; false: no such delivery. */
  resendDelivery(accountId: number, deliveryId: number, at: number): Promise<boolean>;
  /** Every event after a position is sent again; false: no webhook that is told of events. */
  replayFrom(accountId: number, channelId: number, position: number): Promise<boolean>;
  /**
   * Puts a test message into the queue of a channel, also of one that is off; its delivery. Null:
   * no such channel, or email that is not confirmed.
   */
  addTest(accountId: number, channelId: number, at: number): Promise<number | null>;
}

/** A webhook that is told of events, and how far it was told. */
export interface Subscriber {
  readonly channelId: number;
  readonly accountId: number;
  /** Of the account: another one when what it holds or watches may have changed. */
  readonly privateVersion: number;
  readonly subscription: NonNullable<Channel['subscription']>;
  readonly position: number;
  /** How often a replay was asked for. */
  readonly replays: number;
}

/** What is added for a webhook, and how far the log was gone through for it. */
export interface Advance {
  readonly channelId: number;
  /** Where it was: another one, and somebody asked for a replay meanwhile. */
  readonly from: number;
  readonly to: number;
  readonly deliveries: readonly EventDelivery[];
}

/** A channel with what is to be sent to it now. */
export interface DueChannel {
  readonly id: number;
  readonly accountId: number;
  readonly kind: ChannelKind;
  readonly name: string;
  /** The account's own. */
  readonly email: string;
  readonly address: Sealed | null;
  readonly secrets: SealedSecrets | null;
  readonly state: ChannelState;
  readonly stateReason: string | null;
  readonly failingSince: number | null;
  /** How many rounds in a row failed. */
  readonly failures: number;
  readonly retryAt: number | null;
  readonly deliveries: readonly DueDelivery[];
}

/** A delivery that is to be sent now. */
export type DueDelivery = Pick<Delivery, 'id' | 'messageId' | 'type' | 'body' | 'tries' | 'at'>;

/** A delivery after it was tried. */
export interface TriedDelivery {
  readonly id: number;
  /** How often it was tried before: another number, and somebody had it sent again meanwhile. */
  readonly triesBefore: number;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly dueAt: number;
  readonly triedAt: number;
  readonly answerStatus: number | null;
  readonly answer: string;
}

/** A channel after deliveries were tried. */
export interface TriedChannel {
  readonly id: number;
  readonly kind: ChannelKind;
  /** As it was: another one, and its owner changed it meanwhile. */
  readonly stateBefore: ChannelState;
  readonly state: ChannelState;
  readonly stateReason: string | null;
  readonly failingSince: number | null;
  readonly failures: number;
  readonly retryAt: number | null;
  readonly deliveries: readonly TriedDelivery[];
}

/** What became of tries, counted since there are deliveries. */
export interface DeliveryTally {
  readonly kind: ChannelKind;
  readonly outcome: TryOutcome;
  readonly count: number;
}

/** A try that failed is `failed` when there will be another one. */
export const tryOutcomes = ['done', 'failed', 'given_up'] as const;
export type TryOutcome = (typeof tryOutcomes)[number];

/** What operators are told of deliveries. */
export interface DeliveryFigures {
  readonly waiting: number;
  /** When the oldest one that waits was added; null when none does. */
  readonly oldestAt: number | null;
  /** Since when the channel that is due longest waits to be looked at; null when none is due. */
  readonly dueSince: number | null;
  readonly tallies: readonly DeliveryTally[];
}

/** What the process that sends asks. */
export interface DeliveryQueue extends LeaseStore {
  /** Whether there is anything for it to do, now or later. */
  isDeliveryWanted(): Promise<boolean>;
  /** Webhooks with kinds that are on and behind a position, those furthest behind first. */
  listSubscribers(latest: number): Promise<Subscriber[]>;
  /**
   * Adds deliveries and moves positions, all at once. No more than `waitingMax` wait for a
   * webhook: those whose deliveries did not all fit are told.
   */
  advance(advances: readonly Advance[]): Promise<ReadonlySet<number>>;
  /** Removes what is done of a channel, but for so many of its latest deliveries. */
  trimDeliveries(channelId: number, kept: number): Promise<void>;
  /** Channels of some kinds with something to send, but for those that are busy. */
  listDue(asked: {
    readonly at: number;
    readonly kinds: readonly ChannelKind[];
    readonly busy: readonly number[];
    /** Accounts that have enough under way. */
    readonly busyAccounts: readonly number[];
    /** Channels of which one delivery at a time is asked for, as of those that fail. */
    readonly slow: readonly number[];
    /** So many channels, and of each so many deliveries. */
    readonly channels: number;
    readonly deliveries: number;
  }): Promise<DueChannel[]>;
  /** Writes down what became of deliveries, in one short transaction. */
  saveTried(channels: readonly TriedChannel[]): Promise<void>;
  /**
   * Adds messages that tell of no event; the channels that took theirs. One that is off, gone or
   * has `waitingMax` of them waiting takes none.
   */
  addDeliveries(deliveries: readonly NewDelivery[]): Promise<ReadonlySet<number>>;
  findDeliveryFigures(): Promise<DeliveryFigures>;
}
