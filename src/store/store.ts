/**
 * The store: the operations of all rooms, joined. Rooms do not import this file, but the types that
 * they and those before them export next to their operations. Each method is one complete operation
 * with its transaction inside. Expected outcomes are return values; a method rejects only on a
 * fault.
 */

import type { AdmissionRequest, AdmittedGroup } from '../accounts/keys/quota.ts';
import type { InterestStore } from '../catalog/interest/interest.store.ts';
import type { MinifigStore } from '../ingest/catalog/minifigs.store.ts';
import type { Journal } from '../ingest/runner/journal.store.ts';
import type { MarketIngest } from '../ingest/runner/market-ingest.store.ts';
import type { OwnRehearsal } from '../portfolio/lots/private-rows.ts';
import type { MarketPublishing } from '../publish/publishing.store.ts';
import type { MarketReading } from '../publish/reading.store.ts';
import type { PlanningStore } from '../sync/planning.store.ts';
import type { SyncStore } from '../sync/sync.store.ts';
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

export interface MarketStore
  extends MarketIngest,
    MinifigStore,
    MarketPublishing,
    MarketReading,
    InterestStore,
    Journal {
  close(): Promise<void>;
}

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
