/** How subscriptions of webhooks are stored: event kinds as one text, and the scope. */

import type { EventKind } from '../../market/events/events.ts';
import type { EventScope, Subscription } from './delivery-channel.ts';

export interface SubscriptionRow {
  readonly kinds: string | null;
  readonly scope: string | null;
}

/** Null if the webhook has no subscription. */
export function readSubscription({ kinds, scope }: SubscriptionRow): Subscription | null {
  if (kinds === null || scope === null) return null;
  const list = kinds.split(',').filter((kind) => kind !== '') as EventKind[];
  return { kinds: list, scope: scope as EventScope };
}

export function subscriptionRow(subscription: Subscription | null): SubscriptionRow {
  return { kinds: subscription?.kinds.join(',') ?? null, scope: subscription?.scope ?? null };
}
