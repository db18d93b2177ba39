/** Delivery channels: where the messages of an account are sent. */
import type { AccountNoticeKind } from '../../accounts/notices/account-notice.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import type { EventKind } from '../../market/events/events.ts';
import type { DeliveryKind } from './delivery-channel-kinds.ts';

export const channelNameLengthMax = 60;

/** Which events are requested, or sent to a webhook. */
export const eventScopes = ['all', 'holdings', 'watch'] as const;
export type EventScope = (typeof eventScopes)[number];
export const scopeDefault: EventScope = 'all';

/** The events that are sent to a webhook. Without kinds, it only receives alerts. */
export interface Subscription {
  readonly kinds: readonly EventKind[];
  readonly scope: EventScope;
}

/**
 * `paused`: the last attempt of a delivery failed, retried once a day. `off`: turned off by its
 * owner, by status 410, or after five days of failures.
 */
export const channelStates = ['active', 'paused', 'off'] as const;
export type ChannelState = (typeof channelStates)[number];

/** The state reason of email whose address is not confirmed. */
export const unconfirmedReason = 'Confirm your email address: follow the link we sent to it.';

export interface DeliveryChannel {
  readonly id: number;
  readonly accountId: number;
  readonly kind: DeliveryKind;
  readonly name: string;
  /** Null for email. */
  readonly address: Encrypted | null;
  readonly state: ChannelState;
  /** Why it is paused or off, for its owner; null also when its owner turned it off. */
  readonly stateReason: string | null;
  /** Email whose address is not confirmed yet: nothing is sent to it. */
  readonly isUnconfirmed: boolean;
  /** Null while it works. */
  readonly failingSince: number | null;
  /** The last attempt failed, and nothing is sent before this time; null while it works. */
  readonly retryAt: number | null;
  /** Null if it is not a webhook. */
  readonly subscription: Subscription | null;
  /** The position in the event log up to which it has its events; null without kinds. */
  readonly position: number | null;
  /** The notices about the account that are sent to a webhook. */
  readonly notices: readonly AccountNoticeKind[];
  readonly createdAt: number;
}

/** After a change of the secret, messages are signed with the old one, too, for some time. */
export interface WebhookSecrets {
  readonly current: Encrypted;
  readonly old: { readonly secret: Encrypted; readonly until: number } | null;
}

export interface NewDeliveryChannel {
  readonly kind: DeliveryKind;
  readonly name: string;
  readonly address?: Encrypted | null;
  readonly secret?: Encrypted | null;
  /** For an email address that is not confirmed yet: the hash of the confirmation link. */
  readonly confirmHash?: TokenHash;
  readonly subscription?: Subscription | null;
  /** Where its events begin. */
  readonly position?: number | null;
  /** Notices that are sent to a webhook, from `at` on; none by default. */
  readonly notices?: readonly AccountNoticeKind[];
  /** Whether the account may have no other channel of this kind and name. */
  readonly isNameUnique?: boolean;
  readonly at: number;
}

/** Fields that are left out do not change. */
export interface DeliveryChannelChange {
  readonly name?: string;
  readonly address?: Encrypted;
  readonly kinds?: readonly EventKind[];
  readonly scope?: EventScope;
  /** Where its events begin if it had no kinds before. */
  readonly position?: number;
  readonly notices?: readonly AccountNoticeKind[];
  /** Turns it on, so that it continues where it was, or off. */
  readonly isOn?: boolean;
  readonly at: number;
}
