/** A whole store: the market for everyone, what is private to accounts, and what is fetched. */
import type { AccountStore } from './account/account-store.ts';
import type { MarketStore } from './market/market-store.ts';
import type { PlanningStore } from './sync/planning-store.ts';
import type { SyncStore } from './sync/sync-store.ts';

/** Another process is writing, and this one was told not to wait for it. Nothing was done. */
export class StoreBusyError extends Error {}

/** The store is not the one that was opened any more; the message says how, and what to do. */
export class StoreLostError extends Error {}

/** All sides of a store. */
export interface Store {
  readonly market: MarketStore;
  readonly accounts: AccountStore;
  readonly sync: SyncStore & PlanningStore;
  /** Whether this process may publish: on PostgreSQL, a role that only serves may not. */
  mayPublish(): Promise<boolean>;
  /** Whether a replica is read from; null where there is none. */
  isReplicaUsed(): boolean | null;
  /** A throw-away copy to rehearse an import on; closing it deletes it. */
  rehearsal(): Promise<Store>;
  close(): Promise<void>;
}
