/** Channels: where an account is told what happened. */
import type { TokenHash } from '../account/session-store.ts';
import type { EventKind } from '../market/events.ts';

/** The kinds of channels. */
export const channelKinds = ['email', 'webhook', 'ntfy', 'discord'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** Channels of one kind that an account may have; e-mail goes to its own address alone. */
export const channelsMax: Readonly<Record<ChannelKind, number>> = {
  email: 1,
  webhook: 5,
  ntfy: 5,
  discord: 5,
};

/** Whose events are asked for, and a webhook is told of. */
export const eventScopes = ['all', 'holdings', 'watch'] as const;
export type EventScope = (typeof eventScopes)[number];

/** Which events a webhook is told of; no kinds: none, it only has what alerts send. */
export interface Subscription {
  readonly kinds: readonly EventKind[];
  readonly scope: EventScope;
}

/**
 * `active`; `paused` after the last try of a delivery failed: tried once a day; `off`: by its
 * owner, by a 410, or after five days of failures.
 */
export const channelStates = ['active', 'paused', 'off'] as const;
export type ChannelState = (typeof channelStates)[number];

/** Why email to an address that was not confirmed is off, for its owner. */
export const unconfirmedReason = 'Confirm your email address: follow the link we sent to it.';

/** A secret or an address as it is kept: encrypted with a key that is not in the store. */
export type Sealed = Uint8Array & { readonly sealed: unique symbol };

/** A channel as it is kept. */
export interface Channel {
  readonly id: number;
  readonly accountId: number;
  readonly kind: ChannelKind;
  readonly name: string;
  /** Null for e-mail. */
  readonly address: Sealed | null;
  readonly state: ChannelState;
  /** Why it is paused or off, for its owner; null also when its owner turned it off. */
  readonly stateReason: string | null;
  /** Whether it is email to an address that its owner has not confirmed: nothing is sent there. */
  readonly isUnconfirmed: boolean;
  /** Null while it works. */
  readonly failingSince: number | null;
  /** Before this instant nothing is sent, for what was sent last failed; null while it works. */
  readonly retryAt: number | null;
  readonly subscription: Subscription | null;
  /** Up to where the log was gone through for it; null without a subscription. */
  readonly position: number | null;
  readonly createdAt: number;
}

/** A webhook's secrets: after a change, the old one signs as well until an instant. */
export interface SealedSecrets {
  readonly current: Sealed;
  readonly old: { readonly secret: Sealed; readonly until: number } | null;
}

/** A channel to be. */
export interface NewChannel {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly address: Sealed | null;
  readonly secret: Sealed | null;
  /** For email to an address that is still to be confirmed, by a link of which this is the hash. */
  readonly confirmHash?: TokenHash;
  readonly subscription: Subscription | null;
  /** Where its events begin. */
  readonly position: number | null;
  readonly at: number;
}

/** What is changed of a channel; what is left out stays. */
export interface ChannelChange {
  readonly name?: string;
  readonly address?: Sealed;
  readonly subscription?: Subscription | null;
  /** Where its events begin, if it had no subscription; otherwise it goes on where it was. */
  readonly position?: number;
  readonly at: number;
}
