/** What webhooks are told of, as it is stored: kinds of events in one text, and their scope. */
import type { EventScope, Subscription } from '../../domain/delivery/channel.ts';
import type { EventKind } from '../../domain/market/events.ts';

/** A subscription as it is stored. */
export interface SubscriptionRow {
  readonly kinds: string | null;
  readonly scope: string | null;
}

/** What a webhook is told of, as it is stored: null when it is told of nothing. */
export function readSubscription({ kinds, scope }: SubscriptionRow): Subscription | null {
  if (kinds === null || scope === null) return null;
  const list = kinds.split(',').filter((kind) => kind !== '') as EventKind[];
  return { kinds: list, scope: scope as EventScope };
}

/** The same the other way round. */
export function subscriptionRow(subscription: Subscription | null): SubscriptionRow {
  return { kinds: subscription?.kinds.join(',') ?? null, scope: subscription?.scope ?? null };
}
