/**
 * The interfaces of the store, derived from its operations. Other folders import types from this
 * file only. Each method is one complete operation with its transaction inside. Expected outcomes
 * are return values; a method rejects only on a fault.
 */

import type { endpointUsageStore } from '../accounts/keys/endpoint-usage.store.ts';
import type { keyStore } from '../accounts/keys/keys.store.ts';
import type { AdmissionRequest, AdmittedGroup } from '../accounts/keys/quota.ts';
import type { sheetLinkStore } from '../accounts/sheet-links/sheet-links.store.ts';
import type { sessionStore } from '../accounts/sign-in/sessions.store.ts';
import type { alertWorkStore } from '../alerts/conditions/alert-work.store.ts';
import type { deliveryQueue } from '../alerts/delivery/deliveries.store.ts';
import type { accountNoticeStore } from '../alerts/notices/account-notices.store.ts';
import type { watchStore } from '../alerts/watchlists/watch-lists.store.ts';
import type { buyingSettingsStore } from '../buying/prices/buying-settings.store.ts';
import type { marketInterest } from '../catalog/interest/interest.store.ts';
import type { minifigStore } from '../ingest/catalog/minifigs.store.ts';
import type { marketJournal } from '../ingest/runner/journal.store.ts';
import type { marketIngest } from '../ingest/runner/market-ingest.store.ts';
import type { brickfolioStore } from '../portfolio/lots/brickfolios.store.ts';
import type { lotStore } from '../portfolio/lots/lots.store.ts';
import type { OwnRehearsal } from '../portfolio/lots/private-rows.ts';
import type { ledgerStore } from '../portfolio/sales/ledger.store.ts';
import type { bulkMaking, bulkReading } from '../publish/bulk/bulk.store.ts';
import type { marketPublishing } from '../publish/publishing.store.ts';
import type { marketReading } from '../publish/reading.store.ts';
import type { marketPlanning } from '../sync/planning.store.ts';
import type { marketSync } from '../sync/sync.store.ts';
import type { accountStore } from './accounts/account-store.ts';

export interface Store {
  readonly market: MarketStore;
  readonly accounts: AccountStore;
  readonly sync: SyncStore & PlanningStore;
  /** Whether this process may publish: on PostgreSQL, a role that only serves may not. */
  mayPublish(): Promise<boolean>;
  /** Whether reads go to the replica; null if there is none. */
  isReplicaUsed(): boolean | null;
  /** A temporary copy for trying an import; closing it deletes it. */
  rehearsal(): Promise<Store>;
  close(): Promise<void>;
}

/** The private half of a store. Ids of other accounts are treated like ids that do not exist. */
export interface AccountStore extends ReturnType<typeof accountStore>, AdmissionStore {
  /** Tries rows of one account. */
  rehearse(accountId: number): Promise<OwnRehearsal>;
  close(): Promise<void>;
}

/** Admission of requests by API key; each engine has its own implementation. */
export interface AdmissionStore {
  /**
   * Decides each request of a group: whose key it is, and whether its cost is granted. Granted
   * costs are committed, all in one transaction. On PostgreSQL the database's clock decides which
   * day it is, moved ahead as far as `at` is ahead of the real time.
   */
  admitGroup(requests: readonly AdmissionRequest[], at: number): Promise<AdmittedGroup>;
  /** The timeout of `admitGroup`; 0 if it completes before it returns. */
  readonly admissionMsMax: number;
  /**
   * Commits a small write in the way usage is written. Throws if that fails, because the disk is
   * full, or the store is read-only or deleted: then calls cannot be charged, so none may be
   * answered.
   */
  checkCountable(at: number): Promise<void>;
}

export interface AccountNoticeStore extends ReturnType<typeof accountNoticeStore> {}
export interface AlertWorkStore extends ReturnType<typeof alertWorkStore> {}
export interface BrickfolioStore extends ReturnType<typeof brickfolioStore> {}
export interface BuyingSettingsStore extends ReturnType<typeof buyingSettingsStore> {}
export interface DeliveryQueue extends ReturnType<typeof deliveryQueue> {}
export interface EndpointUsageStore extends ReturnType<typeof endpointUsageStore> {}
export interface KeyStore extends ReturnType<typeof keyStore> {}
export interface LedgerStore extends ReturnType<typeof ledgerStore> {}
export interface LotStore extends ReturnType<typeof lotStore> {}
export interface SessionStore extends ReturnType<typeof sessionStore> {}
export interface SheetLinkStore extends ReturnType<typeof sheetLinkStore> {}
export interface WatchStore extends ReturnType<typeof watchStore> {}

/** The market half of a store. */
export interface MarketStore
  extends MarketIngest,
    MinifigStore,
    MarketPublishing,
    MarketReading,
    InterestStore,
    Journal {
  close(): Promise<void>;
}

/** Importing source rows, and what imports look up. */
export interface MarketIngest extends ReturnType<typeof marketIngest> {}

/** Turning source rows into published documents. */
export interface MarketPublishing extends ReturnType<typeof marketPublishing> {}

/** Everything that is published, and no source rows. */
export interface MarketReading extends ReturnType<typeof marketReading>, BulkReading {
  /** Increases with every publication. Cheap: read on every turn of the event loop. */
  publishStamp(): number | Promise<number>;
}

export interface BulkMaking extends ReturnType<typeof bulkMaking> {}
export interface BulkReading extends ReturnType<typeof bulkReading> {}
export interface InterestStore extends ReturnType<typeof marketInterest> {}
export interface Journal extends ReturnType<typeof marketJournal> {}
export interface MinifigStore extends ReturnType<typeof minifigStore> {}
export interface PlanningStore extends ReturnType<typeof marketPlanning> {}
export interface SyncStore extends ReturnType<typeof marketSync> {}

/** The progress of publishing, for operators. */
export interface PublishProgress
  extends Pick<MarketReading, 'publishStamp' | 'findBulkExport'>,
    Pick<MarketPublishing, 'countStale' | 'countDue'> {}

/** Reads for pages: published data, its evidence, and the lookups of an owner's import. */
export interface PageMarket
  extends MarketReading,
    PublishProgress,
    Pick<Journal, 'listImports' | 'findImport' | 'findPublishedAt'>,
    Pick<MarketPublishing, 'findEvidence' | 'listScores' | 'findHistoryState'>,
    Pick<
      MarketIngest,
      | 'findKnownSets'
      | 'findKnownMinifigs'
      | 'findNumbers'
      | 'findRates'
      | 'listWaiting'
      | 'listBarcodes'
      | 'compareCensus'
    > {}
