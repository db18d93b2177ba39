/**
 * What the market side of a store does. Each method is one whole operation with its transaction
 * inside. Methods reject only on a fault; an expected outcome is always a value.
 */
import type { BulkMaking } from './bulk.ts';
import type { EvidenceStore } from './evidence-store.ts';
import type { HistoryStore } from './history-store.ts';
import type { InterestStore } from './interest-store.ts';
import type { Journal } from './journal.ts';
import type { MarketIngest } from './market-ingest.ts';
import type { MarketReading } from './market-reading.ts';
import type { MinifigStore } from './minifig-store.ts';
import type { ParameterStore } from './parameter-store.ts';
import type { PublishingStore } from './publishing-store.ts';

/** Everything that publishing does with a store. */
export interface MarketPublishing
  extends PublishingStore,
    BulkMaking,
    ParameterStore,
    EvidenceStore,
    HistoryStore {}

/** The market side of a store. */
export interface MarketStore
  extends MarketIngest,
    MinifigStore,
    MarketPublishing,
    MarketReading,
    InterestStore,
    Journal {
  close(): Promise<void>;
}
