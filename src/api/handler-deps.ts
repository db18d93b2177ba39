/** What handlers work with. */
import type { ScopeSource } from '../accounts/scope-items.ts';
import type { KeyStore } from '../domain/account/key-store.ts';
import type { BuyingSettingsStore } from '../domain/buying/buying-settings-store.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import type { Clock } from '../domain/kernel/time.ts';
import type { BulkOffer } from './bulk-files.ts';
import type { EventStreams } from './event-streams.ts';
import type { MarketCache } from './market-cache.ts';
import type { PrivateAnswers } from './private-answers.ts';

/** What is published, where private answers are kept, accounts, fees, and what time it is. */
export interface HandlerDeps {
  readonly market: MarketCache;
  readonly answers: PrivateAnswers;
  readonly accounts: Pick<KeyStore & BuyingSettingsStore, 'findUsage' | 'findBuyingSettings'> &
    ScopeSource['accounts'];
  /** Where streams are opened; null in a process that answers for another one. */
  readonly streams: Pick<EventStreams, 'prepare'> | null;
  readonly tables: FeeTables;
  /** Files of what is published; null: the operator offers none. */
  readonly bulk: BulkOffer | null;
  readonly clock: Clock;
}
