/** Dependencies of the handlers. */

import type { AlertRoomStore } from '../alerts/alerts.store.ts';
import type { AllowedNetworks } from '../alerts/channels/outside-address.ts';
import type { ChannelDeps } from '../alerts/channels/own-webhooks.work.ts';
import type { ScopeSource } from '../alerts/delivery/scope-items.work.ts';
import type { WatchedItemDeps } from '../alerts/watchlists/watched-items.work.ts';
import type { FeeTables } from '../buying/prices/selling-channels.ts';
import type { Encrypter } from '../kernel/encryption.ts';
import type { Clock } from '../kernel/time.ts';
import type { AccountStore } from '../store/store.ts';
import type { AccountAnswerCache } from './account-answer-cache.ts';
import type { BulkOffer } from './bulk-files.ts';
import type { MarketCache } from './memory/market-cache.ts';
import type { EventStreams } from './streams/event-streams.ts';

export interface HandlerDeps {
  readonly market: MarketCache;
  readonly answers: AccountAnswerCache;
  readonly accounts: Pick<AccountStore, 'findUsage' | 'findBuyingSettings'> &
    ScopeSource['accounts'] &
    ChannelDeps['accounts'] &
    AlertRoomStore;
  /** Null in a helper process. */
  readonly streams: Pick<EventStreams, 'prepare'> | null;
  readonly tables: FeeTables;
  /** Null in a helper process, which changes nothing. */
  readonly changes: ChangeDeps | null;
  /** Null: the operator offers no bulk files. */
  readonly bulk: BulkOffer | null;
  readonly clock: Clock;
}

/** Dependencies of changes to the caller's data, besides the store. */
export interface ChangeDeps
  extends Pick<WatchedItemDeps, 'alerts'>,
    Pick<ChannelDeps, 'randomBytes' | 'sleep'> {
  /** Null: the operator has set no secret, so there are no webhooks. */
  readonly encrypter: Encrypter | null;
  /** Private networks that the operator allows as addresses of webhooks. */
  readonly allowedNetworks: AllowedNetworks;
}

export function changeDeps({ changes }: HandlerDeps): ChangeDeps {
  if (!changes) throw new Error('A helper process changes nothing.');
  return changes;
}
